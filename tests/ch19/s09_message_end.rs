//! Section 19.9: End of a streamed message

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::models::*;
use claw_code::provider::*;
use claw_code::tools::Api;
use serde_json::{Value, json};

use super::bodies;
use super::readers;
use super::support::*;

#[test]
fn test_ch19_messages_stream_becomes_reply() {
    let reply = readers::reply::<MessagesReader>(&readers::whole_message());
    assert_json(
        "thinking with its signature, redacted thinking, text and a call, in order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "c2ln+/==" },
            { "type": "thinking", "thinking": "",
              "signature": r#"{"encrypted_content":"DATA==","redacted":true}"# },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "toolu_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "a normal reply has no note");
}

#[test]
fn test_ch19_later_events_replace_only_what_they_have() {
    let mut whole = readers::whole_message();
    let seal = json!({ "type": "signature_delta", "signature": "bmV3" });
    whole.insert(5, readers::delta(0, seal));
    let silent = json!({ "type": "message_delta", "delta": { "stop_reason": null } });
    whole.insert(whole.len() - 1, silent.to_string());
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
    let reply = reply.expect("after the stop reason, the reply is complete");
    assert_json(
        "a signature arrives in one piece, so a second one replaces the first",
        &to_json(&reply.content[0]),
        &json!({ "type": "thinking", "thinking": "List first.", "signature": "bmV3" }),
    );
    assert_eq!(
        (reply.stop_reason, reply.note),
        (StopReason::ToolUse, None),
        "a later event without a `stop_reason` keeps the earlier one"
    );
}

#[test]
fn test_ch19_messages_usage_counts() {
    let (reply, _) = readers::read(MessagesReader::default(), &readers::whole_message());
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
        "a later count replaces an earlier one of its kind; the total is the sum of all four, since the API sends none"
    );
}

#[test]
fn test_ch19_messages_stop_reasons() {
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
        let (reply, _) = readers::read(
            MessagesReader::default(),
            &[
                readers::begin(0, json!({ "type": "text", "text": "Hi." })),
                readers::end(word),
            ],
        );
        let reply = reply.expect("a whole reply");
        assert_eq!(
            reply.stop_reason, reason,
            "the stop reason of a reply without calls that ended with {word}"
        );
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "the note for {word} should contain {note:?}, or be absent if that is empty; it is {found:?}"
        );
    }
    let call = json!({ "type": "tool_use", "id": "t", "name": "list", "input": {} });
    let (reply, _) = readers::read(
        MessagesReader::default(),
        &[readers::begin(0, call), readers::end("end_turn")],
    );
    assert_eq!(
        reply.expect("a whole reply").stop_reason,
        StopReason::ToolUse,
        "a reply with calls ends with ToolUse, whatever the server sends"
    );
}

#[test]
fn test_ch19_incomplete_arguments_are_kept() {
    let call = |json: &str, why: &str| {
        let block = json!({ "type": "tool_use", "id": "t", "name": "bash", "input": {} });
        let piece = json!({ "type": "input_json_delta", "partial_json": json });
        let events = [
            readers::begin(0, block),
            readers::delta(0, piece),
            readers::end(why),
        ];
        readers::arguments_of(&readers::reply::<MessagesReader>(&events).content)
    };
    assert_eq!(
        call("{\"command\":\"ls\"}", "tool_use"),
        json!({ "command": "ls" })
    );
    assert_eq!(call("", "tool_use"), json!({}), "a tool without parameters");
    assert_eq!(
        call("{\"command\":\"rm -r /tmp", "max_tokens"),
        json!("{\"command\":\"rm -r /tmp"),
        "text that is not JSON is kept unchanged, and chapter 3 answers the call with an error"
    );
    assert_eq!(
        call("", "max_tokens"),
        json!(""),
        "the length limit cut the call before its first argument: `{{}}` would run the tool without its arguments"
    );
    let begun = |index| {
        let block =
            json!({ "type": "tool_use", "id": format!("t{index}"), "name": "list", "input": {} });
        readers::begin(index, block)
    };
    let events = [begun(0), begun(1), readers::end("max_tokens")];
    let (reply, _) = readers::read(MessagesReader::default(), &events);
    assert_eq!(
        readers::arguments_of(&reply.expect("a whole reply").content),
        json!({}),
        "the limit cuts only the last block: the call before it is complete and has no arguments"
    );
}

