//! The items of a file, by their names.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::path::split_owner;
use super::text::without_docs;
use super::{Found, Kind, Source};

impl Source {
    /// Paths of every function whose body a learner could be asked to write, such that
    /// [`find`](Self::find) finds each.
    pub fn functions(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        for item in &self.ast.items {
            match item {
                syn::Item::Fn(function) => paths.push(vec![function.sig.ident.to_string()]),
                syn::Item::Impl(block) => {
                    let Some(owner) = type_name(&block.self_ty) else {
                        continue;
                    };
                    for member in &block.items {
                        if let syn::ImplItem::Fn(function) = member {
                            let name = function.sig.ident.to_string();
                            paths.push(self.unmistakable(&owner, trait_of(block), name));
                        }
                    }
                }
                syn::Item::Trait(block) => {
                    for member in &block.items {
                        if let syn::TraitItem::Fn(function) = member
                            && function.default.is_some()
                        {
                            paths.push(vec![
                                block.ident.to_string(),
                                function.sig.ident.to_string(),
                            ]);
                        }
                    }
                }
                _ => {}
            }
        }
        paths
    }

    /// `Type::name`, or `<Type as Trait>::name` where the type has several of the name.
    fn unmistakable(&self, owner: &str, of: Option<String>, name: String) -> Vec<String> {
        let short = vec![owner.to_string(), name];
        match (self.find(&short), of) {
            (Err(_), Some(of)) => vec![format!("<{owner} as {of}>"), short[1].clone()],
            _ => short,
        }
    }
}

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
                            let body = f.default.as_ref().map(Spanned::span);
                            found.push(self.found(Kind::Function, member, &f.attrs, body));
                        }
                    }
                }
                syn::Item::Impl(i) if is_impl_of(i, &owner, wanted_trait.as_deref()) => {
                    for member in &i.items {
                        if let syn::ImplItem::Fn(f) = member
                            && f.sig.ident == name
                        {
                            let body = Some(f.block.span());
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
        item: &(impl ToTokens + Spanned),
        attrs: &[syn::Attribute],
        body: Option<Span>,
    ) -> Found {
        let range = item.span().byte_range();
        let after_attrs = attrs.last().map_or(range.start, |attr| {
            let end = attr.span().byte_range().end;
            let gap = self.text[end..].len() - self.text[end..].trim_start().len();
            end + gap
        });
        Found {
            kind,
            bare: after_attrs..range.end,
            range,
            body: body.map(|span| span.byte_range()),
            attributes: attrs
                .iter()
                .filter(|attr| !attr.path().is_ident("doc"))
                .map(|attr| attr.span().byte_range())
                .collect(),
            tokens: without_docs(item.to_token_stream()),
        }
    }
}

/// A top-level item's name, attributes, kind and, of a function, its body.
pub(super) fn declaration(
    item: &syn::Item,
) -> Option<(&syn::Ident, &[syn::Attribute], Kind, Option<Span>)> {
    let (ident, attrs, kind, body) = match item {
        syn::Item::Fn(i) => (&i.sig.ident, &i.attrs, Kind::Function, Some(i.block.span())),
        syn::Item::Struct(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Enum(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Union(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Trait(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Type(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Const(i) => (&i.ident, &i.attrs, Kind::Type, None),
        syn::Item::Static(i) => (&i.ident, &i.attrs, Kind::Type, None),
        _ => return None,
    };
    Some((ident, attrs, kind, body))
}

fn is_impl_of(block: &syn::ItemImpl, owner: &str, wanted_trait: Option<&str>) -> bool {
    type_name(&block.self_ty).is_some_and(|name| name == owner)
        && wanted_trait.is_none_or(|wanted| {
            trait_of(block).is_some_and(|of| {
                let name = of.split(' ').next();
                // How a `>>` is spaced says nothing.
                name == Some(wanted) || of.replace(' ', "") == wanted.replace(' ', "")
            })
        })
}

/// The trait that a block implements, without its module: `From < u8 >`.
pub(super) fn trait_of(block: &syn::ItemImpl) -> Option<String> {
    let segment = block.trait_.as_ref()?.0.segments.last()?;
    Some(segment.to_token_stream().to_string())
}

pub(super) fn is_test(attribute: &syn::Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == "test")
}

pub(super) fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}
