//! The part of a test that decides whether it passes.

use std::collections::BTreeMap;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;

/// The code of the functions called `names` in a test file, without comments and without the
/// messages of assertions.
pub fn test_code(file: &str, names: &[String]) -> BTreeMap<String, String> {
    let Ok(file) = syn::parse_file(file) else {
        return BTreeMap::new();
    };
    let functions = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let wanted = functions.filter(|it| names.iter().any(|name| it.sig.ident == name));
    wanted
        .map(|mut function| {
            function.attrs.retain(|it| !it.path().is_ident("doc"));
            let code = without_messages(function.to_token_stream());
            (function.sig.ident.to_string(), code.to_string())
        })
        .collect()
}

/// The tokens without what follows the condition of `assert!`, the two values of macros such as
/// `assert_eq!`, and the argument of `expect`.
fn without_messages(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            kept.push(token);
            continue;
        };
        let before = |back: usize| {
            let at = kept.len().checked_sub(back)?;
            Some(kept[at].to_string())
        };
        let inner = match (before(2).as_deref(), before(1).as_deref()) {
            (Some("assert"), Some("!")) => arguments(group.stream(), 1),
            (Some("assert_eq" | "assert_ne"), Some("!")) => arguments(group.stream(), 2),
            (Some("panic"), Some("!")) | (_, Some("expect")) => TokenStream::new(),
            _ => group.stream(),
        };
        kept.push(Group::new(group.delimiter(), without_messages(inner)).into());
    }
    kept.into_iter().collect()
}

/// The first `count` arguments.
fn arguments(tokens: TokenStream, count: usize) -> TokenStream {
    let mut commas = 0;
    let is_kept = |token: &TokenTree| {
        if let TokenTree::Punct(mark) = token {
            commas += usize::from(mark.as_char() == ',');
        }
        commas < count
    };
    tokens.into_iter().take_while(is_kept).collect()
}
