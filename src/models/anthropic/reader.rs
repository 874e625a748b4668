//! A streamed reply of the Messages API.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::agent::{Content, StopReason, StreamDelta, Usage};
use crate::chat::{MessagesBlock, skipped_blocks, to_content, unified_blocks};
use crate::models::http_request::{Reply, ReplyReader, interrupted, malformed, parse};
use crate::provider::{ProviderError, arguments_or_text};

/// Reads one reply of the Messages API.
#[derive(Debug, Default)]
pub struct MessagesReader {
    /// The blocks by their index.
    blocks: BTreeMap<u64, OpenBlock>,
    usage: Usage,
    stop_reason: Option<String>,
    is_over: bool,
}

/// A block that is still streaming.
#[derive(Debug)]
struct OpenBlock {
    block: MessagesBlock,
    /// The arguments of a tool call so far, as JSON text.
    json: String,
}

impl ReplyReader for MessagesReader {
    /// Events of unknown types are skipped, as the API requires of its clients. An event
    /// without a type is malformed, and so is a block event without an `index`.
    fn read(&mut self, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        todo!("streaming-messages-api: write MessagesReader::read")
    }

    fn read_whole(&mut self, body: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        let message = parse(body)?;
        if message["type"] == "error" {
            return Err(ProviderError::from_error_object(&message["error"]));
        }
        let Some(blocks) = message["content"].as_array() else {
            return Err(malformed("it has no `content`", body));
        };
        let mut pieces = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let event = json!({ "index": index, "content_block": block });
            pieces.extend(self.start_block(&event, body)?);
        }
        add_usage(&mut self.usage, &message["usage"]);
        self.stop_reason = message["stop_reason"].as_str().map(str::to_string);
        self.is_over = true;
        Ok(pieces)
    }

    fn is_finished(&self) -> bool {
        self.is_over || self.stop_reason.is_some()
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    /// The arguments of calls are parsed by [`arguments_or_text`], as in chapter 2. If the
    /// length limit cut the last block, a call, before its first argument, its arguments are
    /// the empty text.
    ///
    /// Empty texts and blocks of unknown types are left out. The note is that of
    /// [`stop_reason`], followed by the unknown types. The total is the sum of the four counts.
    fn finish(self) -> Result<Reply, ProviderError> {
        todo!("streaming-messages-api: write MessagesReader::finish")
    }
}

impl MessagesReader {
    /// Starts a block and returns the delta of its initial content.
    fn start_block(
        &mut self,
        event: &Value,
        data: &str,
    ) -> Result<Vec<StreamDelta>, ProviderError> {
        let block = serde_json::from_value(event["content_block"].clone());
        let block: MessagesBlock = block.map_err(|error| malformed(&error.to_string(), data))?;
        let mut json = String::new();
        let piece = match &block {
            MessagesBlock::Text { text } => text_delta(text),
            MessagesBlock::Thinking { thinking, .. } => thinking_delta(thinking),
            MessagesBlock::ToolUse { input, .. } if *input != json!({}) => {
                json = input.to_string();
                Some(StreamDelta::ToolCallDelta {
                    delta: json.clone(),
                })
            }
            _ => None,
        };
        let index = index_of(event, data)?;
        self.blocks.insert(index, OpenBlock { block, json });
        Ok(piece.into_iter().collect())
    }

    /// Adds a delta to its block. A delta without a block is malformed. A delta of a different
    /// kind than its block is skipped. A signature arrives in one piece, so a second one
    /// replaces the first.
    fn add_delta(&mut self, event: &Value, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        todo!("streaming-messages-api: write MessagesReader::add_delta")
    }

    fn interrupted_error(&self) -> ProviderError {
        let blocks = || self.blocks.values().map(|open| &open.block);
        let texts = blocks().map(|block| match block {
            MessagesBlock::Text { text } => text.chars().count(),
            _ => 0,
        });
        let calls = blocks().filter(|it| matches!(it, MessagesBlock::ToolUse { .. }));
        interrupted(texts.sum(), calls.count())
    }
}

impl OpenBlock {
    /// The finished block. `is_cut`: the length limit cut it.
    fn finish(self, is_cut: bool) -> MessagesBlock {
        todo!("streaming-messages-api: write OpenBlock::finish")
    }
}

/// The index of an event's block.
fn index_of(event: &Value, data: &str) -> Result<u64, ProviderError> {
    let index = event["index"].as_u64();
    index.ok_or_else(|| malformed("it has no `index`, so its block is unknown", data))
}

/// The stop reason of a reply, and a note for the user if one is needed.
///
/// | the server's value | reason | note |
/// | --- | --- | --- |
/// | `end_turn`, `stop_sequence`, `tool_use` | by whether there are calls: `ToolUse` or `Stop` | |
/// | `max_tokens` | `Length` | |
/// | `model_context_window_exceeded` | `Length` | the context window is full |
/// | `pause_turn` | `Paused` | |
/// | `refusal` | `GuardRail` | a safety filter ended the reply |
/// | any other, or none | as in the first row | the value, or that there is none |
pub fn stop_reason(reason: &str, has_calls: bool) -> (StopReason, Option<String>) {
    todo!("streaming-messages-api: write stop_reason")
}

/// Copies the counts that are present: `input_tokens`, `output_tokens`, and for the cache
/// `cache_read_input_tokens` and `cache_creation_input_tokens`. Each count covers the whole
/// reply so far, so a later one replaces an earlier one.
fn add_usage(usage: &mut Usage, counts: &Value) {
    todo!("streaming-messages-api: write add_usage")
}

fn text_delta(text: &str) -> Option<StreamDelta> {
    let delta = text.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Text { delta })
}

fn thinking_delta(thinking: &str) -> Option<StreamDelta> {
    let delta = thinking.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Thinking { delta })
}
