//! From a transcript to a running agent's history.

use super::{AgentMessage, AssistantBlock, ContentBlock, StopReason, Usage, UserContent};
use crate::agent;

/// Something that the other side has no place for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Which message it was in, counted from 0 on the side that it comes from.
    pub message: usize,
    /// The field or the type of block, as that side's JSON spells it.
    pub what: String,
}

/// Messages on the other side of a border, and what stayed behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing<T> {
    /// What has come over.
    pub messages: Vec<T>,
    /// What has not, in the order of the messages.
    pub losses: Vec<Loss>,
}

impl<T> Crossing<T> {
    /// Takes every message over by `cross`, which gives the message, if there is a place
    /// for it, and tells the function that it is handed of everything that is lost.
    pub(super) fn of<S>(
        messages: &[S],
        cross: impl Fn(&S, &mut dyn FnMut(&str)) -> Option<T>,
    ) -> Self {
        let mut losses = Vec::new();
        let crossed = messages.iter().enumerate().filter_map(|(message, from)| {
            cross(from, &mut |what| {
                let what = what.to_string();
                losses.push(Loss { message, what });
            })
        });
        let messages = crossed.collect();
        Self { messages, losses }
    }
}

/// A transcript as an agent's history.
///
/// A reply's model and provider are not known, and are empty. A time that is not known is
/// 0, and so is every count of a usage that is not known. Text in place of blocks is one
/// block of it; `reasoning` is thinking without a seal. Lost are:
///
/// - `system`: the whole message, since an agent's prompt is no part of its history;
/// - `image`, where it is no `data:` URL in base64: in its place stands the text `[image: `
///   and its address and `]`, and its `media_type` goes with it;
/// - `alt`, of any image that has one, and `media_type`, where the `data:` URL says another;
/// - `reasoning_details`: the block;
/// - `stop_reason`, if it is `other`; the agent's is `stop`;
/// - `narration`, `details`, and of a custom entry the `timestamp`;
/// - blocks and fields that this program [does not know](agent::Unknown).
pub fn to_agent(transcript: &[AgentMessage]) -> Crossing<agent::AgentMessage> {
    Crossing::of(transcript, |message, lost| {
        Some(match message.known_or(lost)? {
            AgentMessage::Other(_) => return None,
            AgentMessage::System { .. } => {
                lost("system");
                return None;
            }
            AgentMessage::User { content, timestamp } => agent::Message::User {
                content: match content {
                    UserContent::Text(text) => vec![agent::Content::Text { text: text.clone() }],
                    UserContent::Blocks(blocks) => blocks_to_agent(blocks, lost),
                },
                timestamp: timestamp.unwrap_or_default(),
            }
            .into(),
            AgentMessage::Assistant {
                content,
                stop_reason,
                error_message,
                timestamp,
                usage,
            } => agent::Message::Assistant {
                content: reply_to_agent(&content.0, lost),
                stop_reason: stop_to_agent(*stop_reason, lost),
                model: String::new(),
                provider: String::new(),
                usage: usage.map(usage_to_agent).unwrap_or_default(),
                timestamp: timestamp.unwrap_or_default(),
                error_message: error_message.clone(),
            }
            .into(),
            AgentMessage::ToolResult {
                tool_call_id,
                tool_name,
                content,
                is_error,
                narration,
                details,
                timestamp,
            } => {
                narration.iter().for_each(|_| lost("narration"));
                details.iter().for_each(|_| lost("details"));
                agent::Message::ToolResult {
                    tool_call_id: tool_call_id.clone(),
                    tool_name: tool_name.clone(),
                    content: blocks_to_agent(&content.0, lost),
                    is_error: *is_error,
                    timestamp: timestamp.unwrap_or_default(),
                    child_loop_id: None,
                }
                .into()
            }
            AgentMessage::Custom {
                kind,
                payload,
                timestamp,
            } => {
                timestamp.iter().for_each(|_| lost("timestamp"));
                agent::ExtensionMessage::new(kind, payload).into()
            }
        })
    })
}

fn blocks_to_agent(blocks: &[ContentBlock], lost: &mut dyn FnMut(&str)) -> Vec<agent::Content> {
    todo!("17.4: write blocks_to_agent")
}

/// Of what type a `data:` URL is, and what it holds in base64. `None` of any other URL.
fn data_url(source: &str) -> Option<(&str, &str)> {
    todo!("17.4: write data_url")
}

fn reply_to_agent(blocks: &[AssistantBlock], lost: &mut dyn FnMut(&str)) -> Vec<agent::Content> {
    todo!("17.4: write reply_to_agent")
}

fn stop_to_agent(stop: StopReason, lost: &mut dyn FnMut(&str)) -> agent::StopReason {
    todo!("17.4: write stop_to_agent")
}

fn usage_to_agent(usage: Usage) -> agent::Usage {
    agent::Usage {
        input: usage.input_tokens,
        output: usage.output_tokens,
        reasoning: 0,
        cache_read: usage.cache_read_input_tokens,
        cache_write: usage.cache_creation_input_tokens,
        total_tokens: usage.total(),
    }
}

impl Usage {
    /// All four counts together.
    pub(super) fn total(&self) -> u64 {
        todo!("17.4: write Usage::total")
    }
}
