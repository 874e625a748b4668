//! The functions of a file.

use std::ops::Range;

use syn::spanned::Spanned;

use super::file::Source;
use super::syntax::{trait_of, type_name};

/// A function with a body.
struct Function<'a> {
    /// The `impl` or trait block around it.
    block: Option<&'a syn::Item>,
    signature: &'a syn::Signature,
    body: &'a syn::Block,
}

impl Source {
    /// The paths of all functions with a body, as [`find`](Self::find) takes them.
    pub fn functions(&self) -> Vec<Vec<String>> {
        let path = |function: Function| {
            let name = function.signature.ident.to_string();
            match function.block {
                Some(syn::Item::Impl(block)) => {
                    let owner = type_name(&block.self_ty)?;
                    Some(self.unambiguous(&owner, trait_of(block), name))
                }
                Some(syn::Item::Trait(block)) => Some(vec![block.ident.to_string(), name]),
                _ => Some(vec![name]),
            }
        };
        self.with_body().into_iter().filter_map(path).collect()
    }

    /// The bodies of the functions and methods at the top level, braces included, in the order
    /// of the file. A `const fn` has none here: the compiler may need its body for a type.
    pub fn bodies(&self) -> Vec<Range<usize>> {
        let mut functions = self.with_body();
        functions.retain(|function| function.signature.constness.is_none());
        let bodies = functions.iter().map(|function| function.body.span());
        bodies.map(|span| span.byte_range()).collect()
    }

    fn with_body(&self) -> Vec<Function<'_>> {
        let mut functions = Vec::new();
        for item in &self.ast.items {
            let mut add = |block, signature, body: Option<_>| {
                functions.extend(body.map(|body| Function {
                    block,
                    signature,
                    body,
                }));
            };
            match item {
                syn::Item::Fn(function) => add(None, &function.sig, Some(&*function.block)),
                syn::Item::Impl(block) => {
                    for member in &block.items {
                        if let syn::ImplItem::Fn(function) = member {
                            add(Some(item), &function.sig, Some(&function.block));
                        }
                    }
                }
                syn::Item::Trait(block) => {
                    for member in &block.items {
                        if let syn::TraitItem::Fn(function) = member {
                            add(Some(item), &function.sig, function.default.as_ref());
                        }
                    }
                }
                _ => {}
            }
        }
        functions
    }

    /// `Type::name`, or `<Type as Trait>::name` if the type has several functions of the name.
    fn unambiguous(&self, owner: &str, of: Option<String>, name: String) -> Vec<String> {
        let short = vec![owner.to_string(), name];
        match (self.find(&short), of) {
            (Err(_), Some(of)) => vec![format!("<{owner} as {of}>"), short[1].clone()],
            _ => short,
        }
    }
}
