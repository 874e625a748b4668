//! Between a running agent and the chat messages: what the connections of this chapter send.

use chrono::DateTime;

use super::{
    ChatMessage, ImageSource, MessageStatus, Role, ToolResultContent, UnifiedContentBlock,
};
use crate::agent::{Content, Message, StopReason};
use crate::tools::Api;

/// An agent's history as chat messages, for a connection that speaks this API to this
/// provider.
///
/// | of a message | becomes |
/// | --- | --- |
/// | texts, images, calls | blocks, in their order |
/// | thoughts | [a block](thought_block), if `provider` is the one that thought them, otherwise nothing |
/// | `timestamp` | the same, unless it is beyond the year 262142 |
/// | `stop_reason` | `status`: `completed` for `stop` and `toolUse`, `failed` for `error`, otherwise `incomplete` |
/// | `tool_call_id`, `content`, `is_error` of a result | a `tool_result` block, whose content is a bare text if one text is all |
/// | `tool_name` | `name` |
/// | `model`, `provider`, `usage`, `error_message`, `child_loop_id` | nothing |
pub fn from_agent(messages: &[Message], api: Api, provider: &str) -> Vec<ChatMessage> {
    let chat = messages.iter().map(|message| match message {
        Message::User { content, timestamp } => {
            dated(Role::User, blocks(content, api, false), *timestamp)
        }
        Message::Assistant {
            content,
            stop_reason,
            provider: speaker,
            timestamp,
            ..
        } => ChatMessage {
            status: Some(status(*stop_reason)),
            ..dated(
                Role::Assistant,
                blocks(content, api, speaker == provider),
                *timestamp,
            )
        },
        Message::ToolResult {
            tool_call_id,
            tool_name,
            content,
            is_error,
            timestamp,
            ..
        } => {
            let result = UnifiedContentBlock::ToolResult {
                tool_use_id: tool_call_id.clone(),
                content: match content.as_slice() {
                    [Content::Text { text }] => ToolResultContent::Text(text.clone()),
                    _ => ToolResultContent::Blocks(blocks(content, api, false)),
                },
                is_error: is_error.then_some(true),
            };
            ChatMessage {
                name: Some(tool_name.clone()),
                ..dated(Role::Tool, vec![result], *timestamp)
            }
        }
    });
    chat.collect()
}

/// What an API answered, as the content of an agent's message. Blocks that no model writes,
/// such as documents, are left out.
pub fn to_content(blocks: Vec<UnifiedContentBlock>) -> Vec<Content> {
    let content = blocks.into_iter().filter_map(|block| match block {
        UnifiedContentBlock::Text { text } => Some(Content::Text { text }),
        UnifiedContentBlock::ToolUse { id, name, input } => Some(Content::ToolCall {
            id,
            name,
            arguments: input,
        }),
        UnifiedContentBlock::Image {
            source: ImageSource::Base64 { media_type, data },
            ..
        } => Some(Content::Image {
            data,
            mime_type: media_type,
        }),
        thought @ UnifiedContentBlock::Thinking { .. } => thought_content(thought),
        _ => None,
    });
    content.collect()
}

/// Before the data of thoughts that a provider has withheld.
const WITHHELD: &str = "redacted:";

/// Before the id of thoughts that have a signature, too.
const SIGNED: &str = "signed:";

/// Behind the id of thoughts, and behind the signature that follows it.
const BAR: char = '|';