#[test]
fn test_ch19_deeply_nested_message_arguments_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 120] {
        let written = nested_json(levels);
        let whole: Value = serde_json::from_str(&written).expect("JSON");
        let kept = match levels > MAX_DEPTH {
            true => json!(written),
            false => whole.clone(),
        };
        let call = |input: &Value| json!({ "type": "tool_use", "id": "t", "name": "bash", "input": input });
        let piece = json!({ "type": "input_json_delta", "partial_json": written });
        let streamed = [
            readers::begin(0, call(&json!({}))),
            readers::delta(0, piece),
            readers::end("tool_use"),
        ];
        let at_once = [readers::begin(0, call(&whole)), readers::end("tool_use")];
        let mut in_one_piece = MessagesReader::default();
        let body =
            json!({ "type": "message", "stop_reason": "tool_use", "content": [call(&whole)] });
        let read = in_one_piece.read_whole(&body.to_string());
        read.expect("a message");
        for (why, reply) in [
            (
                "in pieces",
                readers::read(MessagesReader::default(), &streamed).0,
            ),
            (
                "in the block's beginning",
                readers::read(MessagesReader::default(), &at_once).0,
            ),
            ("in one piece", in_one_piece.finish()),
        ] {
            let content = reply.expect("a whole reply").content;
            assert!(
                readers::arguments_of(&content) == kept,
                "arguments with {levels} levels that arrive {why}: those nested too deeply are kept as text, like those that are not JSON"
            );
            let message = bodies::with_content(content);
            readers::assert_can_be_kept(&from_agent(
                std::slice::from_ref(&message),
                Api::Messages,
                "anthropic",
            ));
            readers::assert_can_be_kept(&message);
        }
    }
}

#[test]
fn test_ch19_interrupted_messages_stream_is_an_error() {
    let whole = readers::whole_message();
    for events in 0..whole.len() - 2 {
        let (reply, _) = readers::read(MessagesReader::default(), &whole[..events]);
        let Err(ProviderError::Network(why)) = reply else {
            panic!(
                "after {events} of {} events the reply is incomplete: {reply:?}",
                whole.len()
            );
        };
        assert!(
            why.contains("broke off"),
            "the error should say that the reply broke off: {why}"
        );
        if events == whole.len() - 3 {
            assert!(
                why.contains("12 characters") && why.contains("1 tool call"),
                "the error should count what arrived, `Let me look.` and a call: {why}"
            );
        }
    }
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        reply.is_ok(),
        "after the stop reason, the reply is complete: {reply:?}"
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
fn test_ch19_complete_message_reads_like_a_stream() {
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
        [
            readers::thinking("t"),
            readers::said("Hi."),
            readers::arguments("{\"path\":\".\"}")
        ]
    );
    let reply = reader.finish().expect("a whole reply");
    assert_json(
        "a complete reply equals a streamed one",
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

#[test]
fn test_ch19_skipped_deltas_and_blocks_are_not_in_the_reply() {
    let reply = readers::reply::<MessagesReader>(&[
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "x" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::end("end_turn"),
    ]);
    assert_eq!(
        reply.content,
        [Content::Text { text: "Hi.".into() }],
        "a delta of a different kind than its block is skipped"
    );
    let reply = readers::reply::<MessagesReader>(&[
        readers::begin(
            0,
            json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} }),
        ),
        readers::delta(
            0,
            json!({ "type": "input_json_delta", "partial_json": "{}" }),
        ),
        readers::begin(1, json!({ "type": "text", "text": "" })),
        readers::end("solar_flare"),
    ]);
    assert_eq!(reply.content, [], "an empty text is left out");
    assert!(
        reply
            .note
            .as_deref()
            .is_some_and(|note| note.contains("server_tool_use") && note.contains("solar_flare")),
        "the note gives the end of the reply and names the unknown block: {:?}",
        reply.note
    );
}
