//! The steps of a session, read from its history.

use crate::types::{Message, ToolCall, ToolResultMessage};

/// One step of a session.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplayStep<'a> {
    /// The user sent this text.
    Prompt(&'a str),
    /// A call has this result.
    Answered {
        /// The call as the model made it.
        call: &'a ToolCall,
        /// The result of exactly this call.
        result: &'a ToolResultMessage,
    },
}

/// The steps of a history, in its order: the prompts of the user, and the calls that have their
/// result.
///
/// The results of a reply directly follow it, in the order of its calls. A result belongs to the
/// call of that reply with its id, and to no call of an earlier reply: providers use ids again. A
/// result belongs to no call if it comes after any other message, after the result of a later
/// call, or after another result that belongs to none. A call without a result is not a step.
pub fn replay(messages: &[Message]) -> Vec<ReplayStep<'_>> {
    let mut steps = Vec::new();
    // The calls of the last reply that may still get their result.
    let mut open: &[ToolCall] = &[];
    for message in messages {
        match message {
            Message::ToolResult(result) => {
                let mut calls = open.iter();
                let at = calls.position(|call| call.id == result.tool_use_id);
                let call = at.map(|at| &open[at]);
                steps.extend(call.map(|call| ReplayStep::Answered { call, result }));
                open = at.map_or(&[], |at| &open[at + 1..]);
            }
            Message::Assistant(reply) => open = &reply.tool_calls,
            Message::User(prompt) => {
                steps.push(ReplayStep::Prompt(&prompt.content));
                open = &[];
            }
            Message::System(_) | Message::Attachment(_) | Message::Progress(_) => open = &[],
        }
    }
    steps
}
