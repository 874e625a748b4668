//! A streamed reply of the Responses API.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::agent::{Content, StopReason, StreamDelta, Usage};
use crate::chat::{ChatMessage, MessageStatus, OutputItem, REFUSAL, skipped_items, to_content};
use crate::models::http_request::{Reply, ReplyReader, broke_off, malformed, parse};
use crate::provider::ProviderError;

/// Reads the events of one reply.
///
/// Pieces are for the screen. What stays is what the server says of each item when it is
/// done, and of the whole response at its end.
#[derive(Debug, Default)]
pub struct ResponsesReader {
    /// The items that are done, by their index.
    done: BTreeMap<u64, OutputItem>,
    /// The items in which a refusal was begun.
    refused: HashSet<u64>,
    /// How many characters of text were shown.
    shown: usize,
    /// The response at its end.
    response: Option<Value>,
}

impl ReplyReader for ResponsesReader {
    /// Events of a type that is not known are passed over: there are many, and most say
    /// again what others say. One without a type is malformed. One without an `output_index`
    /// is about the item behind all that are done: there are servers that leave it out.
    fn read(&mut self, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        let event = parse(data)?;
        let index = event["output_index"].as_u64();
        let index = index.unwrap_or_else(|| self.next_index());
        let delta = event["delta"].as_str().unwrap_or_default().to_string();
        let piece = match event["type"].as_str() {
            Some("error") => {
                let error = event.get("error").filter(|it| it.is_object());
                return Err(ProviderError::from_error_object(error.unwrap_or(&event)));
            }
            Some("response.failed") => return Err(failure(&event["response"])),
            Some("response.output_text.delta") => {
                self.shown += delta.chars().count();
                StreamDelta::Text { delta }
            }
            Some("response.refusal.delta") => {
                let mark = match self.refused.insert(index) {
                    true => REFUSAL,
                    false => "",
                };
                StreamDelta::Text {
                    delta: format!("{mark}{delta}"),
                }
            }
            Some("response.reasoning_summary_text.delta" | "response.reasoning_text.delta") => {
                StreamDelta::Thinking { delta }
            }
            Some("response.function_call_arguments.delta") => StreamDelta::ToolCallDelta { delta },
            Some("response.output_item.done") => {
                let item = serde_json::from_value(event["item"].clone());
                let item = item.map_err(|error| malformed(&error.to_string(), data))?;
                self.done.insert(index, item);
                return Ok(Vec::new());
            }
            Some("response.completed" | "response.incomplete") => {
                self.response = Some(event["response"].clone());
                return Ok(Vec::new());
            }
            Some(_) => return Ok(Vec::new()),
            None => return Err(malformed("it has no `type`", data)),
        };
        Ok(vec![piece])
    }

    fn read_whole(&mut self, body: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        let response = parse(body)?;
        if response["error"].is_object() {
            return Err(failure(&response));
        }
        if !response["output"].is_array() {
            return Err(malformed("it has no `output`", body));
        }
        let items = output(&response)?;
        self.response = Some(response);
        let content = content_of(&items);
        let pieces = content.into_iter().filter_map(|block| match block {
            Content::Text { text } => Some(StreamDelta::Text { delta: text }),
            Content::Thinking { thinking, .. } if !thinking.is_empty() => {
                Some(StreamDelta::Thinking { delta: thinking })
            }
            Content::ToolCall { arguments, .. } => Some(StreamDelta::ToolCallDelta {
                delta: arguments.to_string(),
            }),
            _ => None,
        });
        Ok(pieces.collect())
    }

    fn is_finished(&self) -> bool {
        self.response.is_some()
    }

    /// The reply is what the response has at its end, unless there are fewer items in it than
    /// were done one by one: there are servers that leave them out. The note names
    /// [what was skipped](skipped_items), behind what [`response_end`] says.
    fn finish(self) -> Result<Reply, ProviderError> {
        let done: Vec<OutputItem> = self.done.into_values().collect();
        let Some(response) = self.response else {
            let calls = done
                .iter()
                .filter(|it| matches!(it, OutputItem::FunctionCall(_)));
            return Err(broke_off(self.shown, calls.count()));
        };
        let whole = output(&response)?;
        let items = match whole.len() < done.len() {
            true => done,
            false => whole,
        };
        let content = content_of(&items);
        let has_calls = content
            .iter()
            .any(|it| matches!(it, Content::ToolCall { .. }));
        let (stop_reason, note) = response_end(&response, has_calls);
        let skipped = skipped_items(&items);
        let left_out = (!skipped.is_empty())
            .then(|| format!("parts of the reply are left out: {}", skipped.join(", ")));
        let notes: Vec<String> = note.into_iter().chain(left_out).collect();
        Ok(Reply {
            content,
            stop_reason,
            note: (!notes.is_empty()).then(|| notes.join("; ")),
            usage: usage(&response["usage"]),
        })
    }
}

