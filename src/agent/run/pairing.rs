//! The rule that a history keeps, in this vocabulary: a call, and right behind it its
//! result.

use crate::agent::{AgentMessage, Content, Message};

/// What a call is told whose result was not found.
pub const LOST: &str =
    "the result of this call was lost when the session broke off; the call may have run";

/// The calls of a reply, in its order: the id and the name of each. Other messages have
/// none.
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

/// Puts a result behind every call that has none, each where it belongs, and says how
/// many; [`LOST`] is what they say, as errors. Every message that was there stays.
///
/// The results of a reply stand directly behind it in the model's lane, in the order of
/// its calls. Extensions may stand between.
pub fn mend_messages(history: &mut Vec<AgentMessage>, timestamp: u64) -> usize {
    todo!("16.5: write mend_messages")
}

/// A result that says that a call failed, and why.
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
