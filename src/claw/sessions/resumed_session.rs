//! A session that a conversation continues.

use chrono::{DateTime, Utc};

use crate::agent::AgentMessage;
use crate::chat::ChatMessage;
use crate::session::convert::{HubMessage, from_chat};

/// A session that a conversation continues.
pub struct ResumedSession {
    /// The session's id.
    pub session_id: String,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// Its messages. Every tool call has a result.
    pub messages: Vec<AgentMessage>,
    /// How many of the results are placeholders for results that were lost.
    pub lost_results: usize,
}

/// A stored message as messages of the agent. Instructions give none, since the agent makes its
/// own.
pub fn agent_messages(stored: &ChatMessage) -> Vec<AgentMessage> {
    let messages = from_chat::to_hub(stored).unwrap_or_default().into_iter();
    let messages = messages.filter_map(|message| match message {
        HubMessage::Agent(message) => Some(message),
        HubMessage::Instructions { .. } => None,
    });
    messages.collect()
}
