//! `claw sessions`: what is kept of a folder.

use anyhow::{Context, Result};

use super::keep::short;
use super::place;
use super::screen::one_line;
use crate::session::SessionHistory;

/// How many messages a search shows.
const HITS: usize = 50;

/// Lists the sessions of the current folder, or its messages with all of these words.
pub fn list(words: &[String]) -> Result<()> {
    let folder = std::env::current_dir().context("the current folder is gone")?;
    let database = place::database_of(&folder)?;
    let folder = folder.display();
    if !database.exists() {
        println!("No session of {folder} is kept yet.");
        return Ok(());
    }
    let history = SessionHistory::open(&database)
        .with_context(|| format!("cannot read {}", database.display()))?;
    let rows: Vec<String> = match words {
        [] => history
            .list()?
            .iter()
            .map(|it| {
                let opening = it.opening.as_deref().map(one_line).unwrap_or_default();
                let when = it.started_at.format("%Y-%m-%d %H:%M");
                let count = messages(it.messages);
                format!("{}  {when}  {count:>13}  {opening}", short(&it.session_id))
            })
            .collect(),
        words => history
            .search(&words.join(" "), HITS)?
            .iter()
            .map(|hit| {
                let snippet = one_line(&hit.snippet);
                let number = hit.position + 1;
                format!("{}  message {number:4}  {snippet}", short(&hit.session_id))
            })
            .collect(),
    };
    match rows.as_slice() {
        [] if words.is_empty() => println!("No session of {folder} is kept yet."),
        [] => println!("Nothing of {folder} has these words."),
        rows => println!("Sessions of {folder} (times in UTC):\n{}", rows.join("\n")),
    }
    Ok(())
}

/// So many messages, in words.
pub fn messages(count: usize) -> String {
    match count {
        1 => "1 message".to_string(),
        _ => format!("{count} messages"),
    }
}
