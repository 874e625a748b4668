//! The modules in `lib.rs`, each under the feature of its first chapter.

use anyhow::{Context, Result, bail, ensure};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

use super::condition::condition;
use crate::course_toml::Course;
use crate::repo::Repo;

/// The text of a `lib.rs` with the modules that the manifests list under `modules`, in the
/// order of the chapters. They replace the `mod` items with a chapter's feature.
pub fn with_modules(repo: &Repo, course: &Course, text: &str) -> Result<String> {
    let file = syn::parse_file(text).context("it cannot be parsed")?;
    let listed = |name: &str| {
        let mut chapters = course.written();
        chapters.any(|(_, manifest)| manifest.modules.iter().any(|module| module == name))
    };
    let mut old: Option<std::ops::Range<usize>> = None;
    for item in &file.items {
        let Some((chapter, module)) = chapter_module(item) else {
            continue;
        };
        let name = module.ident.to_string();
        ensure!(
            listed(&name),
            "the module `{name}` is under {chapter}'s feature and in no manifest; list it under `modules` of its chapter"
        );
        let range = item.span().byte_range();
        let declaration = match module.attrs.as_slice() {
            [only] => text[only.span().byte_range().end..range.end].trim(),
            _ => "",
        };
        ensure!(
            declaration == format!("pub mod {name};"),
            "the module `{name}` must be one `#[cfg]` and `pub mod {name};`, since nothing else of it is kept; its documentation belongs at the top of its file"
        );
        let between = old.as_ref().map_or("", |old| &text[old.end..range.start]);
        ensure!(
            between.trim().is_empty(),
            "the chapters' modules must be next to each other; move `{}` below the last of them",
            between.trim()
        );
        let start = old.map_or(range.start, |old| old.start);
        old = Some(start..range.end);
    }
    let old = old.context("it has no module under a chapter's feature, such as `#[cfg(feature = \"ch1\")] pub mod types;`")?;
    let mut groups = Vec::new();
    for (chapter, manifest) in course.written() {
        let mut modules = manifest.modules.clone();
        modules.sort();
        for module in &modules {
            if file_of(repo, module).is_none() {
                bail!(
                    "{} lists the module `{module}`, and there is neither solutions/src/{module}.rs nor solutions/src/{module}/mod.rs",
                    repo.relative(&chapter.manifest_path(repo))
                );
            }
        }
        let condition = condition(manifest, &chapter.feature());
        let items = modules
            .iter()
            .map(|module| format!("#[cfg({condition})]\npub mod {module};"));
        let items: Vec<String> = items.collect();
        if !items.is_empty() {
            groups.push(items.join("\n"));
        }
    }
    let mut text = text.to_string();
    text.replace_range(old, &groups.join("\n\n"));
    Ok(text)
}

/// The file of a module of `lib.rs`, relative to `src`. `None` if the reference has none.
pub(super) fn file_of(repo: &Repo, module: &str) -> Option<String> {
    let mut files = [format!("{module}.rs"), format!("{module}/mod.rs")].into_iter();
    files.find(|file| repo.solutions().join(file).is_file())
}

/// The feature of an item `#[cfg(feature = "ch3")] pub mod tools;`, or of one under
/// `cfg(all(unix, feature = "ch11"))`, and the module.
fn chapter_module(item: &syn::Item) -> Option<(String, &syn::ItemMod)> {
    let syn::Item::Mod(module) = item else {
        return None;
    };
    let mut all = module.attrs.iter().flat_map(conditions);
    let feature = all.find_map(|condition| {
        let syn::Meta::NameValue(condition) = condition else {
            return None;
        };
        match condition.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(feature),
                ..
            }) if condition.path.is_ident("feature") => Some(feature.value()),
            _ => None,
        }
    })?;
    let number = feature.strip_prefix("ch")?;
    number.parse::<u32>().ok()?;
    Some((feature, module))
}

/// The conditions of a `cfg` attribute, all of which must hold.
fn conditions(attribute: &syn::Attribute) -> Vec<syn::Meta> {
    let inside = match attribute.path().is_ident("cfg") {
        true => attribute.parse_args::<syn::Meta>().ok(),
        false => None,
    };
    match inside {
        Some(syn::Meta::List(all)) if all.path.is_ident("all") => {
            let list = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
            let list = all.parse_args_with(list).unwrap_or_default();
            list.into_iter().collect()
        }
        one => one.into_iter().collect(),
    }
}
