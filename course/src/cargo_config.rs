//! Cargo's configuration files and variables that apply to the course.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item};

/// One configuration file.
pub struct ConfigFile {
    /// Its path.
    pub path: PathBuf,
    /// Its content, or why it cannot be used.
    pub content: Result<DocumentMut, String>,
}

impl ConfigFile {
    /// The value at a path of keys such as `["build", "rustflags"]`.
    pub fn get(&self, keys: &[&str]) -> Option<&Item> {
        let document = self.content.as_ref().ok()?;
        keys.iter()
            .try_fold(document.as_item(), |item, key| item.get(key))
    }

    /// The folder that the file's relative paths start from: the parent of its `.cargo`.
    fn base(&self) -> &Path {
        let folder = self.path.parent().and_then(Path::parent);
        folder.unwrap_or(Path::new(""))
    }
}

/// The configuration files for a build in `dir`: those of the folders above it, the nearest first,
/// and then the one in cargo's home folder.
pub fn files(dir: &Path) -> Vec<ConfigFile> {
    let folders = dir.ancestors().map(|folder| folder.join(".cargo"));
    let mut seen = BTreeSet::new();
    folders
        .chain(home())
        .filter(|folder| seen.insert(folder.clone()))
        .filter_map(|folder| {
            // Cargo prefers the old name if both exist.
            let names = ["config", "config.toml"].map(|name| folder.join(name));
            names.into_iter().find(|path| path.is_file())
        })
        .map(|path| {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string());
            let content = text.and_then(|text| text.parse().map_err(not_toml));
            ConfigFile { path, content }
        })
        .collect()
}

fn not_toml(error: toml_edit::TomlError) -> String {
    error.message().to_string()
}

/// Cargo's home folder.
pub fn home() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// The folders with vendored crates that take the place of crates.io.
pub fn vendored(dir: &Path) -> Vec<PathBuf> {
    let files = files(dir);
    let sources = files.iter().filter_map(|file| {
        let sources = file.get(&["source"])?.as_table_like()?;
        Some((file.base(), sources))
    });
    let folders = sources.flat_map(|(base, sources)| {
        let folders = sources
            .iter()
            .filter_map(|(_, source)| source.get("directory")?.as_str());
        folders.map(move |folder| base.join(folder))
    });
    folders.collect()
}

/// The folder of what is built for the learner's crate: that of `CARGO_TARGET_DIR`, of a
/// configuration file, or `target`.
pub fn target_dir(root: &Path) -> PathBuf {
    let variables = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];
    let variable = variables.into_iter().find_map(std::env::var_os);
    let configured = || {
        files(root).iter().find_map(|file| {
            let folder = file.get(&["build", "target-dir"])?.as_str()?;
            Some(file.base().join(folder))
        })
    };
    let chosen = variable.map(PathBuf::from).or_else(configured);
    root.join(chosen.unwrap_or_else(|| "target".into()))
}
