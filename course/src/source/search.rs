//! Finds the items of a file by their names.

use proc_macro2::Span;
use syn::spanned::Spanned;

use super::file::Source;
use super::item::{Found, Kind};
use super::path::split_owner;
use super::syntax::{body_span, declaration, is_impl_of};

impl Source {
    pub(super) fn top_level(&self, name: &str) -> Vec<Found> {
        self.ast
            .items
            .iter()
            .filter_map(|item| {
                let (ident, attrs, kind, body) = declaration(item)?;
                (ident == name).then(|| self.found(kind, item, attrs, body))
            })
            .collect()
    }

    pub(super) fn members(&self, owner: &str, name: &str) -> Vec<Found> {
        let (owner, wanted_trait) = split_owner(owner);
        let mut found = Vec::new();
        for item in &self.ast.items {
            match item {
                syn::Item::Enum(i) if i.ident == owner => {
                    for variant in i.variants.iter().filter(|v| v.ident == name) {
                        found.push(self.found(Kind::Variant, variant, &variant.attrs, None));
                    }
                }
                syn::Item::Struct(i) if i.ident == owner => {
                    for field in &i.fields {
                        if field.ident.as_ref().is_some_and(|ident| ident == name) {
                            found.push(self.found(Kind::Field, field, &field.attrs, None));
                        }
                    }
                }
                syn::Item::Trait(i) if i.ident == owner => {
                    for member in &i.items {
                        if let syn::TraitItem::Fn(f) = member
                            && f.sig.ident == name
                        {
                            let body = f.default.as_ref().map(body_span);
                            found.push(self.found(Kind::Function, member, &f.attrs, body));
                        }
                    }
                }
                syn::Item::Impl(i) if is_impl_of(i, &owner, wanted_trait.as_deref()) => {
                    for member in &i.items {
                        if let syn::ImplItem::Fn(f) = member
                            && f.sig.ident == name
                        {
                            let body = Some(body_span(&f.block));
                            found.push(self.found(Kind::Function, member, &f.attrs, body));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn found(
        &self,
        kind: Kind,
        item: &impl Spanned,
        attrs: &[syn::Attribute],
        body: Option<Span>,
    ) -> Found {
        let range = item.span().byte_range();
        // `syn` also lists the inner attributes of a body, such as `//! note`.
        let is_outer = |attr: &&syn::Attribute| matches!(attr.style, syn::AttrStyle::Outer);
        let outer = attrs.iter().filter(is_outer);
        let after_attrs = outer.clone().next_back().map_or(range.start, |attr| {
            let end = attr.span().byte_range().end;
            let gap = self.text[end..].len() - self.text[end..].trim_start().len();
            end + gap
        });
        Found {
            kind,
            bare: after_attrs..range.end,
            range,
            body: body.map(|span| span.byte_range()),
            attributes: outer
                .filter(|attr| !attr.path().is_ident("doc"))
                .map(|attr| attr.span().byte_range())
                .collect(),
        }
    }
}
