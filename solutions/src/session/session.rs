//! A conversation, and what is known of it.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::agent::{Usage, now_ms};
use crate::chat::{ChatMessage, Role, ToolCall, UnifiedContentBlock};

/// A conversation with one agent.
///
/// As JSON it is an object with the fields below; one that is `None` is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Its name in the history; no other session has it.
    pub session_id: String,
    /// The agent that the user talks to.
    pub agent_name: String,
    /// The model that replies.
    pub model: String,
    /// All that was said, in order.
    pub messages: Vec<ChatMessage>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended; `None` while it goes on, and if nobody came to end it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<DateTime<Utc>>,
    /// What its replies cost so far; `None` if nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl Session {
    /// A session that begins now, without messages, under a new id: a random UUID.
    pub fn new(agent_name: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            session_id: uuid::Uuid::new_v4().to_string(),
            agent_name: agent_name.into(),
            model: model.into(),
            messages: Vec::new(),
            started_at: now(),
            ended_at: None,
            usage: None,
        }
    }

    /// What all its loops cost together; nothing if nobody counted.
    pub fn total_usage(&self) -> Usage {
        self.usage.unwrap_or_default()
    }

    /// The calls that no result answers, in the order in which they were made. One result
    /// answers one call: the last open one of its id before it.
    ///
    /// There are some if a session broke off between a call and its result, and no provider
    /// takes it so. Whoever resumes it answers each of them first.
    ///
    /// Calls and results are what a provider is sent: those in the messages'
    /// [blocks](ChatMessage::to_blocks). A call comes as
    /// [`from_blocks`](ChatMessage::from_blocks) makes it of its block.
    pub fn open_calls(&self) -> Vec<ToolCall> {
        let mut results: HashMap<String, usize> = HashMap::new();
        let mut open = Vec::new();
        // Backwards: an answer counts only for calls before it, and ids may come again.
        for message in self.messages.iter().rev() {
            // A result that names no call has no blocks, and answers nothing.
            let blocks = message.to_blocks().unwrap_or_default().into_iter();
            for block in blocks.rev().filter_map(UnifiedContentBlock::into_known) {
                match &block {
                    UnifiedContentBlock::ToolResult { tool_use_id, .. } => {
                        *results.entry(tool_use_id.clone()).or_default() += 1;
                    }
                    UnifiedContentBlock::ToolUse { id, .. } => match results.get_mut(id) {
                        Some(left @ 1..) => *left -= 1,
                        _ => open.push(block),
                    },
                    _ => {}
                }
            }
        }
        open.reverse();
        let calls = ChatMessage::from_blocks(Role::Assistant, open).tool_calls;
        calls.unwrap_or_default()
    }
}

/// The present, to the millisecond.
pub(super) fn now() -> DateTime<Utc> {
    let milliseconds = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    DateTime::from_timestamp_millis(milliseconds).unwrap_or(DateTime::UNIX_EPOCH)
}
