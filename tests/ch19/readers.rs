//! 19.8 and 19.9 A streamed reply, read without a server.

use claw_code::agent::{Content, StopReason, StreamDelta, Usage};
use claw_code::provider::*;
use serde_json::{Value, json};

use super::{assert_json, to_json};

// 19.8 A stream of the Messages API

#[test]
fn test_ch19_a_stream_of_messages_is_a_reply() {
    let (reply, pieces) = read(MessagesReader::default(), &whole_message());
    let reply = reply.expect("a whole reply");
    assert_json(
        "thoughts with their seal, withheld thoughts, words and a call, in their order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "c2ln+/==" },
            { "type": "thinking", "thinking": "", "signature": "redacted:DATA==" },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "toolu_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "nothing unusual has happened");
    assert_eq!(
        pieces,
        [
            thinking("List "),
            thinking("first."),
            said("Let me "),
            said("look."),
            arguments("{\"path\":"),
            arguments("\"src\"}"),
        ],
        "each piece that can be shown, once, and no empty one"
    );
}

#[test]
fn test_ch19_counts_of_messages() {
    let (reply, _) = read(MessagesReader::default(), &whole_message());
    assert_eq!(
        reply.expect("a whole reply").usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 0,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1360
        },
        "the later count of a kind stands in for the earlier; the total is the sum of all four, which the API does not give"
    );
}

#[test]
fn test_ch19_why_a_message_ended() {
    for (word, reason, note) in [
        ("end_turn", StopReason::Stop, ""),
        ("stop_sequence", StopReason::Stop, ""),
        ("max_tokens", StopReason::Length, ""),
        (
            "model_context_window_exceeded",
            StopReason::Length,
            "context window",
        ),
        ("pause_turn", StopReason::Paused, ""),
        ("refusal", StopReason::GuardRail, "safety filter"),
        ("solar_flare", StopReason::Stop, "solar_flare"),
        ("tool_use", StopReason::Stop, ""),
    ] {
        let (reply, _) = read(
            MessagesReader::default(),
            &[
                begin(0, json!({ "type": "text", "text": "Hi." })),
                end(word),
            ],
        );
        let reply = reply.expect("a whole reply");
        assert_eq!(
            reply.stop_reason, reason,
            "a reply without calls that ended with {word}"
        );
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "for {word} the note should speak of {note:?}, and say nothing where that is empty; it says {found:?}"
        );
    }
    let call = json!({ "type": "tool_use", "id": "t", "name": "list", "input": {} });
    let (reply, _) = read(
        MessagesReader::default(),
        &[begin(0, call), end("end_turn")],
    );
    assert_eq!(
        reply.expect("a whole reply").stop_reason,
        StopReason::ToolUse,
        "where there are calls they have to run, whatever the server says"
    );
}

#[test]
fn test_ch19_torn_arguments_are_kept() {
    let call = |json: &str, why: &str| {
        let (reply, _) = read(
            MessagesReader::default(),
            &[
                begin(
                    0,
                    json!({ "type": "tool_use", "id": "t", "name": "bash", "input": {} }),
                ),
                delta(
                    0,
                    json!({ "type": "input_json_delta", "partial_json": json }),
                ),
                end(why),
            ],
        );
        arguments_of(&reply.expect("a whole reply").content)
    };
    assert_eq!(
        call("{\"command\":\"ls\"}", "tool_use"),
        json!({ "command": "ls" })
    );
    assert_eq!(call("", "tool_use"), json!({}), "a tool without parameters");
    assert_eq!(
        call("{\"command\":\"rm -r /tmp", "max_tokens"),
        json!("{\"command\":\"rm -r /tmp"),
        "what is not JSON is kept to the letter, and chapter 3 answers the call with what is wrong"
    );
    assert_eq!(
        call("", "max_tokens"),
        json!(""),
        "the length limit fell before the first argument: `{{}}` would run the tool without those that were to come"
    );
}

