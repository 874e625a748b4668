//! Backups of overwritten files. Every command that changes a learner's files calls
//! [`overwrite`], so nothing that the learner typed is ever lost.
//!
//! A backup is a folder such as `.course/saves/0007` with the old contents. Its `save.json`,
//! which is written last, lists their paths. A folder without that file was interrupted before
//! anything was overwritten, and is ignored.
//!
//! While a command changes the runner's own sources, the file `.course/unfinished` holds the number
//! of its backup. If the command is killed, the launcher does not build the mixed sources, and the
//! next run [puts the old files back](finish).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::repo::{Repo, change, remove_temporary_files, write_atomically};

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
    /// The name of a copy of what the command wrote; `None` if it removed the file.
    #[serde(default)]
    pub written: Option<String>,
}

/// The result of an undo.
pub enum Undo {
    /// The files are restored.
    Done {
        /// The backup of the files before the undo; `None` if nothing had to change.
        now: Option<Backup>,
        /// The backup that was restored.
        back: Backup,
        /// The files in which text that was written since is kept.
        kept: Vec<PathBuf>,
    },
    /// Nothing was changed, because the undo would take back what was written since.
    Conflict {
        /// The backup.
        back: Backup,
        /// Its files in which the same lines were changed since, with these changes as a diff.
        changes: Vec<(PathBuf, String)>,
    },
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
/// files are backed up first.
///
/// What was written since the backup's command stays. If that is in the same lines, nothing is
/// changed, unless `all` asks to take it back, too.
pub fn undo(repo: &Repo, number: Option<u32>, all: bool) -> Result<Undo> {
    let back = chosen(repo, number)?;
    let mut changes = BTreeMap::new();
    let mut kept = Vec::new();
    let mut conflicts = Vec::new();
    for file in &back.files {
        let path = repo.root().join(&file.path);
        let old = copied(repo, &back, &file.copy)?;
        let written = copied(repo, &back, &file.written)?;
        let now = read_if_there(&path)?;
        let untouched = now == written || now == old;
        let merged = match (&written, &now, &old) {
            (Some(written), Some(now), Some(old)) if !untouched => merge(written, now, old),
            _ => None,
        };
        match merged {
            _ if untouched || all => drop(changes.insert(path, old)),
            Some(merged) => {
                kept.push(file.path.clone());
                changes.insert(path, Some(merged));
            }
            None => conflicts.push((file.path.clone(), diff(&written, &now))),
        }
    }
    if !conflicts.is_empty() {
        let changes = conflicts;
        return Ok(Undo::Conflict { back, changes });
    }
    let command = format!("undo of {}", back.command);
    let now = overwrite_as(repo, &command, &changes, Some(back.number))?;
    // Whatever the restored command had left undone is undone now.
    finished(repo)?;
    Ok(Undo::Done { now, back, kept })
}

/// Backup `number`, or the newest one that no undo has restored yet.
fn chosen(repo: &Repo, number: Option<u32>) -> Result<Backup> {
    let mut backups = list(repo)?;
    let Some(number) = number else {
        // An undo that was itself undone no longer counts.
        let mut undone = BTreeSet::new();
        for backup in backups.iter().rev() {
            if let Some(of) = backup.undo_of
                && !undone.contains(&backup.number)
            {
                undone.insert(of);
            }
        }
        backups.retain(|backup| backup.undo_of.is_none() && !undone.contains(&backup.number));
        return backups
            .pop()
            .ok_or_else(|| anyhow!("there is nothing to undo"));
    };
    let mut backups = backups.into_iter();
    backups
        .find(|backup| backup.number == number)
        .ok_or_else(|| {
            anyhow!("there is no backup {number}; `cargo course undo --list` lists them")
        })
}

/// The content of a copy in the folder of `backup`.
fn copied(repo: &Repo, backup: &Backup, copy: &Option<String>) -> Result<Option<Vec<u8>>> {
    let Some(copy) = copy else {
        return Ok(None);
    };
    let path = folder(repo, backup.number).join(copy);
    let read = fs::read(&path);
    Ok(Some(read.with_context(|| {
        format!("cannot read the copy {}", path.display())
    })?))
}

/// `old` with the changes that lead from `written` to `now`. `None` if they are in lines that
/// differ between `written` and `old`, or not in text.
fn merge(written: &[u8], now: &[u8], old: &[u8]) -> Option<Vec<u8>> {
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let merged = diffy::merge(text(written)?, text(now)?, text(old)?);
    Some(merged.ok()?.into_bytes())
}

fn diff(from: &Option<Vec<u8>>, to: &Option<Vec<u8>>) -> String {
    let text = |content: &Option<Vec<u8>>| {
        String::from_utf8_lossy(content.as_deref().unwrap_or_default()).into_owned()
    };
    diffy::create_patch(&text(from), &text(to)).to_string()
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
    for path in old.keys() {
        let is_read_only = fs::metadata(path).is_ok_and(|file| file.permissions().readonly());
        ensure!(
            !is_read_only,
            "{} is read-only, so nothing was changed; make it writable and run the command again",
            repo.relative(path)
        );
    }
    let backup = back_up(repo, command, &old, changes, undo_of)
        .context("your files could not be backed up, so nothing was changed")?;
    let runner = repo.root().join("course");
    let changes_runner = old.keys().any(|path| path.starts_with(&runner));
    if changes_runner {
        write_atomically(&unfinished(repo), backup.number.to_string().as_bytes())?;
    }
    for (done, (path, content)) in old.iter().enumerate() {
        let error = match change(path, content.as_deref(), changes[path].as_deref()) {
            Ok(true) => continue,
            Ok(false) => anyhow!(
                "another program saved {} meanwhile; run the command again",
                repo.relative(path)
            ),
            Err(error) => error,
        };
        let written = old.iter().take(done);
        return Err(put_back(repo, &backup, written, changes, error));
    }
    if changes_runner {
        finished(repo)?;
    }
    Ok(Some(backup))
}

/// Puts the files back that a killed command was replacing, and says so. Does nothing if no command
/// was killed.
pub fn finish(repo: &Repo) -> Result<Vec<String>> {
    if !unfinished(repo).exists() {
        return Ok(Vec::new());
    }
    // A command that is still at work removes the file before it unlocks.
    let _lock = repo.lock()?;
    let Ok(number) = fs::read_to_string(unfinished(repo)) else {
        return Ok(Vec::new());
    };
    let number = number.trim().parse().ok();
    let line = match undo(repo, number, false)? {
        Undo::Done { back, .. } => format!(
            "`cargo course {}` was interrupted, so its files are as they were before it.",
            back.command
        ),
        Undo::Conflict { back, .. } => bail!(
            "`cargo course {}` was interrupted, and you have edited files since that it had written; `cargo course undo {} --all` takes back both (your files are backed up first)",
            back.command,
            back.number
        ),
    };
    finished(repo)?;
    Ok(vec![line])
}

/// The backup that an undo has to restore to finish a killed command: that of the command, or the
/// one that a killed undo was restoring. `None` if no command was killed.
pub fn to_finish(repo: &Repo) -> Option<u32> {
    let number = fs::read_to_string(unfinished(repo)).ok()?;
    let number = number.trim().parse().ok()?;
    let mut backups = list(repo).ok()?.into_iter();
    let killed = backups.find(|backup| backup.number == number)?;
    Some(killed.undo_of.unwrap_or(number))
}

/// Notes that no command is at work on the runner's sources, and removes the temporary files of one
/// that was killed.
fn finished(repo: &Repo) -> Result<()> {
    if !unfinished(repo).exists() {
        return Ok(());
    }
    for folder in ["book", "course", "offline", "solutions", "src", "tests"] {
        let folder = repo.root().join(folder);
        if folder.is_dir() {
            remove_temporary_files(&folder)?;
        }
    }
    fs::remove_file(unfinished(repo)).context("cannot remove .course/unfinished")
}

fn unfinished(repo: &Repo) -> PathBuf {
    repo.state().join("unfinished")
}

/// Restores the files that were written before `error`, which is returned with an explanation.
fn put_back<'a>(
    repo: &Repo,
    backup: &Backup,
    mut written: impl Iterator<Item = (&'a PathBuf, &'a Option<Vec<u8>>)>,
    changes: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    error: Error,
) -> Error {
    let restored = written.try_for_each(|(path, old)| {
        change(path, changes[path].as_deref(), old.as_deref()).map(drop)
    });
    let folder = folder(repo, backup.number);
    match restored {
        Ok(()) => {
            // The files are as they were, so there is nothing to undo.
            let _ = fs::remove_file(folder.join("save.json"));
            let _ = finished(repo);
            error.context("nothing was changed")
        }
        Err(_) => error.context(format!(
            "your files are safe in {}; free some disk space, then `cargo course undo` restores them",
            folder.display()
        )),
    }
}

/// Copies the old and the new contents into a new folder. Writing `save.json` completes the
/// backup.
fn back_up(
    repo: &Repo,
    command: &str,
    old: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    new: &BTreeMap<PathBuf, Option<Vec<u8>>>,
    undo_of: Option<u32>,
) -> Result<Backup> {
    let number = new_folder(repo)?;
    let dir = folder(repo, number);
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
        let inside = path.strip_prefix(repo.root()).unwrap_or(path);
        files.push(BackedUpFile {
            path: inside.to_path_buf(),
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
