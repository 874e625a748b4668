//! From an agent's messages to chat messages: for a session, and for a model's connection.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    ChatMessage, ImageSource, MessageStatus, Role, ToolResultContent, UnifiedContentBlock,
};
use crate::agent::{Content, Message, StopReason};
use crate::tools::Api;

impl From<&Message> for ChatMessage {
    /// A message as a session stores it.
    ///
    /// | of a message | becomes |
    /// | --- | --- |
    /// | texts, images, calls | blocks, in their order |
    /// | thinking of a reply | a block, as [`thought_block`] makes it for [`Api::Messages`] |
    /// | `timestamp` | the same, unless it is 0 or beyond the year 262142 |
    /// | `stop_reason` | `status`: `completed` for `stop` and `toolUse`, `failed` for `error`, otherwise `incomplete` |
    /// | `tool_call_id`, `content`, `is_error` of a result | a `tool_result` block, whose content is a bare text if one text is all |
    /// | `tool_name` | `name` |
    /// | `provider`, `model` | `name`, with `/` between them, or the model alone |
    /// | `usage`, `error_message`, `child_loop_id`; thinking anywhere but in a reply | nothing |
    fn from(message: &Message) -> Self {
        let name = match message {
            Message::Assistant {
                provider, model, ..
            } if provider.is_empty() && !model.contains('/') => model.clone(),
            Message::Assistant {
                provider, model, ..
            } => format!("{provider}/{model}"),
            Message::ToolResult { tool_name, .. } => tool_name.clone(),
            Message::User { .. } => String::new(),
        };
        Self {
            name: Some(name).filter(|name| !name.is_empty()),
            ..chat_message(message, Some(Api::Messages))
        }
    }
}

/// An agent's history for a model's connection: each message as for a session, but a reply
/// without a name, and thinking only if `provider` wrote it, as [`thought_block`] makes it for
/// this API.
pub fn from_agent(messages: &[Message], api: Api, provider: &str) -> Vec<ChatMessage> {
    let chat = messages.iter().map(|message| match message {
        Message::Assistant { provider: own, .. } => {
            chat_message(message, (own == provider).then_some(api))
        }
        _ => ChatMessage::from(message),
    });
    chat.collect()
}

/// A message without a reply's name. The thinking of a reply is left out unless there is an
/// API to make its blocks for.
fn chat_message(message: &Message, thinking: Option<Api>) -> ChatMessage {
    match message {
        Message::User { content, timestamp } => {
            dated(Role::User, blocks(content, None), *timestamp)
        }
        Message::Assistant {
            content,
            stop_reason,
            timestamp,
            ..
        } => ChatMessage {
            status: Some(status(*stop_reason)),
            ..dated(Role::Assistant, blocks(content, thinking), *timestamp)
        },
        Message::ToolResult {
            tool_call_id,
            content,
            is_error,
            timestamp,
            ..
        } => {
            let result = UnifiedContentBlock::ToolResult {
                tool_use_id: tool_call_id.clone(),
                content: match content.as_slice() {
                    [Content::Text { text }] => ToolResultContent::Text(text.clone()),
                    _ => ToolResultContent::Blocks(blocks(content, None)),
                },
                is_error: is_error.then_some(true),
            };
            dated(Role::Tool, vec![result], *timestamp)
        }
    }
}

/// The known blocks of a message. Thinking is left out without an API to make blocks for.
fn blocks(content: &[Content], thinking_api: Option<Api>) -> Vec<UnifiedContentBlock> {
    let blocks = content.iter().filter_map(|block| {
        Some(match block.known()? {
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
            Content::Thinking {
                thinking,
                signature,
            } => thought_block(thinking_api?, thinking, signature.as_deref()),
            Content::Other(_) => return None,
        })
    });
    blocks.collect()
}

/// A reply of an API as the content of an agent's message. Blocks that no model writes, such
/// as documents, are left out.
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

/// What a provider needs back with its thinking, beside the text.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encrypted_content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    redacted: bool,
}

/// A thinking block as an agent keeps it; `None` for any other block.
///
/// An agent has one string for the provider's data, its `signature`. That is the block's
/// signature, or its encrypted content, if the block has nothing else. If it has more, the
/// string is a JSON object with those of the fields `signature`, `encrypted_content`, `id` and
/// `redacted` that are set. [`thought_block`] reads it.
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
    let signature = match (signature, encrypted_content, id, redacted) {
        (token, None, None, false) | (None, token, None, false) if is_plain(&token) => token,
        (signature, encrypted_content, id, redacted) => {
            let data = ProviderData {
                signature,
                encrypted_content,
                id,
                redacted,
            };
            // Strings and a flag can always be written as JSON.
            serde_json::to_string(&data).ok()
        }
    };
    Some(Content::Thinking {
        thinking,
        signature,
    })
}

/// Whether a string can stand alone: not if it reads as [`ProviderData`] itself.
fn is_plain(token: &Option<String>) -> bool {
    let data = serde_json::from_str::<ProviderData>(token.as_deref().unwrap_or_default());
    data.is_err()
}

/// The block that an agent's thinking was: the reverse of [`thought_content`]. A string that
/// is not such a JSON object is the encrypted content for [`Api::Responses`], and the
/// signature for any other API. An empty string is `None`.
pub fn thought_block(api: Api, thinking: &str, signature: Option<&str>) -> UnifiedContentBlock {
    let token = signature.filter(|token| !token.is_empty());
    let data = serde_json::from_str(token.unwrap_or_default());
    let data: ProviderData = data.unwrap_or_else(|_| {
        let token = token.map(str::to_string);
        let (signature, encrypted_content) = match api {
            Api::Responses => (None, token),
            Api::Messages | Api::ChatCompletions => (token, None),
        };
        ProviderData {
            signature,
            encrypted_content,
            ..ProviderData::default()
        }
    });
    UnifiedContentBlock::Thinking {
        thinking: thinking.to_string(),
        signature: data.signature,
        encrypted_content: data.encrypted_content,
        id: data.id,
        redacted: data.redacted,
    }
}

/// A message of these blocks with a time in milliseconds since 1970.
fn dated(role: Role, blocks: Vec<UnifiedContentBlock>, milliseconds: u64) -> ChatMessage {
    ChatMessage {
        timestamp: time_of(milliseconds),
        ..ChatMessage::from_blocks(role, blocks)
    }
}

/// A time from its milliseconds since 1970; `None` for 0, which is an unknown time, and for a
/// time beyond the year 262142.
pub fn time_of(milliseconds: u64) -> Option<DateTime<Utc>> {
    let milliseconds = i64::try_from(milliseconds).ok().filter(|it| *it != 0)?;
    DateTime::from_timestamp_millis(milliseconds)
}

fn status(reason: StopReason) -> MessageStatus {
    match reason {
        StopReason::Stop | StopReason::ToolUse => MessageStatus::Completed,
        StopReason::Error => MessageStatus::Failed,
        _ => MessageStatus::Incomplete,
    }
}
