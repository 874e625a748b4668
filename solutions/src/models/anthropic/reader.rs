//! A streamed reply of the Messages API.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::agent::{Content, StopReason, StreamDelta, Usage};
use crate::chat::{MessagesBlock, skipped_blocks, to_content, unified_blocks};
use crate::models::http_request::{
    Reply, ReplyReader, has_calls, interrupted, malformed, parse, reply_note,
};
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
        let event = parse(data)?;
        match event["type"].as_str() {
            Some("error") => return Err(ProviderError::from_error_object(&event["error"])),
            Some("message_start") => add_usage(&mut self.usage, &event["message"]["usage"]),
            Some("content_block_start") => return self.start_block(&event, data),
            Some("content_block_delta") => return self.add_delta(&event, data),
            Some("message_delta") => {
                add_usage(&mut self.usage, &event["usage"]);
                if let Some(reason) = event["delta"]["stop_reason"].as_str() {
                    self.stop_reason = Some(reason.to_string());
                }
            }
            Some("message_stop") => self.is_over = true,
            Some(_) => {}
            None => return Err(malformed("it has no `type`", data)),
        }
        Ok(Vec::new())
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

    /// The arguments of calls are parsed by [`arguments_or_text`], as in chapter 2. If a limit or
    /// a safety filter cut the last block, a call, before its first argument, its arguments are
    /// their blank text as a JSON string.
    ///
    /// Empty texts and blocks of unknown types are left out. The note is that of
    /// [`stop_reason`], followed by the unknown types. The total is the saturating sum of the four
    /// counts.
    fn finish(self) -> Result<Reply, ProviderError> {
        if !self.is_finished() {
            return Err(self.interrupted_error());
        }
        let reason = self.stop_reason.unwrap_or_default();
        let (end, _) = stop_reason(&reason, false);
        let is_cut = matches!(end, StopReason::Length | StopReason::GuardRail);
        let blocks = finished_blocks(self.blocks, is_cut);
        let mut content = to_content(unified_blocks(&blocks));
        content.retain(|block| !matches!(block, Content::Text { text } if text.is_empty()));
        let (stop_reason, note) = stop_reason(&reason, has_calls(&content));
        let mut usage = self.usage;
        let counts = [
            usage.input,
            usage.output,
            usage.cache_read,
            usage.cache_write,
        ];
        usage.total_tokens = counts.into_iter().fold(0, u64::saturating_add);
        Ok(Reply {
            content,
            stop_reason,
            note: reply_note(note, "blocks", &skipped_blocks(&blocks)),
            usage,
        })
    }
}

impl MessagesReader {
    /// The blocks as far as they have arrived, in order. The input of a call is the text of its
    /// arguments so far, as a JSON string.
    pub fn blocks(&self) -> Vec<MessagesBlock> {
        let mut blocks = Vec::new();
        for open in self.blocks.values() {
            let mut block = open.block.clone();
            if let MessagesBlock::ToolUse { input, .. } = &mut block {
                *input = json!(open.json);
            }
            blocks.push(block);
        }
        blocks
    }

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
                arguments_delta(&json)
            }
            _ => None,
        };
        let index = index_of(event, data)?;
        self.blocks.insert(index, OpenBlock { block, json });
        Ok(piece.into_iter().collect())
    }

    /// Adds a delta to its block and returns what is new. A delta without an index is malformed,
    /// and so is one whose block never began.
    fn add_delta(&mut self, event: &Value, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        let index = index_of(event, data)?;
        let Some(open) = self.blocks.get_mut(&index) else {
            return Err(malformed("it continues a block that never began", data));
        };
        Ok(open.add(&event["delta"]).into_iter().collect())
    }

    fn interrupted_error(&self) -> ProviderError {
        let blocks = self.blocks();
        let texts = blocks.iter().map(|block| match block {
            MessagesBlock::Text { text } => text.chars().count(),
            _ => 0,
        });
        let calls = blocks.iter();
        let calls = calls.filter(|it| matches!(it, MessagesBlock::ToolUse { .. }));
        interrupted(texts.sum(), calls.count())
    }
}