#[test]
fn test_ch19_a_stream_of_messages_that_breaks_off() {
    let whole = whole_message();
    for events in 0..whole.len() - 2 {
        let (reply, _) = read(MessagesReader::default(), &whole[..events]);
        let Err(ProviderError::Network(why)) = reply else {
            panic!(
                "after {events} events of {} the reply is not whole: {reply:?}",
                whole.len()
            );
        };
        assert!(
            why.contains("broke off"),
            "the error should say that the reply broke off: {why}"
        );
    }
    let (reply, _) = read(MessagesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        reply.is_ok(),
        "once it was said why the reply ends, nothing of it is missing: {reply:?}"
    );
    let [.., _, last] = whole.as_slice() else {
        panic!("events")
    };
    let mut reader = MessagesReader::default();
    assert!(!reader.is_over() && !reader.is_finished());
    reader.read(last).expect("`message_stop`");
    assert!(reader.is_over(), "`message_stop` is the last event");
}

#[test]
fn test_ch19_odd_events_of_messages() {
    let mut reader = MessagesReader::default();
    for fine in [
        json!({ "type": "ping" }),
        json!({ "type": "brand_new_event", "x": 1 }),
        json!({ "type": "content_block_stop", "index": 9 }),
    ] {
        let pieces = reader.read(&fine.to_string());
        assert_eq!(pieces, Ok(vec![]), "{fine} is passed over");
    }
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert!(
        matches!(
            reader.read(&overloaded.to_string()),
            Err(ProviderError::Overloaded { .. })
        ),
        "an error in the stream is the error of chapter 2 that fits"
    );
    for bad in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        delta(7, json!({ "type": "text_delta", "text": "x" })),
        begin(0, json!({ "type": "text" })),
    ] {
        let error = reader.read(&bad);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{bad} cannot be understood; read() said {error:?}"
        );
    }
    let (reply, _) = read(
        MessagesReader::default(),
        &[
            begin(
                0,
                json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} }),
            ),
            delta(
                0,
                json!({ "type": "input_json_delta", "partial_json": "{}" }),
            ),
            begin(1, json!({ "type": "text", "text": "" })),
            end("end_turn"),
        ],
    );
    let reply = reply.expect("a whole reply");
    assert_eq!(reply.content, [], "an empty text says nothing");
    assert!(
        reply
            .note
            .as_deref()
            .is_some_and(|note| note.contains("server_tool_use")),
        "a block that cannot be kept is named in the note: {:?}",
        reply.note
    );
}

#[test]
fn test_ch19_a_message_in_one_piece() {
    let mut reader = MessagesReader::default();
    let body = json!({
        "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "tool_use", "id": "t", "name": "list", "input": { "path": "." } },
        ],
        "usage": { "input_tokens": 1, "output_tokens": 2 },
    });
    let pieces = reader.read_whole(&body.to_string()).expect("a message");
    assert_eq!(
        pieces,
        [thinking("t"), said("Hi."), arguments("{\"path\":\".\"}")]
    );
    let reply = reader.finish().expect("a whole reply");
    assert_json(
        "the same as from a stream",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "toolCall", "id": "t", "name": "list", "arguments": { "path": "." } },
        ]),
    );
    assert_eq!(reply.usage.total_tokens, 3);
    let none = MessagesReader::default().read_whole("{\"hello\":1}");
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `content` is no message: {none:?}"
    );
}

// 19.9 A stream of the Responses API

#[test]
fn test_ch19_a_stream_of_items_is_a_reply() {
    let (reply, pieces) = read(ResponsesReader::default(), &whole_response(true));
    let reply = reply.expect("a whole reply");
    assert_json(
        "thoughts with their seal, words and a call, in their order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "rs_1|ENC==" },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "call_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "nothing unusual has happened");
    assert_eq!(
        pieces,
        [
            thinking("List first."),
            said("Let me "),
            said("look."),
            arguments("{\"path\":\"src\"}"),
        ],
        "the pieces alone: events that say again what others said show nothing"
    );
    assert_eq!(
        reply.usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 30,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1360
        },
        "here the tokens of the cache are among those that were read, and have to be taken out"
    );
}

