//! Converts one message between flat fields and blocks.

use anyhow::{Result, bail};
use serde_json::Value;

use super::{ChatMessage, Role, ToolCall, ToolResultContent, UnifiedContentBlock};
use crate::chat::text_of_json;

impl ChatMessage {
    /// The message as blocks.
    ///
    /// On a message that is not a `Tool` message, `raw_content_blocks` are returned if there are
    /// any, and the other fields are ignored. If there are none, `reasoning` (unless it is
    /// empty), `content` and each of `tool_calls` become one block, in this order.
    ///
    /// A `Tool` message becomes one `tool_result` block with its `content`, marked as an error
    /// if `tool_metadata` says that the run failed. If it has raw blocks without a
    /// `tool_result`, they become the content of that block. Raw blocks with a `tool_result`
    /// are returned as they are. It is an error if the block needs a `tool_call_id` and the
    /// message has none or an empty one.
    pub fn to_blocks(&self) -> Result<Vec<UnifiedContentBlock>> {
        let raw = self.raw_content_blocks.as_deref().unwrap_or_default();
        let is_whole = self.role != Role::Tool || raw.iter().any(is_tool_result);
        Ok(match raw {
            [_, ..] if is_whole => raw.to_vec(),
            _ if self.role == Role::Tool => vec![self.result_block(raw)?],
            _ => self.flat_blocks(),
        })
    }

    /// The blocks of `reasoning`, `content` and `tool_calls`.
    fn flat_blocks(&self) -> Vec<UnifiedContentBlock> {
        let mut blocks = Vec::new();
        if let Some(thinking) = self.reasoning.clone().filter(|text| !text.is_empty()) {
            blocks.push(UnifiedContentBlock::Thinking {
                thinking,
                signature: None,
                encrypted_content: None,
                id: None,
                redacted: false,
            });
        }
        if let Some(text) = self.content.clone() {
            blocks.push(UnifiedContentBlock::Text { text });
        }
        blocks.extend(self.tool_calls.iter().flatten().map(call_block));
        blocks
    }

    /// A `Tool` message as one `tool_result`. `raw` is its content if it is not empty. An error if
    /// there is no `tool_call_id`.
    fn result_block(&self, raw: &[UnifiedContentBlock]) -> Result<UnifiedContentBlock> {
        let Some(id) = self.tool_call_id.clone().filter(|id| !id.is_empty()) else {
            bail!("a tool message has no `tool_call_id`, so its call is unknown");
        };
        let metadata = self.tool_metadata.as_ref();
        Ok(UnifiedContentBlock::ToolResult {
            tool_use_id: id,
            content: match raw {
                [] => ToolResultContent::Text(self.content.clone().unwrap_or_default()),
                _ => ToolResultContent::Blocks(raw.to_vec()),
            },
            is_error: metadata.and_then(|run| (!run.success).then_some(true)),
        })
    }

    /// A message with these blocks. Its flat fields are:
    ///
    /// - `content`: the text blocks, joined by newlines; on a `Tool` message also the text of
    ///   its `tool_result` blocks;
    /// - `reasoning`: the thinking blocks, joined by newlines, without redacted and empty ones;
    /// - `tool_calls`: the `tool_use` blocks, with their input as compact JSON;
    /// - `tool_call_id`, on a `Tool` message: that of its first `tool_result` block.
    ///
    /// A field without a block is `None`. `raw_content_blocks` holds the blocks only if
    /// [`to_blocks`](Self::to_blocks) could not restore them from the flat fields.
    pub fn from_blocks(role: Role, blocks: Vec<UnifiedContentBlock>) -> Self {
        let mut message = Self::new(role);
        for block in &blocks {
            message.show(block);
        }
        let is_flat = message.to_blocks().is_ok_and(|again| again == blocks);
        if !is_flat && !blocks.is_empty() {
            message.raw_content_blocks = Some(blocks);
        }
        message
    }

    /// Adds to the flat fields the parts of `block` that they can hold. Unknown fields of the
    /// block are ignored.
    fn show(&mut self, block: &UnifiedContentBlock) {
        let Some(block) = block.known() else {
            return;
        };
        match block {
            UnifiedContentBlock::Text { text } => add_line(&mut self.content, text),
            UnifiedContentBlock::Thinking {
                thinking,
                redacted: false,
                ..
            } if !thinking.is_empty() => add_line(&mut self.reasoning, thinking),
            UnifiedContentBlock::ToolUse { id, name, input } => {
                let call = ToolCall::new(id, name, arguments(input));
                self.tool_calls.get_or_insert_default().push(call);
            }
            UnifiedContentBlock::ToolResult {
                tool_use_id,
                content,
                ..
            } if self.role == Role::Tool => {
                self.tool_call_id.get_or_insert_with(|| tool_use_id.clone());
                match content {
                    ToolResultContent::Text(text) => add_line(&mut self.content, text),
                    ToolResultContent::Blocks(blocks) => {
                        let texts = blocks.iter().filter_map(text_of);
                        texts.for_each(|text| add_line(&mut self.content, text));
                    }
                    ToolResultContent::Json(json) => {
                        add_line(&mut self.content, &text_of_json(json));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether `block` is the result of a call.
pub(super) fn is_tool_result(block: &UnifiedContentBlock) -> bool {
    matches!(block.known(), Some(UnifiedContentBlock::ToolResult { .. }))
}

fn text_of(block: &UnifiedContentBlock) -> Option<&str> {
    match block.known()? {
        UnifiedContentBlock::Text { text } => Some(text),
        _ => None,
    }
}

fn add_line(to: &mut Option<String>, text: &str) {
    match to {
        Some(before) => {
            before.push('\n');
            before.push_str(text);
        }
        None => *to = Some(text.to_string()),
    }
}

/// The call as a block. Its input is the arguments, parsed by
/// [`parse_arguments`](super::ToolCallFunction::parse_arguments), or a string with the
/// arguments if that fails.
pub(super) fn call_block(call: &ToolCall) -> UnifiedContentBlock {
    let text = &call.function.arguments;
    let parsed = call.function.parse_arguments();
    UnifiedContentBlock::ToolUse {
        id: call.id.clone(),
        name: call.function.name.clone(),
        input: parsed.unwrap_or_else(|_| Value::String(text.clone())),
    }
}

/// The arguments of a call with this input: the text of a string, which is what the model
/// wrote, otherwise compact JSON.
pub(super) fn arguments(input: &Value) -> String {
    match input {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
