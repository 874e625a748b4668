//! Converts an agent's history to a transcript.

use super::{
    AgentMessage, AssistantBlock, AssistantContent, ContentBlock, Conversion, StopReason,
    ToolResultContent, Usage, UserContent,
};
use crate::agent;

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
        other.keys().for_each(|name| lost(name));
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

fn message_from_agent(message: &agent::Message, lost: &mut dyn FnMut(&str)) -> AgentMessage {
    todo!("transcript-from-agent: write message_from_agent")
}

/// The timestamp, or `None` if it is 0.
fn known_timestamp(timestamp: u64) -> Option<u64> {
    todo!("transcript-from-agent: write known_timestamp")
}

fn blocks_from_agent(content: &[agent::Content], lost: &mut dyn FnMut(&str)) -> Vec<ContentBlock> {
    todo!("transcript-from-agent: write blocks_from_agent")
}

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

fn stop_from_agent(stop: agent::StopReason, lost: &mut dyn FnMut(&str)) -> StopReason {
    todo!("transcript-from-agent: write stop_from_agent")
}

fn usage_from_agent(usage: &agent::Usage, lost: &mut dyn FnMut(&str)) -> Option<Usage> {
    todo!("transcript-from-agent: write usage_from_agent")
}
