//! Backups of overwritten files. Every command that changes a learner's files calls
//! [`overwrite`], so nothing that the learner typed is ever lost.
//!
//! A backup is a folder such as `.course/saves/0007` with the old contents. Its `save.json`,
//! which is written last, lists their paths. A folder without that file was interrupted before
//! anything was overwritten, and is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::repo::{Repo, write_atomically};

/// The backup of one command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Backup {
    /// Its number, from 1, in the order of time.
    #[serde(skip)]
    pub number: u32,
    /// The command that overwrote the files, such as `reset 1.3`.
    pub command: String,
    /// Its time, in seconds since 1970.
    pub at: u64,
    /// The files, in the order of their copies.
    pub files: Vec<BackedUpFile>,
    /// The backup that this one's command, an undo, restored.
    #[serde(default)]
    pub undo_of: Option<u32>,
}

/// One file of a backup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BackedUpFile {
    /// Its path, relative to the repository or absolute.
    pub path: PathBuf,
    /// The name of the copy in the backup's folder; `None` if the file did not exist.
    pub copy: Option<String>,
}

/// Writes each file's new content (`None` deletes the file) after a backup of the old contents
/// is on disk. Returns `None` if nothing would change.
///
/// After an error either nothing has changed, or the error names the folder of the backup.
pub fn overwrite(
    repo: &Repo,
    command: &str,
    changes: &BTreeMap<PathBuf, Option<Vec<u8>>>,
) -> Result<Option<Backup>> {
    overwrite_as(repo, command, changes, None)
}

/// Restores backup `number`, or the newest one that no undo has restored yet. The current
/// files are backed up first. Returns that new backup and the restored one.
pub fn undo(repo: &Repo, number: Option<u32>) -> Result<(Option<Backup>, Backup)> {
    let backups = list(repo)?;
    let chosen = match number {
        Some(number) => backups
            .iter()
            .find(|backup| backup.number == number)
            .ok_or_else(|| {
                anyhow!("there is no backup {number}; `cargo course undo --list` lists them")
            })?,
        None => {
            // An undo that was itself undone no longer counts.
            let mut undone = BTreeSet::new();
            for backup in backups.iter().rev() {
                if let Some(of) = backup.undo_of
                    && !undone.contains(&backup.number)
                {
                    undone.insert(of);
                }
            }
            backups
                .iter()
                .rev()
                .find(|backup| backup.undo_of.is_none() && !undone.contains(&backup.number))
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

/// Every complete backup, oldest first.
pub fn list(repo: &Repo) -> Result<Vec<Backup>> {
    let dir = repo.state().join("saves");
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", dir.display())),
    };
    let mut backups = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let Ok(json) = fs::read(folder(repo, number).join("save.json")) else {
            continue;
        };
        let mut backup: Backup = serde_json::from_slice(&json)
            .with_context(|| format!("backup {number} in {} is damaged", dir.display()))?;
        backup.number = number;
        backups.push(backup);
    }
    backups.sort_by_key(|backup| backup.number);
    Ok(backups)
}

fn overwrite_as(
    repo: &Repo,
    command: &str,
    changes: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    undo_of: Option<u32>,
) -> Result<Option<Backup>> {
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
    let backup = back_up(repo, command, &old, undo_of)
        .context("your files could not be backed up, so nothing was changed")?;
    for (done, path) in old.keys().enumerate() {
        if let Err(error) = put(path, changes[path].as_deref()) {
            let restored = old
                .iter()
                .take(done)
                .try_for_each(|(path, content)| put(path, content.as_deref()));
            let folder = folder(repo, backup.number);
            return Err(match restored {
                Ok(()) => error.context("nothing was changed"),
                Err(_) => error.context(format!(
                    "your files are safe in {}; free some disk space, then `cargo course undo` restores them",
                    folder.display()
                )),
            });
        }
    }
    Ok(Some(backup))
}

/// Copies the old contents into a new folder. Writing `save.json` completes the backup.
fn back_up(
    repo: &Repo,
    command: &str,
    old: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    undo_of: Option<u32>,
) -> Result<Backup> {
    let number = new_folder(repo)?;
    let dir = folder(repo, number);
    let mut files = Vec::new();
    for (path, content) in old {
        let copy = match content {
            Some(content) => {
                let mut copy = repo.relative(path).replace(['/', ':'], "__");
                while files
                    .iter()
                    .any(|file: &BackedUpFile| file.copy.as_ref() == Some(&copy))
                {
                    copy.push('_');
                }
                write_atomically(&dir.join(&copy), content)?;
                Some(copy)
            }
            None => None,
        };
        let inside = path.strip_prefix(repo.root()).unwrap_or(path);
        files.push(BackedUpFile {
            path: inside.to_path_buf(),
            copy,
        });
    }
    let at = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let backup = Backup {
        number,
        command: command.to_string(),
        at,
        files,
        undo_of,
    };
    write_atomically(&dir.join("save.json"), &serde_json::to_vec_pretty(&backup)?)?;
    Ok(backup)
}

/// Makes the next folder. Two commands at the same time get two.
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
            Err(error) => return Err(error).context("cannot make a folder for the backup"),
        }
    }
    bail!("there is no number left for another backup")
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
