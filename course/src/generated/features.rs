//! The feature tables: one Cargo feature for each chapter, in both packages.

use anyhow::{Context, Result};
use toml_edit::{Array, DocumentMut, Item, Key};

use crate::course_toml::Course;

/// The text of a `Cargo.toml` with a feature for each written chapter. The feature enables the
/// chapter before it and what the chapter's manifest lists under `features`. Other features
/// stay unchanged.
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
    let mut before: Option<String> = None;
    for (chapter, manifest) in course.written() {
        let mut key = Key::new(chapter.feature());
        if before.is_none() {
            key.leaf_decor_mut().set_prefix(NOTE);
        }
        let needs: Array = before.iter().chain(&manifest.features).collect();
        table.insert_formatted(&key, toml_edit::value(needs));
        before = Some(chapter.feature());
    }
    for (name, feature) in others {
        table.insert_formatted(&name, feature);
    }
    Ok(document.to_string())
}

/// Whether `feature` is named like a chapter's, such as `ch12`.
fn is_chapter(feature: &str) -> bool {
    let number = feature.strip_prefix("ch");
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

const NOTE: &str = "# `cargo course generate` writes the chapters' features, from `features` in their manifests.\n";
