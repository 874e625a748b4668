//! The hub: what each vocabulary's messages are converted to and from.

use std::collections::HashMap;

use crate::agent::{AgentMessage, Message, calls_of};

/// One message between two vocabularies. A time of 0 is unknown.
#[derive(Debug, Clone, PartialEq)]
pub enum HubMessage {
    /// Instructions. An agent's history has none, so without this variant they would be lost
    /// between two vocabularies that both have them.
    Instructions {
        /// The text.
        content: String,
        /// Milliseconds since 1970, UTC.
        timestamp: u64,
    },
    /// Anything else.
    Agent(AgentMessage),
}

impl From<Message> for HubMessage {
    fn from(message: Message) -> Self {
        Self::Agent(message.into())
    }
}

/// The tools of the calls so far, by the calls' ids.
#[derive(Debug, Default)]
pub struct ToolNames(HashMap<String, String>);

impl ToolNames {
    /// Gives each result without a tool's name the name from its call: the last call of that
    /// id before it.
    pub fn complete(&mut self, messages: &mut [HubMessage]) {
        for message in messages {
            let HubMessage::Agent(AgentMessage::Llm(llm)) = message else {
                continue;
            };
            for (id, name) in calls_of(&llm.message) {
                self.0.insert(id.to_string(), name.to_string());
            }
            if let Message::ToolResult {
                tool_call_id,
                tool_name,
                ..
            } = &mut llm.message
                && tool_name.is_empty()
                && let Some(name) = self.0.get(tool_call_id)
            {
                tool_name.clone_from(name);
            }
        }
    }
}
