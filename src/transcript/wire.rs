//! All of a transcript that a provider may see.

use std::borrow::Cow;

use serde::Serialize;

use super::{AgentMessage, AssistantContent, ToolResultContent, UserContent};

/// All of an entry that a provider may see, lent by the entry unless unknown blocks or fields
/// have to be left out, for a host that speaks to a
/// provider itself. One that has an agent speak takes [`to_agent`](super::to_agent): an
/// agent's messages have no field for narration and details either, and its model sees no
/// custom entry.
///
/// As JSON it is the entry's object, with these fields alone. It is written and never
/// read. A connection can take out of it what a model is told:
///
/// ```
/// # extern crate claw_code as claw_code;
/// use claw_code::transcript::WireMessage;
///
/// fn send(message: WireMessage) {
///     if let WireMessage::ToolResult { content, .. } = message {}
/// }
/// ```
///
/// The narration is not there to be taken, nor are the details:
///
/// ```compile_fail
/// # extern crate claw_code as claw_code;
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
    /// What the user said.
    User {
        /// Words, or words and pictures.
        content: Cow<'a, UserContent>,
    },
    /// What a model replied.
    Assistant {
        /// The blocks, in order, sealed thoughts among them.
        content: Cow<'a, AssistantContent>,
    },
    /// What a tool answered.
    ToolResult {
        /// The id of the call.
        tool_call_id: &'a str,
        /// The tool that was called.
        tool_name: &'a str,
        /// What the model is told.
        content: Cow<'a, ToolResultContent>,
        /// Whether the tool failed.
        is_error: bool,
    },
}

impl<'a> WireMessage<'a> {
    /// What a provider may see of an entry: of one of the host's own, nothing.
    pub fn of(message: &'a AgentMessage) -> Option<Self> {
        todo!("17.3: write WireMessage::of")
    }
}

/// What a provider may see of a transcript, in its order.
pub fn to_wire(transcript: &[AgentMessage]) -> Vec<WireMessage<'_>> {
    todo!("17.3: write to_wire")
}
