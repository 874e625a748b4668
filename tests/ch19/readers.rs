//! Streamed replies, event by event, and what a reader builds from them.

use claw_code::agent::{Content, StreamDelta};
use claw_code::models::*;
use claw_code::provider::*;
use serde::Serialize;
use serde_json::{Value, json};

/// The events of a message with every kind of block.
pub fn whole_message() -> Vec<String> {
    let usage = json!({ "input_tokens": 20, "cache_creation_input_tokens": 300,
                        "cache_read_input_tokens": 1000, "output_tokens": 1 });
    vec![
        json!({ "type": "message_start", "message": { "id": "msg_1", "content": [], "usage": usage } }).to_string(),
        begin(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "List " })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "first." })),
        delta(0, json!({ "type": "signature_delta", "signature": "c2ln+/==" })),
        begin(1, json!({ "type": "redacted_thinking", "data": "DATA==" })),
        begin(2, json!({ "type": "text", "text": "" })),
        delta(2, json!({ "type": "text_delta", "text": "Let me " })),
        begin(3, json!({ "type": "tool_use", "id": "toolu_1", "name": "list", "input": {} })),
        delta(2, json!({ "type": "text_delta", "text": "look." })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "{\"path\":" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "\"src\"}" })),
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 40 } }).to_string(),
        json!({ "type": "message_stop" }).to_string(),
    ]
}

/// The events of a response with every kind of item, with or without `output` at the end.
pub fn whole_response(has_output: bool) -> Vec<String> {
    let items = [
        json!({ "type": "reasoning", "id": "rs_1", "encrypted_content": "ENC==",
                "summary": [{ "type": "summary_text", "text": "List first." }] }),
        json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{ "type": "output_text", "text": "Let me look.", "annotations": [] }] }),
        json!({ "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "list",
                "arguments": "{\"path\":\"src\"}", "status": "completed" }),
    ];
    let output = if has_output { json!(items) } else { json!([]) };
    let piece = |kind: &str, index: usize, delta: &str| json!({ "type": kind, "output_index": index, "delta": delta });
    let done = |index: usize| json!({ "type": "response.output_item.done", "output_index": index, "item": items[index] });
    let events = vec![
        json!({ "type": "response.created", "response": { "status": "in_progress", "output": [] } }),
        piece("response.reasoning_summary_text.delta", 0, "List first."),
        json!({ "type": "response.reasoning_summary_text.done", "output_index": 0, "text": "List first." }),
        done(0),
        json!({ "type": "response.output_item.added", "output_index": 1, "item": { "type": "message" } }),
        piece("response.output_text.delta", 1, "Let me "),
        piece("response.output_text.delta", 1, "look."),
        json!({ "type": "response.output_text.done", "output_index": 1, "text": "Let me look." }),
        done(1),
        piece(
            "response.function_call_arguments.delta",
            2,
            "{\"path\":\"src\"}",
        ),
        done(2),
        json!({ "type": "response.completed", "response": { "status": "completed", "error": null, "output": output, "usage": {
            "input_tokens": 1320, "input_tokens_details": { "cached_tokens": 1000, "cache_write_tokens": 300 },
            "output_tokens": 40, "output_tokens_details": { "reasoning_tokens": 30 }, "total_tokens": 1365 } } }),
    ];
    events.iter().map(Value::to_string).collect()
}

pub fn begin(index: usize, block: Value) -> String {
    json!({ "type": "content_block_start", "index": index, "content_block": block }).to_string()
}

pub fn delta(index: usize, delta: Value) -> String {
    json!({ "type": "content_block_delta", "index": index, "delta": delta }).to_string()
}

pub fn end(reason: &str) -> String {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 1 } })
        .to_string()
}

/// Checks that the content can be stored: written inside a list and a record, and read again.
#[track_caller]
pub fn assert_can_be_kept(messages: &impl Serialize) {
    let record = json!([{ "record": { "messages": [messages] } }]);
    let again: Result<Value, _> = serde_json::from_str(&record.to_string());
    assert!(
        again.as_ref().is_ok_and(|again| *again == record),
        "content must survive a round trip through JSON, or a session is lost: {:?}",
        again.err()
    );
}