/// A thinking block as an agent keeps it: text, and one string for the provider. That is
/// the signature itself, or the encrypted content, or one of
///
/// - `redacted:` and the data, of thoughts that the provider has withheld;
/// - the id, `|` always, then the encrypted content if any, of thoughts that have an id;
/// - `signed:`, the id, `|`, the signature, `|` and the encrypted content, if there is any,
///   of thoughts that have an id and a signature. There is no `|` in either of these.
///
/// [`thought_block`] reads it. `None` for any other block.
pub fn thought_content(block: UnifiedContentBlock) -> Option<Content> {
    let UnifiedContentBlock::Thinking {
        thinking,
        signature,
        encrypted_content,
        id,
        redacted,
    } = block
    else {
        return None;
    };
    let encrypted = encrypted_content.as_deref().unwrap_or_default();
    let signature = match (redacted, id, signature) {
        (true, ..) => Some(format!("{WITHHELD}{encrypted}")),
        (false, Some(id), None) => Some(format!("{id}{BAR}{encrypted}")),
        (false, Some(id), Some(seal)) => Some(format!("{SIGNED}{id}{BAR}{seal}{BAR}{encrypted}")),
        (false, None, seal) => seal.or(encrypted_content),
    };
    Some(Content::Thinking {
        thinking,
        signature,
    })
}

/// The block that thoughts were, for the API that they are to go back to: the other way of
/// [`thought_content`]. Only Messages knows `redacted:`, only Responses `signed:` and `|`. A
/// string without a mark that the API knows is whole the signature for Messages, and the
/// encrypted content for Responses. Chat Completions has no use for any.
pub fn thought_block(api: Api, thinking: &str, signature: Option<&str>) -> UnifiedContentBlock {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_string());
    let mark = signature.unwrap_or_default();
    let withheld = mark.strip_prefix(WITHHELD);
    let (signature, encrypted_content, id) = match (api, withheld) {
        (Api::Messages, Some(data)) => (None, text(data), None),
        (Api::Messages, None) => (text(mark), None, None),
        (Api::Responses, _) => {
            let signed = mark.strip_prefix(SIGNED);
            let parts = signed.unwrap_or(mark).split_once(BAR);
            let (id, rest) = parts.unwrap_or(("", mark));
            let parts = rest.split_once(BAR).filter(|_| signed.is_some());
            let (signature, encrypted) = parts.unwrap_or(("", rest));
            (text(signature), text(encrypted), text(id))
        }
        (Api::ChatCompletions, _) => (None, None, None),
    };
    UnifiedContentBlock::Thinking {
        thinking: thinking.to_string(),
        signature,
        encrypted_content,
        id,
        redacted: api == Api::Messages && withheld.is_some(),
    }
}

/// The blocks of a message. Thoughts of another provider's are left out: no other can know
/// its seal.
fn blocks(content: &[Content], api: Api, is_own: bool) -> Vec<UnifiedContentBlock> {
    let blocks = content.iter().filter_map(|block| {
        Some(match block.known()? {
            Content::Other(_) => return None,
            Content::Text { text } => UnifiedContentBlock::Text { text: text.clone() },
            Content::Image { data, mime_type } => UnifiedContentBlock::Image {
                source: ImageSource::Base64 {
                    media_type: mime_type.clone(),
                    data: data.clone(),
                },
                detail: None,
            },
            Content::ToolCall {
                id,
                name,
                arguments,
            } => UnifiedContentBlock::ToolUse {
                id: id.clone(),
                name: name.clone(),
                input: arguments.clone(),
            },
            Content::Thinking { .. } if !is_own => return None,
            Content::Thinking {
                thinking,
                signature,
            } => thought_block(api, thinking, signature.as_deref()),
        })
    });
    blocks.collect()
}

fn dated(role: Role, blocks: Vec<UnifiedContentBlock>, milliseconds: u64) -> ChatMessage {
    let timestamp = i64::try_from(milliseconds).ok();
    ChatMessage {
        timestamp: timestamp.and_then(DateTime::from_timestamp_millis),
        ..ChatMessage::from_blocks(role, blocks)
    }
}

fn status(reason: StopReason) -> MessageStatus {
    match reason {
        StopReason::Stop | StopReason::ToolUse => MessageStatus::Completed,
        StopReason::Error => MessageStatus::Failed,
        _ => MessageStatus::Incomplete,
    }
}
