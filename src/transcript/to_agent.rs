//! Converts a transcript to an agent's history.

use super::{AgentMessage, AssistantBlock, ContentBlock, StopReason, Usage, UserContent};
use crate::agent;

/// A part of a message that a conversion can't represent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The index of the message, in the list that was converted.
    pub message: usize,
    /// The field or the type of block, as the JSON of that message spells it.
    pub what: String,
}

/// Converted messages, and a list of what was lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion<T> {
    /// The converted messages.
    pub messages: Vec<T>,
    /// The losses, in the order of the messages.
    pub losses: Vec<Loss>,
}

impl<T> Conversion<T> {
    /// Converts every message by `convert`, which returns `None` if the whole message is lost.
    /// It reports each loss to the function that it gets.
    pub(super) fn of_each<S>(
        messages: &[S],
        convert: impl Fn(&S, &mut dyn FnMut(&str)) -> Option<T>,
    ) -> Self {
        let mut losses = Vec::new();
        let converted = messages.iter().enumerate().filter_map(|(message, from)| {
            convert(from, &mut |what| {
                let what = what.to_string();
                losses.push(Loss { message, what });
            })
        });
        let messages = converted.collect();
        Self { messages, losses }
    }
}

/// Converts a transcript to an agent's history.
///
/// A reply's model and provider are unknown and become empty. An unknown timestamp becomes 0,
/// and so does each count of an unknown usage. A string becomes one text block, and
/// `reasoning` becomes thinking without a signature. If the `data:` URL of an image has no media
/// type, its `media_type` is used. These are lost:
///
/// - `system`: the whole message, since an agent's prompt is not part of its history;
/// - `image`, if it is not a base64 `data:` URL: it becomes the text `[image: `, its URL and
///   `]`, without its `media_type`;
/// - `alt`, of each image that has one, and `media_type`, if the `data:` URL has another one;
/// - `reasoning_details`: the block;
/// - `stop_reason`, if it is `other`: it becomes `stop`;
/// - `narration`, `details`, and the `timestamp` of a custom entry.
///
/// [Unknown](agent::Unknown) blocks and fields are lost too.
pub fn to_agent(transcript: &[AgentMessage]) -> Conversion<agent::AgentMessage> {
    Conversion::of_each(transcript, |message, lost| {
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

/// The blocks of a user's message or of a result.
fn blocks_to_agent(blocks: &[ContentBlock], lost: &mut dyn FnMut(&str)) -> Vec<agent::Content> {
    todo!("transcript-to-agent: write blocks_to_agent")
}

/// The media type and the base64 data of a `data:` URL. `None` for any other URL, and for a
/// `data:` URL without base64.
fn data_url(source: &str) -> Option<(&str, &str)> {
    todo!("transcript-to-agent: write data_url")
}

/// The blocks of a reply.
fn reply_to_agent(blocks: &[AssistantBlock], lost: &mut dyn FnMut(&str)) -> Vec<agent::Content> {
    todo!("replies-to-agent: write reply_to_agent")
}

/// The agent's name of a stop reason.
fn stop_to_agent(stop: StopReason, lost: &mut dyn FnMut(&str)) -> agent::StopReason {
    todo!("replies-to-agent: write stop_to_agent")
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
    /// The sum of all four counts, at most `u64::MAX`.
    pub(super) fn total(&self) -> u64 {
        todo!("replies-to-agent: write Usage::total")
    }
}
