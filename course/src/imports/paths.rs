//! The imports of an item and the paths in its code.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// One import.
pub struct Import {
    /// The name; `None` for a glob.
    pub name: Option<String>,
    /// The path as written, such as `["super", "style", "Style"]`.
    pub path: Vec<String>,
    /// Whether the import has a visibility, so that other modules see its name.
    pub is_reexport: bool,
}

/// The imports of a `use` item; none for any other item.
pub fn imports(item: &syn::Item) -> Vec<Import> {
    let mut imports = Vec::new();
    if let syn::Item::Use(item) = item {
        let is_reexport = !matches!(item.vis, syn::Visibility::Inherited);
        flatten(&item.tree, Vec::new(), is_reexport, &mut imports);
    }
    imports
}

fn flatten(tree: &syn::UseTree, mut path: Vec<String>, is_reexport: bool, out: &mut Vec<Import>) {
    let mut add = |name: Option<String>, path: Vec<String>| {
        out.push(Import {
            name,
            path,
            is_reexport,
        });
    };
    match tree {
        syn::UseTree::Path(part) => {
            path.push(part.ident.to_string());
            flatten(&part.tree, path, is_reexport, out);
        }
        syn::UseTree::Name(part) if part.ident == "self" => add(path.last().cloned(), path),
        syn::UseTree::Name(part) => {
            path.push(part.ident.to_string());
            add(path.last().cloned(), path);
        }
        syn::UseTree::Rename(part) => {
            if part.ident != "self" {
                path.push(part.ident.to_string());
            }
            add(Some(part.rename.to_string()), path);
        }
        syn::UseTree::Glob(_) => add(None, path),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path.clone(), is_reexport, out);
            }
        }
    }
}

/// The paths in an item: its private imports, or the paths in its code. A module has none,
/// since its items have their own.
pub(super) fn paths_in(item: &syn::Item) -> Vec<Vec<String>> {
    match item {
        syn::Item::Mod(_) => Vec::new(),
        syn::Item::Use(_) => imports(item)
            .into_iter()
            .filter(|import| !import.is_reexport)
            .map(|import| import.path)
            .collect(),
        item => paths_in_code(item),
    }
}

/// The paths in code.
pub(super) fn paths_in_code(code: &impl ToTokens) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    collect(code.to_token_stream(), &mut paths);
    paths
}

/// Adds the paths in `tokens`: names joined by `::`. A name after a dot is a field or a method,
/// not a path.
fn collect(tokens: TokenStream, paths: &mut Vec<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut before = String::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let ident = ident.to_string();
                match before.as_str() {
                    "::" if !path.is_empty() => path.push(ident),
                    "." => {}
                    _ => {
                        paths.push(std::mem::replace(&mut path, vec![ident]));
                    }
                }
                before.clear();
            }
            TokenTree::Punct(mark) => {
                before = match (before.as_str(), mark.as_char()) {
                    (":", ':') => "::".to_string(),
                    (_, mark) => mark.to_string(),
                };
            }
            TokenTree::Group(group) => {
                collect(group.stream(), paths);
                before = "group".to_string();
            }
            TokenTree::Literal(_) => before = "literal".to_string(),
        }
    }
    paths.push(path);
}

/// Every identifier in the code of `items`.
pub(super) fn identifiers(items: &[syn::Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut pending: Vec<TokenStream> = items.iter().map(ToTokens::to_token_stream).collect();
    while let Some(tokens) = pending.pop() {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => drop(names.insert(ident.to_string())),
                TokenTree::Group(group) => pending.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    names
}
