//! What to do after a command was killed.

use std::fs;

use anyhow::{Result, bail};

use super::backup::list;
use super::undo::{Undo, undo};
use super::unfinished::{self, finished};
use crate::repo::Repo;

/// Puts the files back that a killed command was replacing, and says so. Does nothing if no command
/// was killed.
pub fn finish(repo: &Repo) -> Result<Vec<String>> {
    if !unfinished::path(repo).exists() {
        return Ok(Vec::new());
    }
    // A command that is still at work removes the file before it unlocks.
    let _lock = repo.lock()?;
    let Ok(number) = fs::read_to_string(unfinished::path(repo)) else {
        return Ok(Vec::new());
    };
    let number = number.trim().parse().ok();
    let line = match undo(repo, number, false)? {
        Undo::Done { back, .. } => format!(
            "`{}` was interrupted, so its files are as they were before it.",
            back.command_line()
        ),
        Undo::Conflict { back, .. } => bail!(
            "`{}` was interrupted, and you have edited files since that it had written; `cargo course undo {} --all` takes back both (your files are backed up first)",
            back.command_line(),
            back.number
        ),
    };
    finished(repo)?;
    Ok(vec![line])
}

/// The backup that an undo has to restore to finish a killed command: that of the command, or the
/// one that a killed undo was restoring. `None` if no command was killed.
pub fn to_finish(repo: &Repo) -> Option<u32> {
    let number = fs::read_to_string(unfinished::path(repo)).ok()?;
    let number = number.trim().parse().ok()?;
    let mut backups = list(repo).ok()?.into_iter();
    let killed = backups.find(|backup| backup.number == number)?;
    Some(killed.undo_of.unwrap_or(number))
}
