//! The rows of the tables `sessions` and `messages`: how they are written and read.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::{Connection, OptionalExtension, Row};

use super::jsonl::readable_json;
use super::{HistoryError, Session};
use crate::chat::{ChatMessage, Role};

/// The row of the session with this id, as the number in `sessions.id`.
pub(super) fn row_id(
    connection: &Connection,
    session_id: &str,
) -> Result<Option<i64>, HistoryError> {
    let query = "SELECT id FROM sessions WHERE session_id = ?1";
    let mut statement = connection.prepare_cached(query)?;
    let row = statement.query_row([session_id], |row| row.get(0));
    Ok(row.optional()?)
}

/// Inserts the row of a session, without its messages, and returns the row's number.
pub(super) fn insert_session(
    connection: &Connection,
    session: &Session,
) -> Result<i64, HistoryError> {
    let usage = session.usage.as_ref().map(serde_json::to_string);
    let usage = usage.transpose().map_err(HistoryError::Unwritable)?;
    connection.execute(
        "INSERT INTO sessions (session_id, agent_name, model, started_at, ended_at, usage)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            &session.session_id,
            &session.agent_name,
            &session.model,
            format_time(session.started_at),
            session.ended_at.map(format_time),
            usage,
        ),
    )?;
    Ok(connection.last_insert_rowid())
}

/// Inserts messages into the session of row `session`. The first gets this position, and each
/// of the others the next one. A message that could not be read again is
/// [`Unwritable`](HistoryError::Unwritable).
pub(super) fn insert_messages(
    connection: &Connection,
    session: i64,
    position: usize,
    messages: &[ChatMessage],
) -> Result<(), HistoryError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO messages (session, position, message, words) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (position, message) in (position as i64..).zip(messages) {
        let json = readable_json(message).map_err(HistoryError::Unwritable)?;
        statement.execute((session, position, json, searchable_text(message)))?;
    }
    Ok(())
}

/// The number of messages in the session of row `session`. It reads one entry of the index
/// and does not count rows.
pub(super) fn count_messages(connection: &Connection, session: i64) -> Result<usize, HistoryError> {
    let query = "SELECT coalesce(max(position) + 1, 0) FROM messages WHERE session = ?1";
    let mut statement = connection.prepare_cached(query)?;
    let count: i64 = statement.query_row([session], |row| row.get(0))?;
    Ok(count as usize)
}

/// The text in which a search looks for a message: its text, its reasoning, and the name and
/// the arguments of each call, joined with newlines. If a message has raw blocks, their
/// content counts, including the text of results, and the other fields do not.
pub fn searchable_text(message: &ChatMessage) -> String {
    let flat = match message.raw_content_blocks.as_deref() {
        None | Some([]) => Cow::Borrowed(message),
        // Only the flat fields of a `Tool` message include the text of results.
        Some(blocks) => Cow::Owned(ChatMessage::from_blocks(Role::Tool, blocks.to_vec())),
    };
    let calls = flat.tool_calls.iter().flatten();
    let calls = calls.flat_map(|call| [&call.function.name, &call.function.arguments]);
    let texts = flat.content.iter().chain(&flat.reasoning).chain(calls);
    texts.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Reads a session with all its messages, in the caller's transaction. The errors are those of
/// [`load`](super::SessionHistory::load).
pub(super) fn read_session(
    connection: &Connection,
    session_id: &str,
) -> Result<Session, HistoryError> {
    let Some(row) = row_id(connection, session_id)? else {
        return Err(HistoryError::NotFound(session_id.into()));
    };
    let mut session = load_session(connection, row)?;
    let query = "SELECT position, message FROM messages WHERE session = ?1 ORDER BY position";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([row])?;
    while let Some(row) = rows.next()? {
        let position = session.messages.len();
        if row.get::<_, i64>(0)? != position as i64 {
            return Err(missing_message(session_id, position));
        }
        let message = message_from(row, session_id, position)?;
        session.messages.push(message);
    }
    Ok(session)
}

/// Reads the row of a session. The session has no messages yet.
fn load_session(connection: &Connection, row: i64) -> Result<Session, HistoryError> {
    let query = "SELECT session_id, agent_name, model, started_at, ended_at, usage
         FROM sessions WHERE id = ?1";
    connection.query_row(query, [row], |row| Ok(session_from(row)))?
}

fn session_from(row: &Row) -> Result<Session, HistoryError> {
    let started_at: String = row.get(3)?;
    let ended_at: Option<String> = row.get(4)?;
    let usage: Option<String> = row.get(5)?;
    let usage = usage.map(|usage| serde_json::from_str(&usage)).transpose();
    Ok(Session {
        session_id: row.get(0)?,
        agent_name: row.get(1)?,
        model: row.get(2)?,
        messages: Vec::new(),
        started_at: parse_time(&started_at)?,
        ended_at: ended_at.as_deref().map(parse_time).transpose()?,
        usage: usage
            .map_err(|error| HistoryError::Corrupt(format!("a session's usage: {error}")))?,
    })
}

/// Reads the message in column 1 of `row`. The error names the session and the position.
fn message_from(row: &Row, session_id: &str, position: usize) -> Result<ChatMessage, HistoryError> {
    // As bytes, since a damaged text may not be UTF-8.
    let json = row.get_ref(1)?.as_bytes().unwrap_or_default();
    serde_json::from_slice(json).map_err(|error| {
        let damage = format!("message {position} of session {session_id}: {error}");
        HistoryError::Corrupt(damage)
    })
}

/// The error for a session that has no message at this position, but has later ones.
fn missing_message(session_id: &str, position: usize) -> HistoryError {
    HistoryError::Corrupt(format!(
        "message {position} of session {session_id} is missing"
    ))
}

/// A time as a column stores it: RFC 3339 in UTC, to the last digit that is not zero.
pub(super) fn format_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Reads what [`format_time`] has written.
pub(super) fn parse_time(text: &str) -> Result<DateTime<Utc>, HistoryError> {
    let time = text.parse();
    time.map_err(|error| HistoryError::Corrupt(format!("the time {text:?}: {error}")))
}
