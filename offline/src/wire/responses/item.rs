//! The items of a response's output, and what a stream says of each.

use serde_json::{Value, json};

use crate::request::Request;
use crate::script::{Call, Reply, Thinking, pieces};

/// One item of a response's output.
pub(super) struct Item<'a> {
    pub(super) id: String,
    status: &'static str,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Reasoning(&'a Thinking),
    Message(&'a [String]),
    Call(&'a Call),
}

/// The items of a reply: its thoughts, its text and its calls, as far as it has them.
pub(super) fn items<'a>(request: &Request, reply: &'a Reply) -> Vec<Item<'a>> {
    let status = super::status(reply);
    let item = |prefix: &str, kind| Item {
        id: format!("{prefix}_{:016x}", request.digest),
        status,
        kind,
    };
    let mut items = Vec::new();
    if let Some(thinking) = &reply.thinking {
        items.push(item("rs", Kind::Reasoning(thinking)));
    }
    if let Some(pieces) = &reply.pieces {
        items.push(item("msg", Kind::Message(pieces)));
    }
    for (index, call) in reply.calls.iter().enumerate() {
        items.push(item(&format!("fc_{index}"), Kind::Call(call)));
    }
    items
}

/// The id of a reply's thoughts.
pub(super) fn reasoning_id(request: &Request) -> String {
    format!("rs_{:016x}", request.digest)
}

impl Item<'_> {
    /// The item before its first piece.
    pub(super) fn begun(&self) -> Value {
        match self.kind {
            Kind::Reasoning(_) => json!({ "id": self.id, "type": "reasoning", "summary": [] }),
            Kind::Message(_) => self.message("in_progress", json!([])),
            Kind::Call(call) => self.call("in_progress", call, ""),
        }
    }

    /// The item after its last piece.
    pub(super) fn done(&self) -> Value {
        match self.kind {
            Kind::Reasoning(thinking) => json!({
                "id": self.id,
                "type": "reasoning",
                "summary": [{ "type": "summary_text", "text": thinking.text }],
                "encrypted_content": thinking.signature,
            }),
            Kind::Message(pieces) => {
                self.message(self.status, json!([text_part(&pieces.concat())]))
            }
            Kind::Call(call) => self.call(self.status, call, &call.arguments),
        }
    }

    fn message(&self, status: &str, content: Value) -> Value {
        json!({
            "id": self.id,
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": content,
        })
    }

    fn call(&self, status: &str, call: &Call, arguments: &str) -> Value {
        json!({
            "id": self.id,
            "type": "function_call",
            "status": status,
            "call_id": call.id,
            "name": call.name,
            "arguments": arguments,
        })
    }

    /// What is said of the item between its start and its end.
    pub(super) fn between(&self) -> Vec<(&'static str, Value)> {
        match self.kind {
            Kind::Reasoning(thinking) => reasoning_events(&thinking.text),
            Kind::Message(pieces) => message_events(pieces),
            Kind::Call(call) => call_events(&call.arguments),
        }
    }
}

fn reasoning_events(text: &str) -> Vec<(&'static str, Value)> {
    let part = |text: &str| json!({ "type": "summary_text", "text": text });
    let mut events = vec![(
        "response.reasoning_summary_part.added",
        json!({ "summary_index": 0, "part": part("") }),
    )];
    events.extend(pieces(text).into_iter().map(|piece| {
        (
            "response.reasoning_summary_text.delta",
            json!({ "summary_index": 0, "delta": piece }),
        )
    }));
    events.push((
        "response.reasoning_summary_text.done",
        json!({ "summary_index": 0, "text": text }),
    ));
    events.push((
        "response.reasoning_summary_part.done",
        json!({ "summary_index": 0, "part": part(text) }),
    ));
    events
}

fn message_events(pieces: &[String]) -> Vec<(&'static str, Value)> {
    let text = pieces.concat();
    let mut events = vec![(
        "response.content_part.added",
        json!({ "content_index": 0, "part": text_part("") }),
    )];
    events.extend(pieces.iter().map(|piece| {
        (
            "response.output_text.delta",
            json!({ "content_index": 0, "delta": piece, "logprobs": [] }),
        )
    }));
    events.push((
        "response.output_text.done",
        json!({ "content_index": 0, "text": text, "logprobs": [] }),
    ));
    events.push((
        "response.content_part.done",
        json!({ "content_index": 0, "part": text_part(&text) }),
    ));
    events
}

fn call_events(arguments: &str) -> Vec<(&'static str, Value)> {
    let deltas = pieces(arguments).into_iter().map(|piece| {
        (
            "response.function_call_arguments.delta",
            json!({ "delta": piece }),
        )
    });
    let done = (
        "response.function_call_arguments.done",
        json!({ "arguments": arguments }),
    );
    deltas.chain([done]).collect()
}

fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}
