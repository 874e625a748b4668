//! A streamed reply of the Messages API.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::agent::{Content, StopReason, StreamDelta, Usage};
use crate::chat::{MessagesBlock, skipped_blocks, to_content, unified_blocks};
use crate::models::http_request::{Reply, ReplyReader, broke_off, malformed, parse};
use crate::provider::{ProviderError, arguments_or_text};

/// Reads the events of one reply.
#[derive(Debug, Default)]
pub struct MessagesReader {
    /// The blocks by their index.
    blocks: BTreeMap<u64, OpenBlock>,
    usage: Usage,
    stop_reason: Option<String>,
    is_over: bool,
}

/// A block that may still grow.
#[derive(Debug)]
struct OpenBlock {
    block: MessagesBlock,
    /// Of a call, the arguments so far.
    json: String,
}

impl ReplyReader for MessagesReader {
    /// Events of a type that is not known are passed over, as the API asks of its clients. One
    /// without a type is malformed, and so is one about a block that has no `index`.
    fn read(&mut self, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        todo!("19.8: write MessagesReader::read")
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
            pieces.extend(self.begin(&event, body)?);
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

    /// Calls have their arguments [read](arguments_or_text), as in chapter 2; a call on which
    /// the length limit fell before its first argument has the text that there is: none. The
    /// limit falls on the last block.
    ///
    /// An empty text is left out. So are blocks of types that are not known, and the note
    /// names these, behind what [`stop_reason`] says. The total is the sum of the four counts.
    fn finish(self) -> Result<Reply, ProviderError> {
        todo!("19.8: write MessagesReader::finish")
    }
}

impl MessagesReader {
    /// A block begins. What it has from the start can be shown already.
    fn begin(&mut self, event: &Value, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        let block = serde_json::from_value(event["content_block"].clone());
        let block: MessagesBlock = block.map_err(|error| malformed(&error.to_string(), data))?;
        let mut json = String::new();
        let piece = match &block {
            MessagesBlock::Text { text } => text_piece(text),
            MessagesBlock::Thinking { thinking, .. } => thinking_piece(thinking),
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

    /// More of a block; that of one which never began is malformed. A delta of another kind
    /// than its block is passed over. A seal comes whole: a second one replaces the first.
    fn grow(&mut self, event: &Value, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        todo!("19.8: write MessagesReader::grow")
    }

    fn broken(&self) -> ProviderError {
        let blocks = || self.blocks.values().map(|open| &open.block);
        let texts = blocks().map(|block| match block {
            MessagesBlock::Text { text } => text.chars().count(),
            _ => 0,
        });
        let calls = blocks().filter(|it| matches!(it, MessagesBlock::ToolUse { .. }));
        broke_off(texts.sum(), calls.count())
    }
}

impl OpenBlock {
    /// The block as it stays. `is_cut`: the length limit fell on it.
    fn close(self, is_cut: bool) -> MessagesBlock {
        todo!("19.8: write OpenBlock::close")
    }
}

/// Which block an event is about.
fn index_of(event: &Value, data: &str) -> Result<u64, ProviderError> {
    let index = event["index"].as_u64();
    index.ok_or_else(|| {
        malformed(
            "it has no `index`, so nobody can say which block it is about",
            data,
        )
    })
}

/// Why a reply ended, and what has to be said of it.
///
/// | the server's word | reason | note |
/// | --- | --- | --- |
/// | `end_turn`, `stop_sequence`, `tool_use` | by whether there are calls: `ToolUse` or `Stop` | |
/// | `max_tokens` | `Length` | |
/// | `model_context_window_exceeded` | `Length` | that the context window is full |
/// | `pause_turn` | `Paused` | |
/// | `refusal` | `GuardRail` | that a safety filter ended it |
/// | any other, or none | as in the first row | the word, or that there is none |
pub fn stop_reason(reason: &str, has_calls: bool) -> (StopReason, Option<String>) {
    todo!("19.8: write stop_reason")
}

/// Takes the counts over that are there: `input_tokens`, `output_tokens`, and for the cache
/// `cache_read_input_tokens` and `cache_creation_input_tokens`. A later one is of the whole
/// reply so far, so it stands in for the one before.
fn add_usage(usage: &mut Usage, counts: &Value) {
    todo!("19.8: write add_usage")
}

fn text_piece(text: &str) -> Option<StreamDelta> {
    let delta = text.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Text { delta })
}

fn thinking_piece(thinking: &str) -> Option<StreamDelta> {
    let delta = thinking.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Thinking { delta })
}