#[test]
fn test_ch19_a_response_without_its_output() {
    let (reply, _) = read(ResponsesReader::default(), &whole_response(false));
    assert_eq!(
        reply.expect("a whole reply").content.len(),
        3,
        "some servers end with an empty `output`: then the items count that were done one by one"
    );
}

#[test]
fn test_ch19_why_a_response_ended() {
    for (status, why, reason, note) in [
        ("completed", Value::Null, StopReason::Stop, ""),
        (
            "incomplete",
            json!("max_output_tokens"),
            StopReason::Length,
            "",
        ),
        (
            "incomplete",
            json!("content_filter"),
            StopReason::GuardRail,
            "content filter",
        ),
        (
            "incomplete",
            json!("solar_flare"),
            StopReason::Length,
            "solar_flare",
        ),
        ("queued", Value::Null, StopReason::Stop, "queued"),
    ] {
        let response = json!({ "status": status, "incomplete_details": { "reason": why },
            "output": [{ "type": "message", "id": "msg_1", "role": "assistant",
                         "content": [{ "type": "output_text", "text": "Hi." }] }] });
        let kind = if status == "incomplete" {
            "response.incomplete"
        } else {
            "response.completed"
        };
        let event = json!({ "type": kind, "response": response }).to_string();
        let (reply, _) = read(ResponsesReader::default(), &[event]);
        let reply = reply.expect("a whole reply");
        assert_eq!(reply.stop_reason, reason, "status {status}, reason {why}");
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "for {status}, {why} the note should speak of {note:?}, and say nothing where that is empty; it says {found:?}"
        );
    }
}

#[test]
fn test_ch19_a_call_that_was_cut_does_not_run() {
    for (written, kept) in [("", json!("")), ("{\"comm", json!("{\"comm"))] {
        let call = json!({ "type": "function_call", "call_id": "c", "name": "bash",
                           "arguments": written, "status": "incomplete" });
        let response = json!({ "status": "incomplete", "output": [call],
                               "incomplete_details": { "reason": "max_output_tokens" } });
        let event = json!({ "type": "response.incomplete", "response": response }).to_string();
        let (reply, _) = read(ResponsesReader::default(), &[event]);
        assert_eq!(
            arguments_of(&reply.expect("a whole reply").content),
            kept,
            "a call of which {written:?} had come: no tool may run with that"
        );
    }
}