/// The reply that a reader builds from these events, and its deltas.
pub fn read(
    mut reader: impl ReplyReader,
    events: &[String],
) -> (Result<Reply, ProviderError>, Vec<StreamDelta>) {
    let mut pieces = Vec::new();
    for event in events {
        let read = reader.read(event);
        pieces.extend(read.unwrap_or_else(|error| panic!("{event}\ncannot be read: {error}")));
    }
    (reader.finish(), pieces)
}

/// The reply that a reader builds from these events, after a check that no events give no reply.
#[track_caller]
pub fn reply<R: ReplyReader + Default>(events: &[String]) -> Reply {
    assert_no_events_are_no_reply::<R>();
    let (reply, _) = read(R::default(), events);
    reply.unwrap_or_else(|error| panic!("these events are a whole reply: {error}"))
}

/// The reply and the deltas that a reader builds from a complete body, after the same check.
#[track_caller]
pub fn read_whole<R: ReplyReader + Default>(
    body: &Value,
) -> Result<(Reply, Vec<StreamDelta>), ProviderError> {
    assert_no_events_are_no_reply::<R>();
    let mut reader = R::default();
    let deltas = reader.read_whole(&body.to_string())?;
    Ok((reader.finish()?, deltas))
}

#[track_caller]
fn assert_no_events_are_no_reply<R: ReplyReader + Default>() {
    let (nothing, _) = read(R::default(), &[]);
    assert!(
        matches!(nothing, Err(ProviderError::Network(_))),
        "a stream without events is not a reply: {nothing:?}"
    );
}

/// A message with one call, in each of the three ways in which its arguments arrive.
pub fn replies_with_call(arguments: &str) -> [(&'static str, Reply); 3] {
    let whole: Value = serde_json::from_str(arguments).expect("JSON");
    let call =
        |input: &Value| json!({ "type": "tool_use", "id": "t", "name": "bash", "input": input });
    let in_pieces = [
        begin(0, call(&json!({}))),
        delta(
            0,
            json!({ "type": "input_json_delta", "partial_json": arguments }),
        ),
        end("tool_use"),
    ];
    let at_once = [begin(0, call(&whole)), end("tool_use")];
    let body = json!({ "type": "message", "stop_reason": "tool_use", "content": [call(&whole)] });
    let (complete, _) = read_whole::<MessagesReader>(&body).expect("a message");
    [
        ("in pieces", reply::<MessagesReader>(&in_pieces)),
        (
            "in the block's beginning",
            reply::<MessagesReader>(&at_once),
        ),
        ("in one piece", complete),
    ]
}

/// Fails unless the note contains `part`, or is absent if `part` is empty.
#[track_caller]
pub fn assert_note(reply: &Reply, part: &str) {
    let note = reply.note.as_deref().unwrap_or_default();
    assert!(
        note.contains(part) && note.is_empty() == part.is_empty(),
        "the note should contain {part:?}, or be absent if that is empty; it is {note:?}, and the reply ended with {:?}",
        reply.stop_reason
    );
}

pub fn arguments_of(content: &[Content]) -> Value {
    let call = content.iter().find_map(|block| match block {
        Content::ToolCall { arguments, .. } => Some(arguments.clone()),
        _ => None,
    });
    call.expect("a call")
}

pub fn said(delta: &str) -> StreamDelta {
    StreamDelta::Text {
        delta: delta.into(),
    }
}

pub fn thinking(delta: &str) -> StreamDelta {
    StreamDelta::Thinking {
        delta: delta.into(),
    }
}

pub fn arguments(delta: &str) -> StreamDelta {
    StreamDelta::ToolCallDelta {
        delta: delta.into(),
    }
}

pub fn text_of(piece: &StreamDelta) -> &str {
    match piece {
        StreamDelta::Text { delta } => delta,
        _ => "",
    }
}
