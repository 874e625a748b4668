//! Listing sessions.

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::rows::parse_time;
use super::{HistoryError, SessionHistory};
use crate::chat::{ChatMessage, Role};

/// A session as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The id of the session.
    pub session_id: String,
    /// The name of the model that the session began with.
    pub model: String,
    /// When the session began.
    pub started_at: DateTime<Utc>,
    /// The number of messages.
    pub messages: usize,
    /// The text of the user's first message. `None` if there is no such message, if it has
    /// no text, or if it or a message before it cannot be read.
    pub opening: Option<String>,
}

impl SessionHistory {
    /// All sessions, as they are in one snapshot. The one with the newest message comes first. Sessions without messages come
    /// last, the most recently stored first. A damaged message hides no session. A
    /// damaged time is [`Corrupt`](HistoryError::Corrupt).
    pub fn list(&self) -> Result<Vec<Summary>, HistoryError> {
        todo!("session-list: write SessionHistory::list")
    }

    /// The session ids that begin with `prefix`, in alphabetical order. No character has a
    /// special meaning, and case matters. Only ids are read, so damage elsewhere hides none.
    pub fn ids(&self, prefix: &str) -> Result<Vec<String>, HistoryError> {
        todo!("session-list: write SessionHistory::ids")
    }
}

/// The text of the user's first message in the session of row `session`. If the message has raw
/// blocks, their text counts; an empty text is a text. `None` if there is no such message, or if a
/// message before it cannot be read, since its sender is unknown. A missing message is not noticed
/// here; [`load`](SessionHistory::load) reports it.
fn opening_text(connection: &Connection, session: i64) -> Result<Option<String>, HistoryError> {
    todo!("session-list: write opening_text")
}
