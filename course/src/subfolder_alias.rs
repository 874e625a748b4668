//! The aliases of `.cargo/config.toml` in the folders below the top one.
//!
//! Cargo reads the relative paths of an alias from the folder in which it is started, and the course's
//! aliases have such paths. A package of the workspace could be started from everywhere, but not while
//! the learner's `Cargo.toml` is broken, which is when `cargo course undo` is needed. So `src/` and
//! some other folders get a `.cargo/config.toml` with absolute paths, which git ignores.

use std::path::Path;

use anyhow::{Context, Result};
use toml_edit::{DocumentMut, Item, Table, value};

use crate::repo::{Repo, write_if_changed};

/// The folders in which a learner may start a command.
const FOLDERS: [&str; 4] = ["book", "solutions", "src", "tests"];

/// The options of cargo in the aliases that are followed by a path.
const PATH_OPTIONS: [&str; 2] = ["--manifest-path", "--target-dir"];

/// The first line of a file that this module wrote. A file without it is the learner's.
const MARK: &str =
    "# `cargo course` writes this file, so that it can be started in this folder, too.\n";

/// Writes the aliases for the place where the clone is now.
pub fn write(repo: &Repo) -> Result<()> {
    let config = repo.root().join(".cargo/config.toml");
    let Ok(text) = std::fs::read_to_string(&config) else {
        return Ok(());
    };
    let text = aliases(repo.root(), &text)?;
    for folder in FOLDERS.map(|name| repo.root().join(name)) {
        let file = folder.join(".cargo/config.toml");
        let is_theirs = std::fs::read_to_string(&file).is_ok_and(|old| !old.starts_with(MARK));
        if folder.is_dir() && !is_theirs {
            write_if_changed(&file, text.as_bytes())?;
        }
    }
    Ok(())
}

/// The configuration `text` of the folder `root`, reduced to the aliases with a path. Their paths
/// are absolute.
fn aliases(root: &Path, text: &str) -> Result<String> {
    let config: DocumentMut = text.parse().context("in .cargo/config.toml")?;
    let all = config.get("alias").and_then(Item::as_table);
    let mut aliases = Table::new();
    for (name, alias) in all.into_iter().flatten() {
        if let Some(alias) = with_absolute_paths(root, alias.as_str().unwrap_or_default()) {
            aliases.insert(name, value(alias));
        }
    }
    let mut config = DocumentMut::new();
    config.insert("alias", Item::Table(aliases));
    Ok(format!("{MARK}{config}"))
}

/// The arguments of an alias. `None` if it has no path, or if one cannot be written: an alias is
/// text whose arguments end at spaces. (A list of texts could have spaces. But cargo joins the lists
/// of two files, and needs both aliases to be of one kind.)
fn with_absolute_paths(root: &Path, alias: &str) -> Option<String> {
    let words: Vec<&str> = alias.split_whitespace().collect();
    let mut arguments = Vec::new();
    for (option, word) in std::iter::once(&"").chain(&words).zip(&words) {
        arguments.push(match PATH_OPTIONS.contains(option) {
            true => root.join(word).to_str()?.to_string(),
            false => word.to_string(),
        });
    }
    let has_path = words.iter().any(|word| PATH_OPTIONS.contains(word));
    let has_space = arguments.iter().any(|it| it.contains(char::is_whitespace));
    (has_path && !has_space).then(|| arguments.join(" "))
}
