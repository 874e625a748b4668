//! The bodies of functions.

use std::ops::Range;

use syn::spanned::Spanned;

use super::file::Source;

impl Source {
    /// The bodies of the functions and methods at the top level, braces included, in the order
    /// of the file. A `const fn` has none here: the compiler may need its body for a type.
    pub fn bodies(&self) -> Vec<Range<usize>> {
        let mut bodies = Vec::new();
        let mut add = |signature: &syn::Signature, body: Option<&syn::Block>| {
            if signature.constness.is_none() {
                bodies.extend(body.map(|block| block.span().byte_range()));
            }
        };
        for item in &self.ast.items {
            match item {
                syn::Item::Fn(function) => add(&function.sig, Some(&function.block)),
                syn::Item::Impl(block) => {
                    for member in &block.items {
                        if let syn::ImplItem::Fn(function) = member {
                            add(&function.sig, Some(&function.block));
                        }
                    }
                }
                syn::Item::Trait(block) => {
                    for member in &block.items {
                        if let syn::TraitItem::Fn(function) = member {
                            add(&function.sig, function.default.as_ref());
                        }
                    }
                }
                _ => {}
            }
        }
        bodies
    }
}
