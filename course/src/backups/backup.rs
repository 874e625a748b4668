//! A backup on disk: a folder with copies, and the list of their paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::repo::{Repo, write_atomically};

/// Contents of files. `None` is a file that does not exist.
pub type Changes = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The backup of one command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Backup {
    /// Its number, from 1, in the order of time.
    #[serde(skip)]
    pub number: u32,
    /// The arguments of the command that overwrote the files, such as `reset 1.3`. Without any, it
    /// was the watch screen.
    command: String,
    /// Its time, in seconds since 1970.
    pub at: u64,
    /// The files, in the order of their copies.
    pub files: Vec<BackedUpFile>,
    /// The folders that did not exist before the command, inner ones first. Their paths are as those
    /// of the files.
    #[serde(default)]
    folders: Vec<PathBuf>,
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
    /// The name of a copy of what the command wrote; `None` if it removed the file.
    #[serde(default)]
    pub written: Option<String>,
}

impl Backup {
    /// The command that overwrote the files, such as `cargo course reset 1.3`.
    pub fn command_line(&self) -> String {
        format!("cargo course {}", self.command)
            .trim_end()
            .to_string()
    }

    /// The files without the runner's own records, which are nobody's work.
    pub fn work(&self) -> impl Iterator<Item = &BackedUpFile> {
        let files = self.files.iter();
        files.filter(|file| !file.path.starts_with(".course"))
    }
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

/// The content of a copy in the folder of `backup`.
pub(super) fn copied(
    repo: &Repo,
    backup: &Backup,
    copy: &Option<String>,
) -> Result<Option<Vec<u8>>> {
    let Some(copy) = copy else {
        return Ok(None);
    };
    let path = folder(repo, backup.number).join(copy);
    let read = fs::read(&path);
    Ok(Some(read.with_context(|| {
        format!("cannot read the copy {}", path.display())
    })?))
}

/// Copies the old and the new contents into a new folder. Writing `save.json` completes the
/// backup.
pub(super) fn back_up(
    repo: &Repo,
    command: &str,
    old: &Changes,
    new: &Changes,
    undo_of: Option<u32>,
) -> Result<Backup> {
    let number = new_folder(repo)?;
    let dir = folder(repo, number);
    let inside = |path: &Path| path.strip_prefix(repo.root()).unwrap_or(path).to_path_buf();
    let folders = old.keys().flat_map(|path| path.ancestors().skip(1));
    let missing: BTreeSet<&Path> = folders.filter(|folder| !folder.exists()).collect();
    let mut files = Vec::new();
    let mut names = BTreeSet::new();
    for (path, content) in old {
        let mut name = repo.relative(path).replace(['/', ':'], "__");
        while !names.insert(name.clone()) {
            name.push('_');
        }
        let copy = |content: &Option<Vec<u8>>, name: String| -> Result<Option<String>> {
            let Some(content) = content else {
                return Ok(None);
            };
            write_atomically(&dir.join(&name), content)?;
            Ok(Some(name))
        };
        files.push(BackedUpFile {
            path: inside(path),
            written: copy(&new[path], format!("written/{name}"))?,
            copy: copy(content, name)?,
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
        folders: missing.into_iter().rev().map(inside).collect(),
        undo_of,
    };
    write_atomically(&dir.join("save.json"), &serde_json::to_vec_pretty(&backup)?)?;
    Ok(backup)
}

/// Removes the folders that the command of `backup` made and that are empty now.
pub(super) fn remove_empty_folders(repo: &Repo, backup: &Backup) {
    for folder in &backup.folders {
        // An error means that the folder is not empty or that it is gone.
        let _ = fs::remove_dir(repo.root().join(folder));
    }
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

/// The folder of backup `number`.
pub(super) fn folder(repo: &Repo, number: u32) -> PathBuf {
    repo.state().join("saves").join(format!("{number:04}"))
}
