//! `cargo course undo`: restores overwritten files.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;

use super::{Outcome, listed};
use crate::backups::{self, Backup, Undo};
use crate::messages::{NO_WRAP, Style};
use crate::open_chapter::open_chapter;
use crate::repo::Repo;

/// Restores the files of backup `number`, or of the last command that overwrote any. Keeps what
/// the learner has written since; with `all`, not in the files where some of it is in the same lines.
pub fn undo(repo: &Repo, style: &Style, number: Option<u32>, all: bool) -> Result<Outcome> {
    let _lock = repo.lock()?;
    let (now, back, kept) = match backups::undo(repo, number, all)? {
        Undo::Done { now, back, kept } => (now, back, kept),
        Undo::Conflict { back, changes } => {
            return Ok(Outcome {
                lines: conflict(style, &back, &changes),
                red: true,
            });
        }
    };
    let mut lines = vec![format!("Undid `{}`:", back.command_line())];
    lines.extend(listed(&back, |file| {
        let path = file.path.display();
        match file.copy {
            _ if kept.contains(&file.path) => {
                format!("restored {path}, and kept what you have written in it since")
            }
            Some(_) => format!("restored {path}"),
            None => format!("removed {path}"),
        }
    }));
    lines.push(match now {
        Some(backup) => style.dim(&format!(
            "The files before this undo are backup {0}. `cargo course undo {0}` restores them.",
            backup.number
        )),
        None => style.dim("They had that content already."),
    });
    let reopened = back
        .files
        .iter()
        .any(|file| file.path.ends_with("Cargo.toml"));
    if reopened {
        let manifest = std::fs::read_to_string(repo.cargo_toml()).unwrap_or_default();
        if let Ok(open) = open_chapter(&manifest) {
            lines.push(style.dim(&format!("The newest open chapter is {open}.")));
        }
    }
    Ok(lines.into())
}

/// What an undo of `back` would take back.
fn conflict(style: &Style, back: &Backup, changes: &[(PathBuf, String)]) -> Vec<String> {
    let mut lines = vec![format!(
        "Nothing was changed: since `{}`, you have edited the lines that it wrote. Undo would take back these edits:",
        back.command_line()
    )];
    for (path, diff) in changes {
        lines.push(style.bold(&format!("  {}", path.display())));
        // Without the header, which names no file.
        let shown = diff
            .lines()
            .skip(2)
            .map(|line| format!("{NO_WRAP}    {line}"));
        lines.extend(shown);
    }
    lines.push(format!(
        "`cargo course undo {} --all` takes them back, too. They are backed up first.",
        back.number
    ));
    lines
}

/// The list of backups, newest first.
pub fn undo_list(repo: &Repo, style: &Style) -> Result<Outcome> {
    let backups = backups::list(repo)?;
    if backups.is_empty() {
        return Ok(vec!["Nothing has been overwritten yet.".to_string()].into());
    }
    let mut lines: Vec<String> = backups.iter().rev().map(line).collect();
    lines.push(style.dim("`cargo course undo K` restores backup K."));
    Ok(lines.into())
}

fn line(backup: &Backup) -> String {
    let files = backup.work().map(|file| file.path.display().to_string());
    let files: Vec<String> = files.collect();
    let files = match files.len() {
        ..=20 => files.join(", "),
        many => format!("{many} files"),
    };
    format!(
        "{:>4}  {:<14}  before `{}`: {}",
        backup.number,
        age(backup.at),
        backup.command_line(),
        files
    )
}

fn age(at: u64) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (count, unit) = match now.saturating_sub(at) {
        seconds @ 0..60 => (seconds, "second"),
        seconds @ 60..3600 => (seconds / 60, "minute"),
        seconds @ 3600..86_400 => (seconds / 3600, "hour"),
        seconds => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}
