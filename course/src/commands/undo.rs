//! `cargo course undo`: restores overwritten files.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;

use super::Outcome;
use crate::backups::{self, Backup};
use crate::messages::Style;
use crate::open_chapter::open_chapter;
use crate::repo::Repo;

/// Restores the files of backup `number`, or of the last command that overwrote any.
pub fn undo(repo: &Repo, style: &Style, number: Option<u32>) -> Result<Outcome> {
    let (now, back) = backups::undo(repo, number)?;
    let mut lines = vec![format!("Undid `cargo course {}`:", back.command)];
    lines.extend(back.files.iter().map(|file| match file.copy {
        Some(_) => format!("  restored {}", file.path.display()),
        None => format!("  removed {}", file.path.display()),
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
    let files: Vec<String> = backup
        .files
        .iter()
        .map(|file| file.path.display().to_string())
        .collect();
    format!(
        "{:>4}  {:<14}  before `{}`: {}",
        backup.number,
        age(backup.at),
        backup.command,
        files.join(", ")
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
