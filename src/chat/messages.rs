//! The Messages API: a conversation as its system prompt and its turns, and back.

mod back;

pub use back::*;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pieces::as_text;
use super::{
    ChatMessage, DocumentSource, ImageSource, ToolResultContent, UnifiedContentBlock, UnifiedRole,
    to_unified,
};

/// A conversation as a request carries it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MessagesInput {
    /// The instructions, which are no turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<MessagesBlock>,
    /// The turns.
    pub messages: Vec<MessagesTurn>,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessagesTurn {
    /// `User` or `Assistant`.
    pub role: UnifiedRole,
    /// What is said in it.
    pub content: MessagesContent,
}

/// What is said: in JSON a bare string or a list of blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MessagesContent {
    /// Words alone.
    Text(String),
    /// Blocks.
    Blocks(Vec<MessagesBlock>),
}

/// One block, with the fields that this API has for it and no others: it refuses a request
/// with a field that it does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MessagesBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    Image {
        /// Where its bytes are.
        source: ImageSource,
    },
    /// A file.
    Document {
        /// Where its bytes are.
        source: DocumentSource,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// What the model thought.
    Thinking {
        /// The thoughts; empty where they are not shown.
        thinking: String,
        /// The provider's seal on them. In a stream it comes behind them.
        #[serde(default)]
        signature: String,
    },
    /// Thoughts that the provider has withheld.
    RedactedThinking {
        /// What only the provider reads.
        data: String,
    },
    /// A call.
    ToolUse {
        /// Pairs it with its result.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments, always an object.
        input: Value,
    },
    /// What a tool answered.
    ToolResult {
        /// The call that it answers.
        tool_use_id: String,
        /// What the tool said.
        content: MessagesContent,
        /// Whether it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    /// A block of a type that is not known here, kept whole.
    #[serde(untagged)]
    Other(Value),
}

/// In which field arguments go that are no JSON object, as they were written.
pub const RAW_ARGUMENTS: &str = "raw_arguments";

/// A conversation for this API: its [unified messages](to_unified), block by block.
///
/// Instructions go to the front, wherever they stood. In a user's turn the results come
/// first. An empty text, or one of white space alone, is left out, and so is a turn of which
/// nothing is left; thoughts at a turn's end are left out, too. The API refuses all of these.
///
/// | of a message | in the request |
/// | --- | --- |
/// | `role` | `system` and `developer` as the system prompt, `tool` as `user` |
/// | `name`, `timestamp`, `id`, `status` | no |
/// | `tool_call_id` | yes |
/// | `content` | yes, unless it is blank |
/// | `tool_calls` | yes; arguments that are no object inside one, as [`RAW_ARGUMENTS`] |
/// | `reasoning` | no: it has no signature |
/// | `raw_content_blocks` | texts, calls, results, documents; images without `detail`, but of an assistant only that they were there; thoughts with a `signature`, or withheld with `encrypted_content`, without their `id` |
/// | `tool_metadata` | that a run failed, as `is_error` |
pub fn to_messages(messages: &[ChatMessage]) -> Result<MessagesInput> {
    let mut input = MessagesInput::default();
    for message in to_unified(messages)? {
        let role = message.role;
        let blocks = message.content.iter();
        let mut blocks: Vec<MessagesBlock> =
            blocks.filter_map(|block| wire_block(role, block)).collect();
        match role {
            UnifiedRole::System => {
                input.system.extend(blocks);
                continue;
            }
            UnifiedRole::User => blocks.sort_by_key(|block| !is_result(block)),
            UnifiedRole::Assistant => {
                while blocks.last().is_some_and(is_thought) {
                    blocks.pop();
                }
            }
        }
        if !blocks.is_empty() {
            input.messages.push(MessagesTurn {
                role,
                content: MessagesContent::Blocks(blocks),
            });
        }
    }
    Ok(input)
}

/// A block as this API has it; `None` for what it would refuse and for what another
/// provider alone can read.
pub fn wire_block(role: UnifiedRole, block: &UnifiedContentBlock) -> Option<MessagesBlock> {
    let is_model = role == UnifiedRole::Assistant;
    Some(match block {
        UnifiedContentBlock::Image { source, .. } if role == UnifiedRole::User => {
            MessagesBlock::Image {
                source: source.clone(),
            }
        }
        UnifiedContentBlock::Document { source, title } if role == UnifiedRole::User => {
            MessagesBlock::Document {
                source: source.clone(),
                title: title.clone(),
            }
        }
        UnifiedContentBlock::ToolUse { id, name, input } => MessagesBlock::ToolUse {
            id: id.clone(),
            name: name.clone(),
            input: match input {
                Value::Object(_) => input.clone(),
                other => json!({ RAW_ARGUMENTS: other }),
            },
        },
        UnifiedContentBlock::ToolResult {
            tool_use_id,
            content,
            is_error,
        } => MessagesBlock::ToolResult {
            tool_use_id: tool_use_id.clone(),
            content: match content {
                ToolResultContent::Text(text) => MessagesContent::Text(text.clone()),
                ToolResultContent::Blocks(blocks) => {
                    let blocks = blocks.iter();
                    MessagesContent::Blocks(blocks.filter_map(|it| wire_block(role, it)).collect())
                }
            },
            is_error: *is_error,
        },
        UnifiedContentBlock::Thinking {
            encrypted_content,
            redacted: true,
            ..
        } if is_model => MessagesBlock::RedactedThinking {
            data: encrypted_content.clone()?,
        },
        UnifiedContentBlock::Thinking {
            thinking,
            signature,
            ..
        } if is_model => MessagesBlock::Thinking {
            thinking: thinking.clone(),
            signature: signature.clone().filter(|it| !it.is_empty())?,
        },
        other => MessagesBlock::Text {
            text: as_text(other).filter(|text| !text.trim().is_empty())?,
        },
    })
}

fn is_result(block: &MessagesBlock) -> bool {
    matches!(block, MessagesBlock::ToolResult { .. })
}

fn is_thought(block: &MessagesBlock) -> bool {
    matches!(
        block,
        MessagesBlock::Thinking { .. } | MessagesBlock::RedactedThinking { .. }
    )
}
