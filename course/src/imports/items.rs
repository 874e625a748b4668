//! Questions about the items of a module.

use std::collections::BTreeSet;

use super::paths::paths_in_code;

/// An `impl` for a type that another module defines, or for a type parameter. Other modules can use
/// it without a path to its own module.
pub struct ForeignImpl {
    /// The paths in its head: of the trait, of the type and of their parameters.
    pub head: Vec<Vec<String>>,
    /// Without a trait, the names of its functions and constants. Code that uses one contains its
    /// name. `None` if a macro defines some of them.
    pub names: Option<BTreeSet<String>>,
}

/// What `item` implements for a type that is not among `names`, if anything.
pub(super) fn foreign_impl(item: &syn::Item, names: &BTreeSet<String>) -> Option<ForeignImpl> {
    let syn::Item::Impl(item) = item else {
        return None;
    };
    let own = match &*item.self_ty {
        syn::Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    if own.is_some_and(|own| names.contains(&own.ident.to_string())) {
        return None;
    }
    let mut head = paths_in_code(&*item.self_ty);
    if let Some((of, _)) = &item.trait_ {
        head.extend(paths_in_code(of));
    }
    let names = item.items.iter().map(|item| match item {
        syn::ImplItem::Fn(item) => Some(item.sig.ident.to_string()),
        syn::ImplItem::Const(item) => Some(item.ident.to_string()),
        _ => None,
    });
    Some(ForeignImpl {
        head,
        names: match item.trait_ {
            None => names.collect(),
            Some(_) => None,
        },
    })
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

/// The name that `item` gives to another type, if any.
pub(super) fn alias_of(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
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
