//! What tests can see of a crate: its code without the bodies of functions.

use std::ops::Range;

use course::source::tokens_of;
use syn::spanned::Spanned;
use syn::visit::{Visit, visit_item_fn};
use syn::{Attribute, Block, ImplItemFn, ItemFn, TraitItemFn, Visibility};

/// The tokens of a source file without comments, bodies and private functions.
pub fn interface(text: &str) -> String {
    let Ok(file) = syn::parse_file(text) else {
        return text.to_string();
    };
    let mut hidden = Hidden::default();
    hidden.visit_file(&file);
    let mut ranges = hidden.0;
    ranges.sort_by_key(|range| range.start);
    let (mut seen, mut at) = (String::new(), 0);
    for range in ranges {
        seen.push_str(text.get(at..range.start).unwrap_or_default());
        at = at.max(range.end);
    }
    seen.push_str(&text[at..]);
    tokens_of(&seen)
}

/// The byte ranges that tests cannot see.
#[derive(Default)]
struct Hidden(Vec<Range<usize>>);

impl Hidden {
    fn body(&mut self, is_const: bool, block: &Block) {
        // A constant may be computed by it.
        if !is_const {
            let braces = block.span().byte_range();
            self.0.push(braces.start + 1..braces.end - 1);
        }
    }
}

impl<'a> Visit<'a> for Hidden {
    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        if attribute.path().is_ident("doc") {
            self.0.push(attribute.span().byte_range());
        }
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        let is_const = function.sig.constness.is_some();
        match function.vis {
            Visibility::Inherited if !is_const => self.0.push(function.span().byte_range()),
            _ => {
                self.body(is_const, &function.block);
                visit_item_fn(self, function);
            }
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        let is_const = function.sig.constness.is_some();
        self.body(is_const, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'a TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(false, block);
        }
        syn::visit::visit_trait_item_fn(self, function);
    }
}

#[test]
fn the_interface_has_no_bodies_comments_or_private_functions() {
    let text = "/// A light.\npub struct Light { on: bool }\nimpl Light {\n    /// Turns it on.\n    pub fn on(&mut self) { self.on = true; }\n}\nfn own() {}\n";
    let same = "pub struct Light { on: bool }\nimpl Light { pub fn on(&mut self) { todo!() } }\n";
    let other = same.replace("&mut self", "self");
    assert_eq!(interface(text), interface(same));
    assert_ne!(interface(text), interface(&other));
}