impl OpenBlock {
    /// Adds the `text`, the `thinking`, the `signature` or the `partial_json` of a delta, and
    /// returns the new piece for the screen, unless it is empty. A delta of a different kind
    /// than its block is skipped. A signature arrives in one piece, so a second one replaces
    /// the first. It is never shown.
    fn add(&mut self, delta: &Value) -> Option<StreamDelta> {
        let piece = |name: &str| delta[name].as_str().unwrap_or_default();
        match &mut self.block {
            MessagesBlock::Text { text } => {
                text.push_str(piece("text"));
                text_delta(piece("text"))
            }
            MessagesBlock::Thinking {
                thinking,
                signature,
            } => {
                thinking.push_str(piece("thinking"));
                if let Some(new) = delta["signature"].as_str() {
                    *signature = new.to_string();
                }
                thinking_delta(piece("thinking"))
            }
            MessagesBlock::ToolUse { .. } => {
                self.json.push_str(piece("partial_json"));
                arguments_delta(piece("partial_json"))
            }
            _ => None,
        }
    }

    /// The finished block. `is_cut`: a limit or a safety filter cut it.
    fn finish(self, is_cut: bool) -> MessagesBlock {
        match self.block {
            MessagesBlock::ToolUse { id, name, .. } => MessagesBlock::ToolUse {
                id,
                name,
                input: final_input(self.json, is_cut),
            },
            block => block,
        }
    }
}

/// The finished blocks, in order. `is_cut`: a limit or a safety filter cut the last one.
fn finished_blocks(blocks: BTreeMap<u64, OpenBlock>, is_cut: bool) -> Vec<MessagesBlock> {
    let last = blocks.keys().next_back().copied();
    let blocks = blocks.into_iter();
    let blocks = blocks.map(|(index, open)| open.finish(is_cut && Some(index) == last));
    blocks.collect()
}

/// The arguments of a finished call, parsed by [`arguments_or_text`]. If the call was cut and the
/// text is blank, that text as a JSON string: an empty object would run the tool.
fn final_input(json: String, is_cut: bool) -> Value {
    match is_cut && json.trim().is_empty() {
        true => Value::String(json),
        false => arguments_or_text(&json),
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
    let end = match has_calls {
        true => StopReason::ToolUse,
        false => StopReason::Stop,
    };
    let note = |text: &str| Some(text.to_string());
    match reason {
        "end_turn" | "stop_sequence" | "tool_use" => (end, None),
        "max_tokens" => (StopReason::Length, None),
        "model_context_window_exceeded" => (
            StopReason::Length,
            note("the context window is full: the reply is cut off"),
        ),
        "pause_turn" => (StopReason::Paused, None),
        "refusal" => (
            StopReason::GuardRail,
            note("the provider's safety filter ended the reply"),
        ),
        "" => (end, note("the server gave no reason for the reply's end")),
        other => (
            end,
            Some(format!("the reply ended for an unknown reason: {other}")),
        ),
    }
}

/// Copies the counts that are present: `input_tokens`, `output_tokens`, and for the cache
/// `cache_read_input_tokens` and `cache_creation_input_tokens`. Each count covers the whole
/// reply so far, so a later one replaces an earlier one.
fn add_usage(usage: &mut Usage, counts: &Value) {
    let fields = [
        (&mut usage.input, "input_tokens"),
        (&mut usage.output, "output_tokens"),
        (&mut usage.cache_read, "cache_read_input_tokens"),
        (&mut usage.cache_write, "cache_creation_input_tokens"),
    ];
    for (field, name) in fields {
        *field = counts[name].as_u64().unwrap_or(*field);
    }
}

fn text_delta(text: &str) -> Option<StreamDelta> {
    let delta = text.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Text { delta })
}

fn thinking_delta(thinking: &str) -> Option<StreamDelta> {
    let delta = thinking.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Thinking { delta })
}

fn arguments_delta(json: &str) -> Option<StreamDelta> {
    let delta = json.to_string();
    (!delta.is_empty()).then_some(StreamDelta::ToolCallDelta { delta })
}
