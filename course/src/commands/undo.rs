//! `cargo course undo`: what was overwritten comes back.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;

use super::Outcome;
use crate::progress::open_chapter;
use crate::repo::Repo;
use crate::saves::{self, Save};
use crate::view::Style;

/// Puts back the files of save `number`, or of the last command that overwrote any.
pub fn undo(repo: &Repo, style: &Style, number: Option<u32>) -> Result<Outcome> {
    let (now, back) = saves::undo(repo, number)?;
    let mut lines = vec![format!("Undid `cargo course {}`:", back.command)];
    lines.extend(back.files.iter().map(|file| match file.copy {
        Some(_) => format!("  restored {}", file.path.display()),
        None => format!("  removed {}", file.path.display()),
    }));
    lines.push(match now {
        Some(save) => style.dim(&format!(
            "What stood there until now is save {0}; `cargo course undo {0}` brings it back.",
            save.number
        )),
        None => style.dim("They were like that already."),
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

/// Every save, newest first.
pub fn undo_list(repo: &Repo, style: &Style) -> Result<Outcome> {
    let saves = saves::list(repo)?;
    if saves.is_empty() {
        return Ok(vec!["Nothing was overwritten so far.".to_string()].into());
    }
    let mut lines: Vec<String> = saves.iter().rev().map(line).collect();
    lines.push(style.dim("`cargo course undo K` puts back the files of save K."));
    Ok(lines.into())
}

fn line(save: &Save) -> String {
    let files: Vec<String> = save
        .files
        .iter()
        .map(|file| file.path.display().to_string())
        .collect();
    format!(
        "{:>4}  {:<14}  before `{}`: {}",
        save.number,
        age(save.at),
        save.command,
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
