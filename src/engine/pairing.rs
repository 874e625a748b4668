//! The pairing rule: each call is followed by its result.

use std::collections::HashSet;

use crate::types::{Message, ToolCall, ToolResult, ToolResultMessage, new_id};

/// The error message of a result that [`repair_history`] adds.
const LOST_RESULT: &str =
    "the result of this call was lost when the session was interrupted; the call may have run";

/// The calls in `history` that have no result in the right place, in their order.
///
/// The results of a reply directly follow it, in the order of its calls. A result does not count
/// if any other message is between it and its reply, or if it comes after the result of a later
/// call.
pub fn unanswered_calls(history: &[Message]) -> Vec<&ToolCall> {
    todo!("pairing-rule: write unanswered_calls")
}

/// Whether `message` is the result of `call`: a tool result with the call's id.
pub fn is_result_of(message: &Message, call: &ToolCall) -> bool {
    matches!(message, Message::ToolResult(result) if result.tool_use_id == call.id)
}

/// Inserts an error result for every call that has none in the right place, and returns how
/// many it inserted. All other messages stay. Use it on a history that may be incomplete,
/// such as the session of a program that crashed.
pub fn repair_history(history: &mut Vec<Message>) -> usize {
    let mut added = 0;
    let mut old = std::mem::take(history).into_iter().peekable();
    while let Some(message) = old.next() {
        let calls = match &message {
            Message::Assistant(reply) => reply.tool_calls.clone(),
            _ => Vec::new(),
        };
        history.push(message);
        for call in calls {
            let result = old.next_if(|next| is_result_of(next, &call));
            history.push(result.unwrap_or_else(|| {
                added += 1;
                let error = ToolResult::error(LOST_RESULT);
                Message::ToolResult(ToolResultMessage::new(call.id, error))
            }));
        }
    }
    added
}

/// Gives each call of one reply an id of its own. An empty id, and an id that an earlier
/// call of the reply has, is replaced by a new id. All other ids stay.
///
/// Ids come from the provider, and not every provider makes them unique. If two calls share
/// an id, a result with that id does not say which of them it belongs to.
pub fn make_ids_unique(calls: &mut [ToolCall]) {
    let mut taken = HashSet::new();
    for call in calls {
        if call.id.is_empty() || !taken.insert(call.id.clone()) {
            call.id = new_id();
        }
    }
}