impl ResponsesReader {
    /// The index behind those of all items that are done.
    fn next_index(&self) -> u64 {
        let last = self.done.last_key_value();
        last.map_or(0, |(index, _)| index.saturating_add(1))
    }
}

/// The items of a response, none if it has no list of them.
fn output(response: &Value) -> Result<Vec<OutputItem>, ProviderError> {
    let items = response["output"].as_array().into_iter().flatten();
    let items = items.map(|item| {
        let read = serde_json::from_value(item.clone());
        read.map_err(|error| malformed(&error.to_string(), &item.to_string()))
    });
    items.collect()
}

/// What an agent keeps of the items: the blocks of the chat message that they are.
fn content_of(items: &[OutputItem]) -> Vec<Content> {
    let messages = ChatMessage::from_output_items(items).into_iter();
    // Only a tool's message can be without blocks to make.
    let blocks = messages.flat_map(|message| message.to_blocks().unwrap_or_default());
    let mut content = to_content(blocks.collect());
    content.retain(|block| !matches!(block, Content::Text { text } if text.is_empty()));
    for item in items {
        if let OutputItem::FunctionCall(call) = item
            && call.status == Some(MessageStatus::Incomplete)
            && call.arguments.trim().is_empty()
        {
            withhold(&mut content, &call.call_id);
        }
    }
    content
}

/// Keeps a call from running on which the length limit fell before its first argument: no
/// arguments would be an empty object, and a tool may be content with that.
fn withhold(content: &mut [Content], call: &str) {
    for block in content {
        if let Content::ToolCall { id, arguments, .. } = block
            && id == call
        {
            *arguments = Value::String(String::new());
        }
    }
}

/// Why a response ended, and what has to be said of it.
///
/// | `status` | `incomplete_details.reason` | reason | note |
/// | --- | --- | --- | --- |
/// | `completed` | | by whether there are calls: `ToolUse` or `Stop` | |
/// | `incomplete` | `max_output_tokens` | `Length` | |
/// | `incomplete` | `content_filter` | `GuardRail` | that a content filter ended it |
/// | `incomplete` | any other, or none | `Length` | the word, or that there is none |
/// | any other, or none | | as in the first row | the word, or that there is none |
pub fn response_end(response: &Value, has_calls: bool) -> (StopReason, Option<String>) {
    let end = match has_calls {
        true => StopReason::ToolUse,
        false => StopReason::Stop,
    };
    let reason = response["incomplete_details"]["reason"].as_str();
    match (response["status"].as_str().unwrap_or_default(), reason) {
        ("completed", _) => (end, None),
        ("incomplete", Some("max_output_tokens")) => (StopReason::Length, None),
        ("incomplete", Some("content_filter")) => (
            StopReason::GuardRail,
            Some("the provider's content filter ended the reply".to_string()),
        ),
        ("incomplete", reason) => (
            StopReason::Length,
            Some(format!(
                "the reply is not whole: {}",
                reason.unwrap_or("no reason is given")
            )),
        ),
        ("", _) => (
            end,
            Some("the server gave no reason for the reply's end".to_string()),
        ),
        (other, _) => (
            end,
            Some(format!(
                "the reply ended with a status that is not known here: {other}"
            )),
        ),
    }
}

/// The error of a response that failed.
fn failure(response: &Value) -> ProviderError {
    ProviderError::from_error_object(&response["error"])
}

/// The counts as an agent has them: `input_tokens`, `output_tokens` and `total_tokens`, in
/// `input_tokens_details` the `cached_tokens` and the `cache_write_tokens`, and in
/// `output_tokens_details` the `reasoning_tokens`. This API counts the tokens of the cache,
/// read and written, among those that were read; here they are counted beside them.
fn usage(counts: &Value) -> Usage {
    let count = |pointer: &str| counts.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let cache_read = count("/input_tokens_details/cached_tokens");
    let cache_write = count("/input_tokens_details/cache_write_tokens");
    let input = count("/input_tokens");
    Usage {
        input: input.saturating_sub(cache_read).saturating_sub(cache_write),
        output: count("/output_tokens"),
        reasoning: count("/output_tokens_details/reasoning_tokens"),
        cache_read,
        cache_write,
        total_tokens: count("/total_tokens"),
    }
}
