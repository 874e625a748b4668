//! One conversation.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::agent::{Usage, now_ms};
use crate::chat::ChatMessage;

/// A conversation with one agent.
///
/// Its JSON is an object with the fields below. A field that is `None` is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Identifies the session. No two sessions of a history have the same id.
    pub session_id: String,
    /// The name of the agent.
    pub agent_name: String,
    /// The name of the model.
    pub model: String,
    /// All messages, in order.
    pub messages: Vec<ChatMessage>,
    /// When the session began.
    pub started_at: DateTime<Utc>,
    /// When the session ended. `None` if it is open, or if its program was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<DateTime<Utc>>,
    /// The token counts of all replies so far. `None` if they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl Session {
    /// A session without messages that begins now. Its id is a random UUID.
    pub fn new(agent_name: impl Into<String>, model: impl Into<String>) -> Self {
        todo!("session: write Session::new")
    }

    /// The token counts of all replies so far. All zero if they were not counted.
    pub fn total_usage(&self) -> Usage {
        self.usage.unwrap_or_default()
    }
}

/// The current time, to the millisecond.
pub(super) fn now() -> DateTime<Utc> {
    let milliseconds = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    DateTime::from_timestamp_millis(milliseconds).unwrap_or(DateTime::UNIX_EPOCH)
}
