//! Section 19.8: A stream of the Messages API

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
fn test_ch19_a_stream_of_messages_is_a_reply() {
    let (reply, pieces) = readers::read(MessagesReader::default(), &readers::whole_message());
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
            readers::thinking("List "),
            readers::thinking("first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":"),
            readers::arguments("\"src\"}"),
        ],
        "each piece that can be shown, once, and no empty one"
    );

    let mut whole = readers::whole_message();
    let seal = json!({ "type": "signature_delta", "signature": "bmV3" });
    whole.insert(5, readers::delta(0, seal));
    let silent = json!({ "type": "message_delta", "delta": { "stop_reason": null } });
    whole.insert(whole.len() - 1, silent.to_string());
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
    let reply = reply.expect("once it was said why the reply ends, it is whole");
    assert_json(
        "a seal comes whole: a second one replaces the first",
        &to_json(&reply.content[0]),
        &json!({ "type": "thinking", "thinking": "List first.", "signature": "bmV3" }),
    );
    assert_eq!(
        (reply.stop_reason, reply.note),
        (StopReason::ToolUse, None),
        "a later event without a `stop_reason` does not take back the one that was said"
    );
}

#[test]
fn test_ch19_counts_of_messages() {
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
            "a reply without calls that ended with {word}"
        );
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "for {word} the note should speak of {note:?}, and say nothing where that is empty; it says {found:?}"
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
        "where there are calls they have to run, whatever the server says"
    );
}

#[test]
fn test_ch19_torn_arguments_are_kept() {
    let call = |json: &str, why: &str| {
        let (reply, _) = readers::read(
            MessagesReader::default(),
            &[
                readers::begin(
                    0,
                    json!({ "type": "tool_use", "id": "t", "name": "bash", "input": {} }),
                ),
                readers::delta(
                    0,
                    json!({ "type": "input_json_delta", "partial_json": json }),
                ),
                readers::end(why),
            ],
        );
        readers::arguments_of(&reply.expect("a whole reply").content)
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
        "the limit falls on the last block: the call before it is whole, and has no arguments"
    );
}

#[test]
fn test_ch19_deep_arguments_of_a_message_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 120] {
        let written = readers::nested(levels);
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
                "arguments of {levels} levels that come {why}: those that are too deep are kept to the letter, as those that are not JSON"
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
fn test_ch19_an_event_names_its_block() {
    let block = json!({ "type": "text", "text": "Hi." });
    let begin = json!({ "type": "content_block_start", "content_block": block });
    let delta =
        json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": "Hi." } });
    for event in [begin, delta] {
        let mut reader = MessagesReader::default();
        let begun = reader.read(&readers::begin(0, json!({ "type": "text", "text": "" })));
        assert_eq!(begun, Ok(vec![]), "an empty text shows nothing");
        let error = reader.read(&event.to_string());
        assert!(
            matches!(&error, Err(ProviderError::MalformedReply(why)) if why.contains("`index`")),
            "{event} does not say which block it is about. To take it for the first would put one text in another's place; the error says that the `index` is missing. readers::read() said {error:?}"
        );
    }
}

#[test]
fn test_ch19_a_stream_of_messages_that_breaks_off() {
    let whole = readers::whole_message();
    for events in 0..whole.len() - 2 {
        let (reply, _) = readers::read(MessagesReader::default(), &whole[..events]);
        let Err(ProviderError::Network(why)) = reply else {
            panic!(
                "after {events} events of {} the reply is incomplete: {reply:?}",
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
                "it says how much had come, `Let me look.` and a call: {why}"
            );
        }
    }
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
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
        readers::delta(7, json!({ "type": "text_delta", "text": "x" })),
        readers::begin(0, json!({ "type": "text" })),
    ] {
        let error = reader.read(&bad);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{bad} cannot be understood; readers::read() said {error:?}"
        );
    }
    let events = [
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "x" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::end("end_turn"),
    ];
    let (reply, pieces) = readers::read(MessagesReader::default(), &events);
    assert_eq!(
        (reply.expect("a whole reply").content, pieces),
        (
            vec![Content::Text { text: "Hi.".into() }],
            vec![readers::said("Hi.")]
        ),
        "a delta of another kind than its block is passed over"
    );
    let broken = readers::begin(0, json!({ "type": "tool_use", "id": "t", "input": {} }));
    let error = reader.read(&broken);
    assert!(
        matches!(&error, Err(ProviderError::MalformedReply(why)) if why.contains("field `name`")),
        "the error names the field that a block lacks, `name`: {error:?}"
    );
    let (reply, _) = readers::read(
        MessagesReader::default(),
        &[
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
        ],
    );
    let reply = reply.expect("a whole reply");
    assert_eq!(reply.content, [], "an empty text says nothing");
    assert!(
        reply
            .note
            .as_deref()
            .is_some_and(|note| note.contains("server_tool_use") && note.contains("solar_flare")),
        "the note says why the reply ended, and it names a block that cannot be kept: {:?}",
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
        [
            readers::thinking("t"),
            readers::said("Hi."),
            readers::arguments("{\"path\":\".\"}")
        ]
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
