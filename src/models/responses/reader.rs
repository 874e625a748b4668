//! A streamed reply of the Responses API.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::agent::{Content, StopReason, StreamDelta, Usage};
use crate::chat::{ChatMessage, MessageStatus, OutputItem, REFUSAL, skipped_items, to_content};
use crate::models::http_request::{
    Reply, ReplyReader, has_calls, interrupted, malformed, parse, reply_note,
};
use crate::provider::ProviderError;

/// Reads one reply of the Responses API.
///
/// Deltas are for display only. The reply is built from the finished items and from the
/// response object at the end.
#[derive(Debug, Default)]
pub struct ResponsesReader {
    /// The finished items, by index.
    done: BTreeMap<u64, OutputItem>,
    /// The indexes of items in which a refusal has begun.
    refused: HashSet<u64>,
    /// The number of characters in text deltas.
    characters: usize,
    /// The response object, sent at the end.
    response: Option<Value>,
}

impl ReplyReader for ResponsesReader {
    /// Events of unknown types are skipped: there are many, and most repeat what others say.
    /// An event without a type is malformed. An event without an `output_index` belongs to
    /// the item after the finished ones, since some servers leave the index out.
    fn read(&mut self, data: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        todo!("streaming-responses-api: write ResponsesReader::read")
    }

    fn read_whole(&mut self, body: &str) -> Result<Vec<StreamDelta>, ProviderError> {
        let response = parse(body)?;
        if response["error"].is_object() {
            return Err(response_error(&response));
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

    /// The reply has the items of the response object, or the finished items if the object has
    /// fewer, since some servers leave them out. The note is that of [`response_end`],
    /// followed by the [skipped parts](skipped_items).
    fn finish(self) -> Result<Reply, ProviderError> {
        todo!("streaming-responses-api: write ResponsesReader::finish")
    }
}

impl ResponsesReader {
    /// The index after the last finished item.
    fn next_index(&self) -> u64 {
        let last = self.done.last_key_value();
        last.map_or(0, |(index, _)| index.saturating_add(1))
    }

    /// The piece that a `.delta` event brings to the screen; `None` for an empty one and for
    /// other types. The first piece of an item's refusal has [`REFUSAL`] before it.
    fn piece(&mut self, kind: &str, index: u64, event: &Value) -> Option<StreamDelta> {
        let delta = event["delta"].as_str().filter(|it| !it.is_empty())?;
        let delta = delta.to_string();
        Some(match kind {
            "response.output_text.delta" => {
                self.characters += delta.chars().count();
                StreamDelta::Text { delta }
            }
            "response.refusal.delta" if self.refused.insert(index) => StreamDelta::Text {
                delta: format!("{REFUSAL}{delta}"),
            },
            "response.refusal.delta" => StreamDelta::Text { delta },
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                StreamDelta::Thinking { delta }
            }
            "response.function_call_arguments.delta" => StreamDelta::ToolCallDelta { delta },
            _ => return None,
        })
    }
}

/// The items of a response; none if it has no `output` list.
fn output(response: &Value) -> Result<Vec<OutputItem>, ProviderError> {
    let items = response["output"].as_array().into_iter().flatten();
    let items = items.map(|item| {
        let read = serde_json::from_value(item.clone());
        read.map_err(|error| malformed(&error.to_string(), &item.to_string()))
    });
    items.collect()
}

/// The items as an agent's content, by way of the chat messages.
fn content_of(items: &[OutputItem]) -> Vec<Content> {
    let messages = ChatMessage::from_output_items(items).into_iter();
    // `to_blocks` fails only for tool messages, and output items contain none.
    let blocks = messages.flat_map(|message| message.to_blocks().unwrap_or_default());
    let mut content = to_content(blocks.collect());
    content.retain(|block| !matches!(block, Content::Text { text } if text.is_empty()));
    for item in items {
        if let OutputItem::FunctionCall(call) = item
            && call.status == Some(MessageStatus::Incomplete)
            && call.arguments.trim().is_empty()
        {
            invalidate_arguments(&mut content, &call.call_id);
        }
    }
    content
}

/// Makes the arguments of `call` invalid, because the length limit cut it before its first
/// argument. An empty object could be valid for the tool, and the call would run.
fn invalidate_arguments(content: &mut [Content], call: &str) {
    for block in content {
        if let Content::ToolCall { id, arguments, .. } = block
            && id == call
        {
            *arguments = Value::String(String::new());
        }
    }
}

/// The stop reason of a response, and a note for the user if one is needed.
///
/// | `status` | `incomplete_details.reason` | reason | note |
/// | --- | --- | --- | --- |
/// | `completed` | | by whether there are calls: `ToolUse` or `Stop` | |
/// | `incomplete` | `max_output_tokens` | `Length` | |
/// | `incomplete` | `content_filter` | `GuardRail` | a content filter ended the reply |
/// | `incomplete` | any other, or none | `Length` | the value, or that there is none |
/// | any other, or none | | as in the first row | the value, or that there is none |
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
                "the reply is incomplete: {}",
                reason.unwrap_or("no reason is given")
            )),
        ),
        ("", _) => (
            end,
            Some("the server gave no reason for the reply's end".to_string()),
        ),
        (other, _) => (
            end,
            Some(format!("the reply ended with an unknown status: {other}")),
        ),
    }
}

/// The error of an event `error`: the object in its field `error`, or the event itself.
fn event_error(event: &Value) -> ProviderError {
    let error = event.get("error").filter(|it| it.is_object());
    ProviderError::from_error_object(error.unwrap_or(event))
}

/// The error of a failed response.
fn response_error(response: &Value) -> ProviderError {
    ProviderError::from_error_object(&response["error"])
}

/// The agent's token counts from `input_tokens`, `output_tokens`, `total_tokens`,
/// `input_tokens_details` (`cached_tokens`, `cache_write_tokens`) and `output_tokens_details`
/// (`reasoning_tokens`). This API includes cached tokens in `input_tokens`; the agent counts
/// them separately.
fn usage(counts: &Value) -> Usage {
    todo!("streaming-responses-api: write usage")
}
