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
        let event = parse(data)?;
        match event["type"].as_str() {
            Some("error") => return Err(ProviderError::from_error_object(&event["error"])),
            Some("message_start") => add_usage(&mut self.usage, &event["message"]["usage"]),
            Some("content_block_start") => return self.begin(&event, data),
            Some("content_block_delta") => return self.grow(&event, data),
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
        if !self.is_finished() {
            return Err(self.broken());
        }
        let reason = self.stop_reason.unwrap_or_default();
        let last = self.blocks.keys().next_back().copied();
        let blocks = self.blocks.into_iter();
        let blocks: Vec<MessagesBlock> = blocks
            .map(|(index, open)| open.close(reason == "max_tokens" && Some(index) == last))
            .collect();
        let mut content = to_content(unified_blocks(&blocks));
        content.retain(|block| !matches!(block, Content::Text { text } if text.is_empty()));
        let has_calls = content
            .iter()
            .any(|it| matches!(it, Content::ToolCall { .. }));
        let (stop_reason, note) = stop_reason(&reason, has_calls);
        let skipped = skipped_blocks(&blocks);
        let left_out = (!skipped.is_empty())
            .then(|| format!("blocks of the reply are left out: {}", skipped.join(", ")));
        let notes: Vec<String> = note.into_iter().chain(left_out).collect();
        let mut usage = self.usage;
        usage.total_tokens = usage.input + usage.output + usage.cache_read + usage.cache_write;
        Ok(Reply {
            content,
            stop_reason,
            note: (!notes.is_empty()).then(|| notes.join("; ")),
            usage,
        })
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
        let index = index_of(event, data)?;
        let Some(open) = self.blocks.get_mut(&index) else {
            return Err(malformed("it goes on with a block that never began", data));
        };
        let delta = &event["delta"];
        let more = |name: &str| delta[name].as_str().unwrap_or_default();
        let piece = match &mut open.block {
            MessagesBlock::Text { text } => {
                text.push_str(more("text"));
                text_piece(more("text"))
            }
            MessagesBlock::Thinking {
                thinking,
                signature,
            } => {
                thinking.push_str(more("thinking"));
                if let Some(seal) = delta["signature"].as_str() {
                    *signature = seal.to_string();
                }
                thinking_piece(more("thinking"))
            }
            MessagesBlock::ToolUse { .. } => {
                open.json.push_str(more("partial_json"));
                let delta = more("partial_json").to_string();
                (!delta.is_empty()).then_some(StreamDelta::ToolCallDelta { delta })
            }
            _ => None,
        };
        Ok(piece.into_iter().collect())
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
        match self.block {
            MessagesBlock::ToolUse { id, name, .. } => MessagesBlock::ToolUse {
                id,
                name,
                input: match is_cut && self.json.trim().is_empty() {
                    // No arguments would be an empty object, and the tool would run.
                    true => Value::String(self.json),
                    false => arguments_or_text(&self.json),
                },
            },
            block => block,
        }
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
            Some(format!(
                "the reply ended for a reason that is not known here: {other}"
            )),
        ),
    }
}

/// Takes the counts over that are there: `input_tokens`, `output_tokens`, and for the cache
/// `cache_read_input_tokens` and `cache_creation_input_tokens`. A later one is of the whole
/// reply so far, so it stands in for the one before.
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

fn text_piece(text: &str) -> Option<StreamDelta> {
    let delta = text.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Text { delta })
}

fn thinking_piece(thinking: &str) -> Option<StreamDelta> {
    let delta = thinking.to_string();
    (!delta.is_empty()).then_some(StreamDelta::Thinking { delta })
}
