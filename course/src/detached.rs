//! The `Cargo.toml` of a copy of the learner's package in another folder.

use std::path::Path;

use anyhow::{Context, Result};
use toml_edit::{Array, DocumentMut, Item, value};

/// The manifest of which `manifest` in `root` is the text, for a copy of the package that is a workspace of its
/// own.
pub fn detached(manifest: &str, root: &Path) -> Result<DocumentMut> {
    let mut document: DocumentMut = manifest.parse().context("Cargo.toml is broken")?;
    make_paths_absolute(&mut document, root);
    if let Some(workspace) = document["workspace"].as_table_mut() {
        workspace.remove("exclude");
        workspace["members"] = value(Array::new());
    }
    Ok(document)
}

/// Makes the paths of dependencies, which are relative to `root`, absolute.
pub fn make_paths_absolute(document: &mut DocumentMut, root: &Path) {
    let workspace = document.get_mut("workspace");
    let shared = workspace.and_then(|workspace| workspace.get_mut("dependencies"));
    make_absolute(shared, root);
    make_absolute(document.get_mut("dependencies"), root);
    let systems = document.get_mut("target");
    let systems = systems.and_then(Item::as_table_like_mut).into_iter();
    for (_, system) in systems.flat_map(|table| table.iter_mut()) {
        make_absolute(system.get_mut("dependencies"), root);
    }
}

fn make_absolute(dependencies: Option<&mut Item>, root: &Path) {
    let dependencies = dependencies.and_then(Item::as_table_like_mut);
    for (_, dependency) in dependencies.into_iter().flat_map(|table| table.iter_mut()) {
        let path = dependency.get("path").and_then(Item::as_str);
        if let Some(path) = path.map(|path| root.join(path)) {
            dependency["path"] = value(path.to_string_lossy().as_ref());
        }
    }
}
