//! `claw sessions`: what is kept of a folder.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::archive::{self, NONE_YET, explained, find, short};
use super::out::print;
use super::place;
use super::printed::{as_lines, as_text};
use super::screen::one_line;
use crate::session::{HistoryError, SessionHistory};

/// How many messages a search shows.
const HITS: usize = 50;

/// What to show of the sessions.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct SessionsOptions {
    /// Only messages in which all these words stand
    pub words: Vec<String>,
    /// Show a session: the one whose id begins so, or the latest. Its messages have the
    /// numbers that a search gives
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with = "words")]
    pub show: Option<Option<String>>,
    /// Show it as JSON Lines, which `claw convert --from chat` reads
    #[arg(long, requires = "show")]
    pub jsonl: bool,
}

/// Lists the sessions of the current folder, or its messages with all of the words, or shows
/// one session.
pub fn run(options: &SessionsOptions) -> Result<ExitCode> {
    let folder = std::env::current_dir().context("the current folder is gone")?;
    let database = place::database_of(&folder)?;
    let history = match archive::is_there(&database)? {
        true => Some(archive::open(&database)?),
        false => None,
    };
    let text = match (&options.show, &history) {
        (Some(id), Some(history)) => show(history, &database, id.as_deref(), options.jsonl)?,
        (Some(_), None) => bail!(NONE_YET),
        (None, None) => none_yet(&folder),
        (None, Some(history)) => {
            list(history, &folder, &options.words).map_err(|error| explained(error, &database))?
        }
    };
    Ok(print(&text))
}

/// One session.
fn show(
    history: &SessionHistory,
    database: &Path,
    id: Option<&str>,
    jsonl: bool,
) -> Result<String> {
    let id = find(history, database, id)?;
    let session = history
        .load(&id)
        .map_err(|error| explained(error, database))?;
    match jsonl {
        true => Ok(as_lines(&session)?),
        false => Ok(as_text(&session)),
    }
}

/// All sessions, or the messages with all of these words.
fn list(history: &SessionHistory, folder: &Path, words: &[String]) -> Result<String, HistoryError> {
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
    let folder_name = folder.display();
    Ok(match rows.as_slice() {
        [] if words.is_empty() => none_yet(folder),
        [] => format!("Nothing of {folder_name} has these words.\n"),
        rows => format!(
            "Sessions of {folder_name} (times in UTC):\n{}\n",
            rows.join("\n")
        ),
    })
}

fn none_yet(folder: &Path) -> String {
    format!("No session of {} is kept yet.\n", folder.display())
}

/// So many messages, in words.
pub fn messages(count: usize) -> String {
    match count {
        1 => "1 message".to_string(),
        _ => format!("{count} messages"),
    }
}
