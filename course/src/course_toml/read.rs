//! Reads the table of contents and manifests, of this version or of another one.

use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::{Repo, read_text};

/// Reads a file. One that cannot be read as `T` is broken.
pub(super) fn read_toml<T: serde::de::DeserializeOwned>(repo: &Repo, path: &Path) -> Result<T> {
    let text = read_text(path).with_context(|| format!("cannot read {}", repo.relative(path)))?;
    toml_edit::de::from_str(&text).with_context(|| broken(repo, path))
}

/// Reads the fields of a file that [`KNOWN`] lists.
pub(super) fn read_known<T: serde::de::DeserializeOwned>(repo: &Repo, path: &Path) -> Result<T> {
    let unreadable = || format!("cannot read {} of the new version", repo.relative(path));
    let text = read_text(path).with_context(unreadable)?;
    let mut table: toml_edit::DocumentMut = text.parse().with_context(unreadable)?;
    keep_known(table.as_table_mut());
    toml_edit::de::from_document(table).with_context(unreadable)
}

/// The fields of manifests, sections and the table of contents that an update needs.
const KNOWN: [&str; 17] = [
    "about",
    "attributes",
    "chapters",
    "depth",
    "features",
    "given",
    "id",
    "items",
    "minutes",
    "modules",
    "number",
    "part",
    "section",
    "slug",
    "tests",
    "title",
    "unix",
];

/// Removes unknown fields of a table, and of the tables in its lists.
fn keep_known(table: &mut dyn toml_edit::TableLike) {
    let unknown: Vec<String> = table
        .iter()
        .map(|(key, _)| key.to_string())
        .filter(|key| !KNOWN.contains(&key.as_str()))
        .collect();
    for key in unknown {
        table.remove(&key);
    }
    for (key, item) in table.iter_mut() {
        if let Some(tables) = item.as_array_of_tables_mut() {
            tables.iter_mut().for_each(|table| keep_known(table));
        } else if key == "chapters"
            && let Some(list) = item.as_array_mut()
        {
            let tables = list.iter_mut().filter_map(|it| it.as_inline_table_mut());
            tables.for_each(|table| keep_known(table));
        }
    }
}

/// The error message for a file that does not have the right form.
pub(super) fn broken(repo: &Repo, path: &Path) -> String {
    format!(
        "the manifest {} is broken; `git diff {0}` shows what changed in it",
        repo.relative(path)
    )
}
