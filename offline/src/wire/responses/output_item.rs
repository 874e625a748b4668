//! The items of a response's output and the events that stream them.

use serde_json::{Value, json};

use crate::model_request::ModelRequest;
use crate::reply::{Reply, Thinking, ToolCall, split_text};

/// One item of a response's output.
pub(super) struct OutputItem<'a> {
    pub(super) id: String,
    /// The item's status once it is done.
    status: &'static str,
    kind: ItemKind<'a>,
}

enum ItemKind<'a> {
    Reasoning(&'a Thinking),
    Message {
        pieces: &'a [String],
    },
    FunctionCall(&'a ToolCall),
    /// A call of a tool that takes text.
    CustomCall(&'a ToolCall),
}

/// An event's name and its data.
type NamedEvent = (String, Value);

/// The items of a reply: its thought, its text and its calls, if it has them.
pub(super) fn output_items<'a>(
    request: &ModelRequest,
    reply: &'a Reply,
    status: &'static str,
) -> Vec<OutputItem<'a>> {
    let item = |id, kind| OutputItem { id, status, kind };
    let digest = request.digest;
    let mut items = Vec::new();
    if let Some(thinking) = &reply.thinking {
        items.push(item(reasoning_id(request), ItemKind::Reasoning(thinking)));
    }
    if let Some(pieces) = &reply.pieces {
        let id = format!("msg_{digest:016x}");
        items.push(item(id, ItemKind::Message { pieces }));
    }
    for (index, call) in reply.calls.iter().enumerate() {
        items.push(match call.is_freeform {
            false => item(
                format!("fc_{index}_{digest:016x}"),
                ItemKind::FunctionCall(call),
            ),
            true => item(
                format!("ctc_{index}_{digest:016x}"),
                ItemKind::CustomCall(call),
            ),
        });
    }
    items
}

/// The id of a reply's reasoning item.
pub(super) fn reasoning_id(request: &ModelRequest) -> String {
    format!("rs_{:016x}", request.digest)
}

impl OutputItem<'_> {
    /// The item before its first piece.
    pub(super) fn start_json(&self) -> Value {
        match self.kind {
            ItemKind::Reasoning(_) => json!({ "id": self.id, "type": "reasoning", "summary": [] }),
            ItemKind::Message { .. } => self.message_json("in_progress", json!([])),
            ItemKind::FunctionCall(call) => self.call_json("in_progress", call, ""),
            ItemKind::CustomCall(call) => self.custom_call_json("in_progress", call, ""),
        }
    }

    /// The item after its last piece.
    pub(super) fn full_json(&self) -> Value {
        match self.kind {
            ItemKind::Reasoning(thinking) => json!({
                "id": self.id,
                "type": "reasoning",
                "summary": [summary_part(&thinking.text)],
                "encrypted_content": thinking.signature,
            }),
            ItemKind::Message { pieces } => {
                self.message_json(self.status, json!([text_part(&pieces.concat())]))
            }
            ItemKind::FunctionCall(call) => self.call_json(self.status, call, &call.arguments),
            ItemKind::CustomCall(call) => self.custom_call_json(self.status, call, &call.arguments),
        }
    }

    fn message_json(&self, status: &str, content: Value) -> Value {
        json!({
            "id": self.id,
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": content,
        })
    }

    fn call_json(&self, status: &str, call: &ToolCall, arguments: &str) -> Value {
        json!({
            "id": self.id,
            "type": "function_call",
            "status": status,
            "call_id": call.id,
            "name": call.name,
            "arguments": arguments,
        })
    }

    fn custom_call_json(&self, status: &str, call: &ToolCall, input: &str) -> Value {
        json!({
            "id": self.id,
            "type": "custom_tool_call",
            "status": status,
            "call_id": call.id,
            "name": call.name,
            "input": input,
        })
    }

    /// The events between the start and the end of the item.
    pub(super) fn events(&self) -> Vec<NamedEvent> {
        match self.kind {
            ItemKind::Reasoning(thinking) => reasoning_events(&thinking.text),
            ItemKind::Message { pieces } => message_events(pieces),
            ItemKind::FunctionCall(call) => {
                call_events("response.function_call_arguments", "arguments", call)
            }
            ItemKind::CustomCall(call) => {
                call_events("response.custom_tool_call_input", "input", call)
            }
        }
    }
}

fn reasoning_events(text: &str) -> Vec<NamedEvent> {
    let mut events = vec![(
        "response.reasoning_summary_part.added".to_string(),
        json!({ "summary_index": 0, "part": summary_part("") }),
    )];
    events.extend(split_text(text).into_iter().map(|piece| {
        (
            "response.reasoning_summary_text.delta".to_string(),
            json!({ "summary_index": 0, "delta": piece }),
        )
    }));
    events.push((
        "response.reasoning_summary_text.done".to_string(),
        json!({ "summary_index": 0, "text": text }),
    ));
    events.push((
        "response.reasoning_summary_part.done".to_string(),
        json!({ "summary_index": 0, "part": summary_part(text) }),
    ));
    events
}

fn message_events(pieces: &[String]) -> Vec<NamedEvent> {
    let text = pieces.concat();
    let mut events = vec![(
        "response.content_part.added".to_string(),
        json!({ "content_index": 0, "part": text_part("") }),
    )];
    events.extend(pieces.iter().map(|piece| {
        (
            "response.output_text.delta".to_string(),
            json!({ "content_index": 0, "delta": piece, "logprobs": [] }),
        )
    }));
    events.push((
        "response.output_text.done".to_string(),
        json!({ "content_index": 0, "text": text, "logprobs": [] }),
    ));
    events.push((
        "response.content_part.done".to_string(),
        json!({ "content_index": 0, "part": text_part(&text) }),
    ));
    events
}

/// The events of a call. `name` is the start of their names, and `field` the field of the last
/// one.
fn call_events(name: &str, field: &str, call: &ToolCall) -> Vec<NamedEvent> {
    let deltas = split_text(&call.arguments).into_iter();
    let deltas = deltas.map(|piece| (format!("{name}.delta"), json!({ "delta": piece })));
    let done = (format!("{name}.done"), json!({ field: call.arguments }));
    deltas.chain([done]).collect()
}

fn summary_part(text: &str) -> Value {
    json!({ "type": "summary_text", "text": text })
}

fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}
