//! Which sessions there are.

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::history::time;
use super::{HistoryError, SessionHistory};
use crate::chat::{ChatMessage, Role};

/// What a list shows of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The session.
    pub session_id: String,
    /// The model that it began with.
    pub model: String,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How many messages it has.
    pub messages: usize,
    /// The text of the user's first message. `None` if there is none, or it has no text, or
    /// a message up to there cannot be read.
    pub opening: Option<String>,
}

impl SessionHistory {
    /// All sessions: the one with the newest message first, those without messages last,
    /// and of equals the one that was stored last. A damaged message hides no session.
    pub fn list(&self) -> Result<Vec<Summary>, HistoryError> {
        todo!("20.10: write SessionHistory::list")
    }

    /// The ids that begin with `start`, letter by letter, in alphabetical order. Nothing but
    /// ids is read, so damage elsewhere hides none.
    pub fn ids(&self, start: &str) -> Result<Vec<String>, HistoryError> {
        todo!("20.10: write SessionHistory::ids")
    }
}

/// The text of the first message of the user's. Where there are raw blocks, it is what they
/// say that counts; an empty text is a text. `None` as well if a message up to there cannot be
/// read: nobody knows who sent that one. Of a message that is missing nothing is noticed
/// here: [`load`](SessionHistory::load) reports it.
fn opening(connection: &Connection, session: i64) -> Result<Option<String>, HistoryError> {
    todo!("20.10: write opening")
}
