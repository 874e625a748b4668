//! The input that starts a loop.

use super::{AgentMessage, Content, LlmMessage, Message};

/// The user's input that starts a loop: text, a message, or several messages.
///
/// An empty list of messages starts a loop too. That loop takes its input from the queues.
#[derive(Debug, Clone, PartialEq)]
pub enum Prompt {
    /// Text. It becomes a user message with the current time.
    Text(String),
    /// Messages, unchanged.
    Messages(Vec<AgentMessage>),
}

impl Prompt {
    /// The input as messages. `timestamp`, in milliseconds since 1970, is for text.
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
