//! Converts an agent's history to a transcript.

use super::{
    AgentMessage, AssistantBlock, AssistantContent, ContentBlock, Conversion, StopReason,
    ToolResultContent, Usage, UserContent,
};
use crate::agent;
use crate::agent::json::nested::{NestedFields, names_of};

/// Converts an agent's history to a transcript.
///
/// A timestamp of 0 becomes `None`, and so does a usage whose four counts are all 0. A user's
/// message of one text block becomes a string, an image becomes a `data:` URL, and an
/// extension becomes a custom entry. These are lost:
///
/// - `turnId`, `model`, `provider` (unless they are empty) and `childLoopId`;
/// - `usage.reasoning`, if it is not 0, and `usage.total_tokens`, if it is not the sum of
///   the four counts;
/// - `stopReason`, if a transcript has no name for it: it becomes `other`;
/// - `image`: the block, in a reply;
/// - `thinking` and `toolCall`: the block, anywhere but in a reply.
///
/// [Unknown](agent::Unknown) blocks and fields are lost too.
pub fn from_agent(history: &[agent::AgentMessage]) -> Conversion<AgentMessage> {
    Conversion::of_each(history, |entry, lost| {
        entry.turn_id().iter().for_each(|_| lost("turnId"));
        let (agent::AgentMessage::Llm(agent::LlmMessage { other, .. })
        | agent::AgentMessage::Extension(agent::ExtensionMessage { other, .. })) = entry;
        let unknown = names_of(other, inner_objects(entry.role()));
        unknown.iter().for_each(|name| lost(name));
        Some(match entry {
            agent::AgentMessage::Llm(llm) => message_from_agent(&llm.message, lost),
            agent::AgentMessage::Extension(note) => AgentMessage::Custom {
                kind: note.kind.clone(),
                payload: note.data.clone(),
                timestamp: None,
            },
        })
    })
}

/// The objects inside an agent's message of this role that may have unknown fields. In another
/// role, an object with such a name is an unknown field itself.
fn inner_objects(role: &str) -> NestedFields {
    match role {
        "assistant" => &[("usage", ""), ("turnId", "")],
        "user" | "toolResult" => &[("turnId", "")],
        _ => &[],
    }
}

/// One message of the model's lane.
fn message_from_agent(message: &agent::Message, lost: &mut dyn FnMut(&str)) -> AgentMessage {
    match message {
        agent::Message::User { content, timestamp } => AgentMessage::User {
            content: user_from_agent(content, lost),
            timestamp: known_timestamp(*timestamp),
        },
        agent::Message::Assistant {
            content,
            stop_reason,
            model,
            provider,
            usage,
            timestamp,
            error_message,
        } => {
            for (name, value) in [("model", model), ("provider", provider)] {
                if !value.is_empty() {
                    lost(name);
                }
            }
            AgentMessage::Assistant {
                content: AssistantContent(reply_from_agent(content, lost)),
                stop_reason: stop_from_agent(*stop_reason, lost),
                error_message: error_message.clone(),
                timestamp: known_timestamp(*timestamp),
                usage: usage_from_agent(usage, lost),
            }
        }
        agent::Message::ToolResult {
            tool_call_id,
            tool_name,
            content,
            is_error,
            timestamp,
            child_loop_id,
        } => {
            child_loop_id.iter().for_each(|_| lost("childLoopId"));
            AgentMessage::ToolResult {
                tool_call_id: tool_call_id.clone(),
                tool_name: tool_name.clone(),
                content: ToolResultContent(blocks_from_agent(content, lost)),
                is_error: *is_error,
                narration: None,
                details: None,
                timestamp: known_timestamp(*timestamp),
            }
        }
    }
}

/// A user's content. If exactly one block is left after the losses and it is text, even an empty
/// one, the content is a string. Otherwise it is a list of blocks, even an empty one.
fn user_from_agent(content: &[agent::Content], lost: &mut dyn FnMut(&str)) -> UserContent {
    match blocks_from_agent(content, lost).as_slice() {
        [ContentBlock::Text { text }] => UserContent::Text(text.clone()),
        blocks => UserContent::Blocks(blocks.to_vec()),
    }
}

/// The timestamp, or `None` if it is 0.
fn known_timestamp(timestamp: u64) -> Option<u64> {
    (timestamp != 0).then_some(timestamp)
}

/// The blocks of a user's message or of a result.
fn blocks_from_agent(content: &[agent::Content], lost: &mut dyn FnMut(&str)) -> Vec<ContentBlock> {
    let blocks = content
        .iter()
        .filter_map(|block| match block.known_or(lost)? {
            agent::Content::Other(_) => None,
            agent::Content::Text { text } => Some(ContentBlock::Text { text: text.clone() }),
            agent::Content::Image { data, mime_type } => Some(ContentBlock::Image {
                source: format!("data:{mime_type};base64,{data}"),
                media_type: Some(mime_type.clone()),
                alt: None,
            }),
            agent::Content::Thinking { .. } => {
                lost("thinking");
                None
            }
            agent::Content::ToolCall { .. } => {
                lost("toolCall");
                None
            }
        });
    blocks.collect()
}

/// The blocks of a reply.
fn reply_from_agent(content: &[agent::Content], lost: &mut dyn FnMut(&str)) -> Vec<AssistantBlock> {
    let blocks = content.iter().filter_map(|block| {
        Some(match block.known_or(lost)?.clone() {
            agent::Content::Other(_) => return None,
            agent::Content::Text { text } => AssistantBlock::Text { text },
            agent::Content::Thinking {
                thinking,
                signature,
            } => AssistantBlock::Thinking {
                text: thinking,
                signature,
            },
            agent::Content::ToolCall {
                id,
                name,
                arguments,
            } => AssistantBlock::ToolCall {
                id,
                name,
                arguments,
            },
            agent::Content::Image { .. } => {
                lost("image");
                return None;
            }
        })
    });
    blocks.collect()
}

/// The transcript's name of a stop reason.
fn stop_from_agent(stop: agent::StopReason, lost: &mut dyn FnMut(&str)) -> StopReason {
    match stop {
        agent::StopReason::Stop => StopReason::EndTurn,
        agent::StopReason::ToolUse => StopReason::ToolUse,
        agent::StopReason::Length => StopReason::MaxTokens,
        agent::StopReason::Error => StopReason::Error,
        agent::StopReason::Aborted => StopReason::Aborted,
        agent::StopReason::MaxTurns
        | agent::StopReason::UserStop
        | agent::StopReason::Handoff
        | agent::StopReason::GuardRail
        | agent::StopReason::ContextCompacted
        | agent::StopReason::Paused => {
            lost("stopReason");
            StopReason::Other
        }
    }
}

/// The four counts, or `None` if all are 0.
fn usage_from_agent(usage: &agent::Usage, lost: &mut dyn FnMut(&str)) -> Option<Usage> {
    let counts = Usage {
        input_tokens: usage.input,
        output_tokens: usage.output,
        cache_creation_input_tokens: usage.cache_write,
        cache_read_input_tokens: usage.cache_read,
    };
    if usage.reasoning != 0 {
        lost("usage.reasoning");
    }
    if usage.total_tokens != counts.total() {
        lost("usage.total_tokens");
    }
    (counts != Usage::default()).then_some(counts)
}
