//! Questions about `syn` items.

use proc_macro2::Span;
use quote::ToTokens;

use super::item::Kind;

/// A top-level item's name, attributes and kind, and a function's body. `None` for items such
/// as `use` and `impl`.
pub(super) fn declaration(
    item: &syn::Item,
) -> Option<(&syn::Ident, &[syn::Attribute], Kind, Option<Span>)> {
    let (ident, attrs, kind, body) = match item {
        syn::Item::Fn(i) => {
            let body = body_span(&i.block);
            (&i.sig.ident, &i.attrs, Kind::Function, Some(body))
        }
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

/// The span of a function's body. The body's own `span()` makes tokens of all of it.
pub(super) fn body_span(body: &syn::Block) -> Span {
    body.brace_token.span.join()
}

/// Whether `block` is for the type `owner` and, if a trait is wanted, implements that trait.
pub(super) fn is_impl_of(block: &syn::ItemImpl, owner: &str, wanted_trait: Option<&str>) -> bool {
    type_name(&block.self_ty).is_some_and(|name| name == owner)
        && wanted_trait.is_none_or(|wanted| {
            trait_of(block).is_some_and(|of| {
                let name = of.split(' ').next();
                // Spaces in tokens such as `>>` do not matter.
                name == Some(wanted) || of.replace(' ', "") == wanted.replace(' ', "")
            })
        })
}

/// The trait that a block implements, with type arguments and without its module, such as
/// `From < u8 >`.
pub(super) fn trait_of(block: &syn::ItemImpl) -> Option<String> {
    let segment = block.trait_.as_ref()?.0.segments.last()?;
    Some(segment.to_token_stream().to_string())
}

/// Whether an attribute marks a test.
pub(super) fn is_test(attribute: &syn::Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == "test")
}

/// The name of a type, without module and type arguments.
pub(super) fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}
