//! The functions of a file.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;

use super::file::Source;
use super::syntax::{trait_of, type_name};

/// A function with a body.
struct Function<'a> {
    /// The `impl` or trait block around it.
    block: Option<&'a syn::Item>,
    signature: &'a syn::Signature,
    body: &'a syn::Block,
    /// The whole function, with its attributes, if only its own module can name it.
    private: Option<Span>,
}

/// What of a function has no effect on code that does not execute it: its body, and the whole
/// function if it is private.
pub struct Implementation {
    /// The function's name and the head of the block around it, such as `impl Message { new`. In a
    /// file, no other function has this name.
    pub name: String,
    /// The body, braces included.
    pub body: Range<usize>,
    /// The whole function with its attributes if it is private, and otherwise its body.
    pub range: Range<usize>,
    /// The name by which its own module can call it, if it is private.
    pub private: Option<String>,
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

    /// The functions and methods with a body at the top level, in the order of the file. A
    /// `const fn` is not among them: the compiler may need its body for a type.
    pub fn implementations(&self) -> Vec<Implementation> {
        let mut functions = self.with_body();
        functions.retain(|function| function.signature.constness.is_none());
        let mut count = BTreeMap::new();
        let all = functions.into_iter().map(|function| {
            let name = format!("{}{}", self.head(&function), function.signature.ident);
            let earlier = count.entry(name.clone()).or_insert(0);
            *earlier += 1;
            let body = function.body.span().byte_range();
            let whole = function.private.map(|span| span.byte_range());
            Implementation {
                // Two blocks can have one head, and `cfg` can select one of two functions.
                name: format!("{name} {earlier}"),
                private: whole.as_ref().map(|_| function.signature.ident.to_string()),
                range: whole.unwrap_or_else(|| body.clone()),
                body,
            }
        });
        all.collect()
    }

    /// The head of the block around a function, with the opening brace.
    fn head(&self, function: &Function) -> &str {
        let (start, brace) = match function.block {
            Some(syn::Item::Impl(block)) => (block.impl_token.span(), &block.brace_token),
            Some(syn::Item::Trait(block)) => (block.trait_token.span(), &block.brace_token),
            _ => return "",
        };
        &self.text[start.byte_range().start..brace.span.open().byte_range().end]
    }

    fn with_body(&self) -> Vec<Function<'_>> {
        let mut functions = Vec::new();
        for item in &self.ast.items {
            let mut add = |block, signature, body: Option<_>, private| {
                functions.extend(body.map(|body| Function {
                    block,
                    signature,
                    body,
                    private,
                }));
            };
            let if_private = |visibility: &_, whole: Span| {
                matches!(visibility, syn::Visibility::Inherited).then_some(whole)
            };
            match item {
                syn::Item::Fn(function) => {
                    let private = if_private(&function.vis, function.span());
                    add(None, &function.sig, Some(&*function.block), private);
                }
                syn::Item::Impl(block) => {
                    for member in &block.items {
                        if let syn::ImplItem::Fn(function) = member {
                            let private = if_private(&function.vis, function.span());
                            let private = private.filter(|_| block.trait_.is_none());
                            add(Some(item), &function.sig, Some(&function.block), private);
                        }
                    }
                }
                syn::Item::Trait(block) => {
                    for member in &block.items {
                        if let syn::TraitItem::Fn(function) = member {
                            add(Some(item), &function.sig, function.default.as_ref(), None);
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
