//! One message: from flat fields to blocks, and back.

use anyhow::{Result, bail};
use serde_json::Value;

use super::{ChatMessage, Role, ToolCall, ToolResultContent, UnifiedContentBlock};
use crate::chat::text_of_json;

impl ChatMessage {
    /// The message as blocks.
    ///
    /// `raw_content_blocks` takes precedence: where there are any, they are the answer,
    /// whatever the other fields say. An empty list counts as none. Otherwise `reasoning`
    /// (unless it is empty), `content` and each of `tool_calls` make one block, in this
    /// order.
    ///
    /// A `Tool` message is one `tool_result` block with its `content`, marked as an error
    /// if `tool_metadata` says that the run failed. Raw blocks without a `tool_result` go
    /// inside it, and with one they are the answer, as on any other message. It is an error
    /// if there is no `tool_call_id` to make the block with, or an empty one.
    pub fn to_blocks(&self) -> Result<Vec<UnifiedContentBlock>> {
        let raw = self.raw_content_blocks.as_deref().unwrap_or_default();
        let is_whole = self.role != Role::Tool || raw.iter().any(is_tool_result);
        Ok(match raw {
            [_, ..] if is_whole => raw.to_vec(),
            _ if self.role == Role::Tool => vec![self.result_block(raw)?],
            _ => self.flat_blocks(),
        })
    }

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

    fn result_block(&self, raw: &[UnifiedContentBlock]) -> Result<UnifiedContentBlock> {
        let Some(id) = self.tool_call_id.clone().filter(|id| !id.is_empty()) else {
            bail!("a tool message has no `tool_call_id`, so nobody can say which call it answers");
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

    /// A message of these blocks, whose flat fields show what is in them:
    ///
    /// - `content` is the text blocks, joined with a newline; on a `Tool` message also the
    ///   text in its `tool_result` blocks;
    /// - `reasoning` is the thinking blocks, joined likewise, without those that are
    ///   redacted or empty;
    /// - `tool_calls` is the `tool_use` blocks, with their input as compact JSON;
    /// - `tool_call_id`, on a `Tool` message, is that of its first `tool_result` block.
    ///
    /// A field for which there is no block is `None`. `raw_content_blocks` keeps the blocks
    /// exactly when the flat fields alone would not make the same ones again.
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

    /// Adds to the flat fields what they can show of `block`.
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

/// Whether `block` answers a call.
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

/// The call as a block. Nothing but white space is an empty object, as in
/// [`parse_arguments`](super::ToolCallFunction::parse_arguments); other arguments that are no
/// JSON object stay what they are: a string.
pub(super) fn call_block(call: &ToolCall) -> UnifiedContentBlock {
    let text = &call.function.arguments;
    let parsed = call.function.parse_arguments();
    UnifiedContentBlock::ToolUse {
        id: call.id.clone(),
        name: call.function.name.clone(),
        input: parsed.unwrap_or_else(|_| Value::String(text.clone())),
    }
}

/// The other way: a string is what the model wrote, to the letter.
pub(super) fn arguments(input: &Value) -> String {
    match input {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
