//! Copies of what was overwritten. Every command that changes a learner's file goes
//! through [`overwrite`], so nothing typed is ever lost.
//!
//! A save is a folder `.course/saves/0007` with the old contents and, written last,
//! `save.json`, which says where they belong. A folder without it was interrupted
//! before anything was overwritten, and is passed over.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::repo::{Repo, write_atomically};

/// What was kept when something was overwritten.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Save {
    /// From 1, in the order of time.
    #[serde(skip)]
    pub number: u32,
    /// The command that overwrote, such as `reset 1.3`.
    pub command: String,
    /// When, in seconds since 1970.
    pub at: u64,
    /// The files, in the order of their copies.
    pub files: Vec<SavedFile>,
    /// The save that this one, made by an undo, has put back.
    #[serde(default)]
    pub undo_of: Option<u32>,
}

/// One file of a save.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedFile {
    /// Where it belongs: inside the repository, or absolute.
    pub path: PathBuf,
    /// Its copy inside the save; `None` where there was no file before.
    pub copy: Option<String>,
}

/// Gives each file its new content (`None` removes it), after a copy of the old ones
/// is safely on disk. Returns `None` when nothing would change.
///
/// On an error everything is as it was, or the error says where the copies lie.
pub fn overwrite(
    repo: &Repo,
    command: &str,
    changes: &BTreeMap<PathBuf, Option<Vec<u8>>>,
) -> Result<Option<Save>> {
    overwrite_as(repo, command, changes, None)
}

/// Puts back what save `number` kept, or the newest one that no undo has put back
/// yet. What is there now is saved first. Returns that save and the one put back.
pub fn undo(repo: &Repo, number: Option<u32>) -> Result<(Option<Save>, Save)> {
    let saves = list(repo)?;
    let chosen = match number {
        Some(number) => saves
            .iter()
            .find(|save| save.number == number)
            .ok_or_else(|| {
                anyhow!("there is no save {number}; `cargo course undo --list` shows what there is")
            })?,
        None => {
            // An undo counts until it is undone itself.
            let mut undone = BTreeSet::new();
            for save in saves.iter().rev() {
                if let Some(of) = save.undo_of
                    && !undone.contains(&save.number)
                {
                    undone.insert(of);
                }
            }
            saves
                .iter()
                .rev()
                .find(|save| save.undo_of.is_none() && !undone.contains(&save.number))
                .ok_or_else(|| anyhow!("there is nothing to undo"))?
        }
    };
    let mut changes = BTreeMap::new();
    for file in &chosen.files {
        let content = match &file.copy {
            Some(copy) => {
                let copy = folder(repo, chosen.number).join(copy);
                let read = fs::read(&copy);
                Some(read.with_context(|| format!("cannot read the copy {}", copy.display()))?)
            }
            None => None,
        };
        changes.insert(repo.root().join(&file.path), content);
    }
    let command = format!("undo of {}", chosen.command);
    let now = overwrite_as(repo, &command, &changes, Some(chosen.number))?;
    Ok((now, chosen.clone()))
}

/// Every complete save, oldest first.
pub fn list(repo: &Repo) -> Result<Vec<Save>> {
    let dir = repo.state().join("saves");
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", dir.display())),
    };
    let mut saves = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let Ok(json) = fs::read(folder(repo, number).join("save.json")) else {
            continue;
        };
        let mut save: Save = serde_json::from_slice(&json)
            .with_context(|| format!("save {number} in {} is damaged", dir.display()))?;
        save.number = number;
        saves.push(save);
    }
    saves.sort_by_key(|save| save.number);
    Ok(saves)
}

fn overwrite_as(
    repo: &Repo,
    command: &str,
    changes: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    undo_of: Option<u32>,
) -> Result<Option<Save>> {
    let mut old = BTreeMap::new();
    for (path, new) in changes {
        let now = read_if_there(path)?;
        if now != *new {
            old.insert(path.clone(), now);
        }
    }
    if old.is_empty() {
        return Ok(None);
    }
    let save = keep(repo, command, &old, undo_of)
        .context("your files could not be saved first, so nothing was changed")?;
    for (done, path) in old.keys().enumerate() {
        if let Err(error) = put(path, changes[path].as_deref()) {
            let restored = old
                .iter()
                .take(done)
                .try_for_each(|(path, content)| put(path, content.as_deref()));
            let folder = folder(repo, save.number);
            return Err(match restored {
                Ok(()) => error.context("nothing was changed"),
                Err(_) => error.context(format!(
                    "your files are safe in {}; `cargo course undo` puts them back once there is room",
                    folder.display()
                )),
            });
        }
    }
    Ok(Some(save))
}

/// Copies the old contents into a new folder. Its last step makes the save count.
fn keep(
    repo: &Repo,
    command: &str,
    old: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    undo_of: Option<u32>,
) -> Result<Save> {
    let number = new_folder(repo)?;
    let dir = folder(repo, number);
    let mut files = Vec::new();
    for (path, content) in old {
        let copy = match content {
            Some(content) => {
                let mut copy = repo.relative(path).replace(['/', ':'], "__");
                while files
                    .iter()
                    .any(|file: &SavedFile| file.copy.as_ref() == Some(&copy))
                {
                    copy.push('_');
                }
                write_atomically(&dir.join(&copy), content)?;
                Some(copy)
            }
            None => None,
        };
        let inside = path.strip_prefix(repo.root()).unwrap_or(path);
        files.push(SavedFile {
            path: inside.to_path_buf(),
            copy,
        });
    }
    let at = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let save = Save {
        number,
        command: command.to_string(),
        at,
        files,
        undo_of,
    };
    write_atomically(&dir.join("save.json"), &serde_json::to_vec_pretty(&save)?)?;
    Ok(save)
}

/// Makes the next folder; two commands at once get two.
fn new_folder(repo: &Repo) -> Result<u32> {
    let saves = repo.state().join("saves");
    fs::create_dir_all(&saves).with_context(|| format!("cannot make {}", saves.display()))?;
    let mut newest = 0;
    for entry in fs::read_dir(&saves)? {
        let name = entry?.file_name();
        newest = newest.max(name.to_str().and_then(|n| n.parse().ok()).unwrap_or(0));
    }
    for number in newest + 1.. {
        match fs::create_dir(folder(repo, number)) {
            Ok(()) => return Ok(number),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).context("cannot make a folder for the save"),
        }
    }
    bail!("there is no number left for another save")
}

fn folder(repo: &Repo, number: u32) -> PathBuf {
    repo.state().join("saves").join(format!("{number:04}"))
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn put(path: &Path, content: Option<&[u8]>) -> Result<()> {
    match content {
        Some(content) => write_atomically(path, content),
        None => match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        },
    }
}
