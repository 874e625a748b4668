//! What code uses.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::paths::{identifiers, paths_in};

/// What some code uses.
#[derive(Default)]
pub struct Used {
    /// The paths in the code and in its private imports.
    pub paths: Vec<Vec<String>>,
    /// The identifiers in the code.
    pub identifiers: BTreeSet<String>,
}

/// What a file's code uses. The paths are as written.
pub fn used_in_file(path: &Path) -> Result<Used> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let file = syn::parse_file(&text);
    let file = file.with_context(|| format!("cannot parse {}", path.display()))?;
    let identifiers = identifiers(&file.items);
    let mut paths = Vec::new();
    let mut pending = file.items;
    while let Some(item) = pending.pop() {
        paths.extend(paths_in(&item));
        if let syn::Item::Mod(module) = item {
            pending.extend(module.content.into_iter().flat_map(|(_, items)| items));
        }
    }
    Ok(Used { paths, identifiers })
}
