//! What a loop can be started with.

use super::{AgentMessage, Content, LlmMessage, Message};

/// What the user says to start a loop: text, a message, or several messages.
///
/// No message at all starts a loop as well: it takes up what waits in line.
#[derive(Debug, Clone, PartialEq)]
pub enum Prompt {
    /// Text, which becomes a user's message of that moment.
    Text(String),
    /// Messages, as they are.
    Messages(Vec<AgentMessage>),
}

impl Prompt {
    /// The messages; a text is said at the time `timestamp`.
    pub(super) fn messages(self, timestamp: u64) -> Vec<AgentMessage> {
        match self {
            Self::Messages(messages) => messages,
            Self::Text(text) => {
                let content = vec![Content::Text { text }];
                vec![Message::User { content, timestamp }.into()]
            }
        }
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Message> for Prompt {
    fn from(message: Message) -> Self {
        Self::Messages(vec![message.into()])
    }
}

impl From<LlmMessage> for Prompt {
    fn from(message: LlmMessage) -> Self {
        Self::Messages(vec![message.into()])
    }
}

impl From<AgentMessage> for Prompt {
    fn from(message: AgentMessage) -> Self {
        Self::Messages(vec![message])
    }
}

impl From<Vec<AgentMessage>> for Prompt {
    fn from(messages: Vec<AgentMessage>) -> Self {
        Self::Messages(messages)
    }
}
