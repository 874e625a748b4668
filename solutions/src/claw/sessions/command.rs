//! `claw sessions`: lists the sessions of a folder, searches them, or shows one.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::session_store::{self, NO_SESSIONS, explain, find, short_id};
use super::session_text::{message_count, to_json_lines, to_text};
use crate::claw::data_dir::database_for;
use crate::claw::output::print;
use crate::claw::safe_text::one_line;
use crate::plan::without_notice;
use crate::session::{HistoryError, SessionHistory};

/// The most messages that a search lists.
const MAX_HITS: usize = 50;

/// The arguments of `claw sessions`.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct SessionsOptions {
    /// List the messages that contain all these words
    pub words: Vec<String>,
    /// Show the session whose id begins with ID, or the latest. Its messages have the same
    /// numbers as in a search
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with = "words")]
    pub show: Option<Option<String>>,
    /// Show the session as JSON Lines, which `claw convert --from chat` reads
    #[arg(long, requires = "show")]
    pub jsonl: bool,
}

/// Lists the sessions of the current folder, or those of its messages that contain all the
/// words, or shows one session.
pub fn run(options: &SessionsOptions) -> Result<ExitCode> {
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let database = database_for(&folder)?;
    let history = match session_store::exists(&database)? {
        true => Some(session_store::open(&database)?),
        false => None,
    };
    let text = match (&options.show, &history) {
        (Some(id), Some(history)) => show(history, &database, id.as_deref(), options.jsonl)?,
        (Some(_), None) => bail!(NO_SESSIONS),
        (None, None) => no_sessions(&folder),
        (None, Some(history)) => {
            list(history, &folder, &options.words).map_err(|error| explain(error, &database))?
        }
    };
    Ok(print(&text))
}

fn show(
    history: &SessionHistory,
    database: &Path,
    id_prefix: Option<&str>,
    jsonl: bool,
) -> Result<String> {
    let id = find(history, database, id_prefix)?;
    let session = history
        .load(&id)
        .map_err(|error| explain(error, database))?;
    match jsonl {
        true => Ok(to_json_lines(&session)?),
        false => Ok(to_text(&session)),
    }
}

/// A row for each session; with words, a row for each message that contains all of them.
fn list(history: &SessionHistory, folder: &Path, words: &[String]) -> Result<String, HistoryError> {
    let rows: Vec<String> = match words {
        [] => history
            .list()?
            .iter()
            .map(|it| {
                let opening = it.opening.as_deref().unwrap_or_default();
                let opening = one_line(without_notice(opening));
                let start = it.started_at.format("%Y-%m-%d %H:%M");
                let count = message_count(it.messages);
                format!(
                    "{}  {start}  {count:>13}  {opening}",
                    short_id(&it.session_id)
                )
            })
            .collect(),
        words => history
            .search(&words.join(" "), MAX_HITS)?
            .iter()
            .map(|hit| {
                let snippet = one_line(&hit.snippet);
                let number = hit.position + 1;
                format!(
                    "{}  message {number:4}  {snippet}",
                    short_id(&hit.session_id)
                )
            })
            .collect(),
    };
    let folder_name = folder.display();
    Ok(match rows.as_slice() {
        [] if words.is_empty() => no_sessions(folder),
        [] => format!("No message of {folder_name} contains these words.\n"),
        rows => format!(
            "Sessions of {folder_name} (times in UTC):\n{}\n",
            rows.join("\n")
        ),
    })
}

fn no_sessions(folder: &Path) -> String {
    format!("No sessions of {} yet.\n", folder.display())
}
