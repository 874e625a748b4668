//! Questions about the items of a module.

use std::collections::BTreeSet;

/// Whether `item` is an `impl` for a type that is not among `names`.
pub(super) fn is_foreign_impl(item: &syn::Item, names: &BTreeSet<String>) -> bool {
    let syn::Item::Impl(item) = item else {
        return false;
    };
    let own = match &*item.self_ty {
        syn::Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    !own.is_some_and(|own| names.contains(&own.ident.to_string()))
}

/// The name that `item` defines, if any.
pub(super) fn name_of(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Const(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}

/// The latest chapter that the `cfg` of a module requires. Any other feature, such as the
/// program's, counts as later than all chapters.
pub(super) fn chapter_of(attributes: &[syn::Attribute]) -> u32 {
    let conditions = attributes.iter().filter(|it| it.path().is_ident("cfg"));
    let features = conditions.filter_map(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return None;
        };
        let text = list.tokens.to_string();
        let feature = text.split_once("feature = \"")?.1.split('"').next()?;
        match feature.strip_prefix("ch") {
            Some(number) => number.parse().ok(),
            None => Some(u32::MAX),
        }
    });
    features.max().unwrap_or(0)
}
