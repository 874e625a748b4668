//! Which sessions there are.

use chrono::{DateTime, Utc};

use super::history::time;
use super::{HistoryError, SessionHistory};

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
    /// The text of the user's first message; `None` if there is none, or it has no text.
    pub opening: Option<String>,
}

impl SessionHistory {
    /// All sessions: the one with the newest message first, those without messages last,
    /// and of equals the one that was stored last.
    pub fn list(&self) -> Result<Vec<Summary>, HistoryError> {
        todo!("20.10: write SessionHistory::list")
    }
}
