//! Restores the files of a backup.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Result, anyhow};

use super::backup::{Backup, copied, list, remove_empty_folders};
use super::overwrite::{overwrite_as, read_if_there};
use super::unfinished::finished;
use crate::learning_path::LearningPath;
use crate::repo::Repo;

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

/// Restores backup `number`, or the newest one that no undo has restored yet. The current
/// files are backed up first.
///
/// The folders that the backup's command made go if they are empty then. What was written since the
/// backup's command stays. If some of it is in the same lines, nothing is changed, unless `all` asks
/// to take back everything that was written since in the files with such lines.
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
        if !untouched && LearningPath::is_file(repo, &path) {
            let restored = LearningPath::undone(&old, &written, &now)?;
            changes.insert(path, Some(restored));
            continue;
        }
        let merged = match (&written, &now, &old) {
            (Some(written), Some(now), Some(old)) if !untouched => merge(written, now, old),
            _ => None,
        };
        match merged {
            _ if untouched => drop(changes.insert(path, old)),
            Some(merged) => {
                kept.push(file.path.clone());
                changes.insert(path, Some(merged));
            }
            None if all => drop(changes.insert(path, old)),
            None => conflicts.push((file.path.clone(), diff(&written, &now))),
        }
    }
    if !conflicts.is_empty() {
        let changes = conflicts;
        return Ok(Undo::Conflict { back, changes });
    }
    let command = format!("undo {}", back.number);
    let now = overwrite_as(repo, &command, &changes, Some(back.number))?;
    // Whatever the restored command had left undone is undone now.
    finished(repo)?;
    remove_empty_folders(repo, &back);
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
