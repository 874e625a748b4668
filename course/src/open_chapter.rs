//! The newest open chapter, which the `default` feature in `Cargo.toml` names.

use anyhow::{Context, Result};
use toml_edit::{DocumentMut, Value};

/// The newest open chapter, from the text of `Cargo.toml`. It is 1 if none is named.
pub fn open_chapter(manifest: &str) -> Result<u32> {
    let document = parse(manifest)?;
    let default = document
        .get("features")
        .and_then(|features| features.get("default"))
        .and_then(|default| default.as_array());
    let chapters = default.into_iter().flatten().filter_map(chapter_of);
    Ok(chapters.max().unwrap_or(1))
}

/// The text of `Cargo.toml` with chapter `number` as the newest open one. Nothing else in it
/// changes.
pub fn with_open_chapter(manifest: &str, number: u32) -> Result<String> {
    let mut document = parse(manifest)?;
    let default = document
        .get_mut("features")
        .and_then(|features| features.get_mut("default"))
        .and_then(|default| default.as_array_mut())
        .context("Cargo.toml has no `default` under `[features]`, which opens the chapters; `git diff Cargo.toml` shows what changed in it")?;
    let first = default.iter().position(|it| chapter_of(it).is_some());
    match first {
        Some(at) => {
            default.replace(at, format!("ch{number}"));
        }
        None => default.push(format!("ch{number}")),
    }
    let mut chapters = 0;
    default.retain(|feature| {
        let is_chapter = chapter_of(feature).is_some();
        chapters += usize::from(is_chapter);
        !is_chapter || chapters == 1
    });
    Ok(document.to_string())
}

fn parse(manifest: &str) -> Result<DocumentMut> {
    manifest
        .parse()
        .context("Cargo.toml is broken; `git diff Cargo.toml` shows what changed in it")
}

fn chapter_of(feature: &Value) -> Option<u32> {
    feature.as_str()?.strip_prefix("ch")?.parse().ok()
}
