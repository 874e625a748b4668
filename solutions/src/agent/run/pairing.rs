//! The pairing rule for an agent's history: each call is followed by its result.

use crate::agent::{AgentMessage, Content, Message};

/// The error message of a result that [`repair_history`] adds.
pub const LOST: &str =
    "the result of this call was lost when the session was interrupted; the call may have run";

/// The id and the name of each call of a reply, in order. Other messages have no calls.
pub fn calls_of(message: &Message) -> Vec<(&str, &str)> {
    let Message::Assistant { content, .. } = message else {
        return Vec::new();
    };
    let calls = content.iter().filter_map(|block| match block.known()? {
        Content::ToolCall { id, name, .. } => Some((id.as_str(), name.as_str())),
        _ => None,
    });
    calls.collect()
}

/// Inserts an error result with the text [`LOST`] for every call that has no result in the
/// right place, and returns how many it inserted. All other messages stay.
///
/// In the model's lane, the results of a reply directly follow it, in the order of its calls.
/// Extensions may come between them. A new result has the turn id of its reply and the time
/// `timestamp`, in milliseconds since 1970.
pub fn repair_history(history: &mut Vec<AgentMessage>, timestamp: u64) -> usize {
    let mut added = 0;
    let mut old = std::mem::take(history).into_iter().peekable();
    while let Some(entry) = old.next() {
        let turn_id = entry.turn_id().cloned();
        let calls: Vec<(String, String)> =
            entry.as_llm().map(calls_of).map_or_else(Vec::new, |calls| {
                let owned = |(id, name): (&str, &str)| (id.to_string(), name.to_string());
                calls.into_iter().map(owned).collect()
            });
        history.push(entry);
        for (id, name) in calls {
            while let Some(extension) = old.next_if(|next| next.as_llm().is_none()) {
                history.push(extension);
            }
            let is_answer = |next: &AgentMessage| matches!(next.as_llm(), Some(Message::ToolResult { tool_call_id, .. }) if *tool_call_id == id);
            let result = old.next_if(is_answer).unwrap_or_else(|| {
                added += 1;
                let lost = error_result(&id, &name, LOST, timestamp);
                AgentMessage::from(lost).with_turn_id(turn_id.clone())
            });
            history.push(result);
        }
    }
    added
}

/// The result of a failed call. Its text is `reason`.
pub(in crate::agent) fn error_result(
    id: &str,
    name: &str,
    reason: &str,
    timestamp: u64,
) -> Message {
    Message::ToolResult {
        tool_call_id: id.to_string(),
        tool_name: name.to_string(),
        content: vec![Content::Text {
            text: reason.to_string(),
        }],
        is_error: true,
        timestamp,
        child_loop_id: None,
    }
}
