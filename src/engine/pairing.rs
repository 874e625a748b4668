//! The rule that a history keeps: a call, and right behind it its result.

use std::collections::HashSet;

use crate::types::{Message, ToolCall, ToolResult, ToolResultMessage, new_id};

/// The error message of a call whose result [`mend`] did not find.
const LOST: &str =
    "the result of this call was lost when the session broke off; the call may have run";

/// The calls in `history` that have no result where it belongs, in their order.
///
/// The results of a reply stand directly behind it, in the order of its calls. A result
/// behind a message of another kind, or behind the result of a later call, is out of
/// place and answers nothing.
pub fn unanswered(history: &[Message]) -> Vec<&ToolCall> {
    todo!("4.1: write unanswered")
}

/// Whether `message` is a result of `call`.
pub fn answers(message: &Message, call: &ToolCall) -> bool {
    matches!(message, Message::ToolResult(result) if result.tool_use_id == call.id)
}

/// Adds a result, an error, for every call that has none, each in its place, and returns
/// how many it added. All other messages stay. For a history that this engine did not
/// write to its end, such as the session of a program that crashed.
pub fn mend(history: &mut Vec<Message>) -> usize {
    todo!("4.2: write mend")
}

/// Gives each call of one reply an id of its own: one that is empty, or that an earlier
/// call of the reply has, is replaced by a new id. All others stay.
///
/// Ids come from the provider, and not every provider takes care. With one id for two
/// calls nobody can say which result is whose.
pub fn unique_ids(calls: &mut [ToolCall]) {
    todo!("4.2: write unique_ids")
}
