//! The feature tables: two Cargo features for each chapter, in both packages.

use anyhow::{Context, Result};
use toml_edit::{Array, DocumentMut, Item, Key};

use crate::course_toml::{Chapter, Course};

/// The text of a `Cargo.toml` with two features for each written chapter. `ch6` enables the code
/// of chapter 6 and all before it, `crates6` what this code depends on: what the manifests list
/// under `features`. Other features stay unchanged.
///
/// With `ch6` and `crates20`, chapter 6 is built by itself on the crates that chapter 20 has built
/// already.
pub(super) fn with_chapters(manifest: &str, course: &Course) -> Result<String> {
    let mut document: DocumentMut = manifest.parse()?;
    let table = document
        .get_mut("features")
        .and_then(Item::as_table_mut)
        .context("there is no table `[features]`; `git diff` shows what changed")?;
    let names: Vec<String> = table.iter().map(|(name, _)| name.to_string()).collect();
    let mut others = Vec::new();
    for name in names {
        let entry = table.remove_entry(&name);
        others.extend(entry.filter(|_| !is_chapter(&name)));
    }
    let (default, others): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|(name, _)| name.get() == "default");
    for (name, feature) in default {
        table.insert_formatted(&name, feature);
    }
    let mut before: Option<&Chapter> = None;
    for (chapter, manifest) in course.written() {
        let mut key = Key::new(chapter.feature());
        if before.is_none() {
            key.leaf_decor_mut().set_prefix(NOTE);
        }
        let crates_feature = chapter.crates_feature();
        let code = before.map(Chapter::feature);
        let code: Array = code.iter().chain([&crates_feature]).collect();
        table.insert_formatted(&key, toml_edit::value(code));
        let crates = before.map(Chapter::crates_feature);
        let crates: Array = crates.iter().chain(&manifest.features).collect();
        table.insert(&crates_feature, toml_edit::value(crates));
        before = Some(chapter);
    }
    for (name, feature) in others {
        table.insert_formatted(&name, feature);
    }
    Ok(document.to_string())
}

/// Whether `feature` is named like a chapter's, such as `ch12` or `crates12`.
fn is_chapter(feature: &str) -> bool {
    let number = feature.strip_prefix("ch");
    let number = number.or_else(|| feature.strip_prefix("crates"));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

const NOTE: &str = "\
# `cargo course generate` writes the chapters' features, from `features` in their manifests:
# `ch6` is the code up to chapter 6, `crates6` the crates that it needs.
";
