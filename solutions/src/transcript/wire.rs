//! The parts of a transcript that a provider may see.

use std::borrow::Cow;

use serde::Serialize;

use super::{AgentMessage, AssistantContent, ToolResultContent, UserContent};

/// The parts of an entry that a provider may see, for a host that calls a provider itself. The
/// entry lends them, and content is copied only to leave out unknown blocks or fields.
///
/// A host that runs an agent uses [`to_agent`](super::to_agent) instead. An agent's messages
/// have no fields for narration and details either, and its model sees no custom entry.
///
/// As JSON it is the entry's object with only these fields. It is written and never read. A
/// connection can read the content:
///
/// ```
/// # extern crate claw_code_solutions as claw_code;
/// use claw_code::transcript::WireMessage;
///
/// fn send(message: WireMessage) {
///     if let WireMessage::ToolResult { content, .. } = message {}
/// }
/// ```
///
/// There is no field for the narration, nor for the details:
///
/// ```compile_fail
/// # extern crate claw_code_solutions as claw_code;
/// use claw_code::transcript::WireMessage;
///
/// fn send(message: WireMessage) {
///     if let WireMessage::ToolResult { narration, .. } = message {}
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum WireMessage<'a> {
    /// Instructions.
    System {
        /// The instructions.
        content: &'a str,
    },
    /// The user's message.
    User {
        /// Text, or text and images.
        content: Cow<'a, UserContent>,
    },
    /// A model's reply.
    Assistant {
        /// The blocks, in order, which include signed thoughts.
        content: Cow<'a, AssistantContent>,
    },
    /// The result of a tool call.
    ToolResult {
        /// The id of the call.
        tool_call_id: &'a str,
        /// The tool that was called.
        tool_name: &'a str,
        /// The content for the model.
        content: Cow<'a, ToolResultContent>,
        /// Whether the call failed.
        is_error: bool,
    },
}

impl<'a> WireMessage<'a> {
    /// The parts of an entry that a provider may see, without unknown blocks and fields. `None`
    /// for a custom entry or one of an unknown role.
    pub fn of(message: &'a AgentMessage) -> Option<Self> {
        Some(match message.known()? {
            AgentMessage::System { content, .. } => Self::System { content },
            AgentMessage::User { content, .. } => Self::User {
                content: content.known(),
            },
            AgentMessage::Assistant { content, .. } => Self::Assistant {
                content: content.known(),
            },
            AgentMessage::ToolResult {
                tool_call_id,
                tool_name,
                content,
                is_error,
                ..
            } => Self::ToolResult {
                tool_call_id,
                tool_name,
                content: content.known(),
                is_error: *is_error,
            },
            AgentMessage::Custom { .. } | AgentMessage::Other(_) => return None,
        })
    }
}

/// The entries of a transcript that a provider may see, in order.
pub fn to_wire(transcript: &[AgentMessage]) -> Vec<WireMessage<'_>> {
    transcript.iter().filter_map(WireMessage::of).collect()
}