#[test]
fn test_ch19_a_refusal_says_that_it_is_one() {
    let event = |delta: &str| {
        json!({ "type": "response.refusal.delta", "output_index": 0, "content_index": 0, "delta": delta }).to_string()
    };
    let done = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "message", "id": "msg_1", "role": "assistant",
          "content": [{ "type": "refusal", "refusal": "I can't." }] }] } });
    let (reply, pieces) = read(
        ResponsesReader::default(),
        &[event("I "), event("can't."), done.to_string()],
    );
    let shown: String = pieces.iter().map(text_of).collect();
    assert_eq!(
        shown, "[refusal] I can't.",
        "the mark is shown once, before the first piece"
    );
    assert_json(
        "and what is kept says the same",
        &to_json(&reply.expect("a whole reply").content),
        &json!([{ "type": "text", "text": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_a_stream_of_items_that_breaks_off() {
    let whole = whole_response(true);
    for events in 0..whole.len() {
        let (reply, _) = read(ResponsesReader::default(), &whole[..events]);
        let is_whole = events == whole.len();
        assert!(
            is_whole
                || matches!(&reply, Err(ProviderError::Network(why)) if why.contains("broke off")),
            "after {events} events of {} the reply is not whole: {reply:?}",
            whole.len()
        );
    }
}

#[test]
fn test_ch19_odd_events_of_responses() {
    let mut reader = ResponsesReader::default();
    let fine = json!({ "type": "response.brand_new.delta", "delta": "x" });
    assert_eq!(
        reader.read(&fine.to_string()),
        Ok(vec![]),
        "{fine} is passed over"
    );
    for (event, kind) in [
        (
            json!({ "type": "error", "code": "rate_limit_exceeded", "message": "slow down" }),
            "rate limit",
        ),
        (
            json!({ "type": "error", "error": { "type": "server_error", "message": "x" } }),
            "overloaded",
        ),
        (
            json!({ "type": "response.failed", "response": { "status": "failed",
                    "error": { "code": "server_error", "message": "x" } } }),
            "overloaded",
        ),
        (
            json!({ "type": "response.failed", "response": { "error": { "code": "context_length_exceeded", "message": "x" } } }),
            "overflow",
        ),
    ] {
        let error = reader.read(&event.to_string());
        let found = match &error {
            Err(ProviderError::RateLimited { .. }) => "rate limit",
            Err(ProviderError::Overloaded { .. }) => "overloaded",
            Err(ProviderError::ContextOverflow(_)) => "overflow",
            _ => "another",
        };
        assert_eq!(found, kind, "{event} gave {error:?}");
    }
    for bad in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        json!({ "type": "response.output_item.done", "item": { "type": "message" } }).to_string(),
    ] {
        let error = reader.read(&bad);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{bad} cannot be understood; read() said {error:?}"
        );
    }
    let search = json!({ "type": "response.completed", "response": { "status": "completed",
        "output": [{ "type": "web_search_call", "id": "ws_1" }] } });
    let (reply, _) = read(ResponsesReader::default(), &[search.to_string()]);
    let note = reply.expect("a whole reply").note;
    assert!(
        note.as_deref()
            .is_some_and(|note| note.contains("web_search_call")),
        "an item that cannot be kept is named in the note: {note:?}"
    );
}

#[test]
fn test_ch19_a_response_in_one_piece() {
    let whole = whole_response(true);
    let last: Value = serde_json::from_str(&whole[whole.len() - 1]).expect("the last event");
    let mut reader = ResponsesReader::default();
    let pieces = reader.read_whole(&last["response"].to_string());
    assert_eq!(
        pieces.expect("a response"),
        [
            thinking("List first."),
            said("Let me look."),
            arguments("{\"path\":\"src\"}")
        ]
    );
    let (streamed, _) = read(ResponsesReader::default(), &whole);
    assert_eq!(reader.finish(), streamed, "the same as from a stream");
    let none = ResponsesReader::default().read_whole("{\"hello\":1}");
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `output` is no response: {none:?}"
    );
}

/// All the events of a message with every kind of block.
fn whole_message() -> Vec<String> {
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

/// All the events of a response with every kind of item; at its end, with its output or
/// without.
fn whole_response(has_output: bool) -> Vec<String> {
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
            "output_tokens": 40, "output_tokens_details": { "reasoning_tokens": 30 }, "total_tokens": 1360 } } }),
    ];
    events.iter().map(Value::to_string).collect()
}

fn begin(index: usize, block: Value) -> String {
    json!({ "type": "content_block_start", "index": index, "content_block": block }).to_string()
}

fn delta(index: usize, delta: Value) -> String {
    json!({ "type": "content_block_delta", "index": index, "delta": delta }).to_string()
}

fn end(reason: &str) -> String {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 1 } })
        .to_string()
}

/// What a reader makes of these events, and the pieces that it shows.
fn read(
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

fn arguments_of(content: &[Content]) -> Value {
    let call = content.iter().find_map(|block| match block {
        Content::ToolCall { arguments, .. } => Some(arguments.clone()),
        _ => None,
    });
    call.expect("a call")
}

fn said(delta: &str) -> StreamDelta {
    StreamDelta::Text {
        delta: delta.into(),
    }
}

fn thinking(delta: &str) -> StreamDelta {
    StreamDelta::Thinking {
        delta: delta.into(),
    }
}

fn arguments(delta: &str) -> StreamDelta {
    StreamDelta::ToolCallDelta {
        delta: delta.into(),
    }
}

fn text_of(piece: &StreamDelta) -> &str {
    match piece {
        StreamDelta::Text { delta } => delta,
        _ => "",
    }
}
