//! Section 2.8: StreamAccumulator

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch2_accumulator_joins_text() {
    let reply = finish(&[
        text_delta("Hel"),
        text_delta("lo, "),
        text_delta("中"),
        StreamEvent::Usage(usage(1, 2, 3)),
    ]);
    assert_eq!(reply.text.as_deref(), Some("Hello, 中"));
    assert_eq!(reply.tool_calls, []);
    assert_eq!(reply.stop_reason, StopReason::Stop);
    assert_eq!(reply.usage, Some(usage(1, 2, 3)));
}

#[test]
fn test_ch2_accumulator_has_none_for_missing_parts() {
    let silent = finish(&[]);
    assert_eq!(silent.text, None, "no text is None, not an empty string");
    assert_eq!(silent.usage, None, "unknown usage is None");
    assert_eq!(
        finish(&[text_delta("\n")]).text.as_deref(),
        Some("\n"),
        "white space is text, and only a reply without any text has None"
    );
    assert_ne!(silent.id, finish(&[]).id, "each reply gets a new id");
}

#[test]
fn test_ch2_accumulator_keeps_the_last_usage() {
    let events = [usage(1, 2, 3), usage(4, 5, 9)].map(StreamEvent::Usage);
    assert_eq!(
        finish(&events).usage,
        Some(usage(4, 5, 9)),
        "the last usage counts, since it covers the whole reply"
    );
    let late = [
        StreamEvent::Done(StopReason::Stop),
        StreamEvent::TextDelta("late".into()),
        StreamEvent::Usage(usage(1, 2, 3)),
    ];
    let reply = accumulate(&late).expect("a complete reply");
    assert_eq!(
        (reply.text.as_deref(), reply.usage),
        (Some("late"), Some(usage(1, 2, 3))),
        "events after `Done` are added as well"
    );
}

#[test]
fn test_ch2_accumulator_separates_interleaved_calls() {
    let reply = finish(&[
        call_start(1, "call_b", "bash"),
        call_start(0, "call_a", "read"),
        call_delta(1, "{\"command\":"),
        call_delta(0, "{\"path\""),
        call_start(7, "call_c", "pwd"),
        text_delta("Looking."),
        call_delta(0, ":\"src\"}"),
        call_delta(1, " \"ls\"}"),
    ]);
    assert_eq!(
        reply.tool_calls,
        [
            tool_call("call_a", "read", json!({ "path": "src" })),
            tool_call("call_b", "bash", json!({ "command": "ls" })),
            tool_call("call_c", "pwd", json!({})),
        ],
        "a delta belongs to the call of its index, and the calls are in the order of their indexes"
    );
    assert_eq!(reply.text.as_deref(), Some("Looking."));
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
}

#[test]
fn test_ch2_accumulator_keeps_a_call_without_a_start() {
    let reply = finish(&[call_delta(0, "{\"path\":\"src\"}")]);
    assert_eq!(reply.tool_calls.len(), 1, "a call is never dropped");
    let call = &reply.tool_calls[0];
    assert_eq!(call.arguments, json!({ "path": "src" }));
    assert!(
        call.id.starts_with("call_") && call.id.len() > "call_".len(),
        "a call without an id gets a new one, so that its result can name it; it got {:?}",
        call.id
    );
}

#[test]
fn test_ch2_accumulator_accepts_a_late_start() {
    let reply = finish(&[
        call_delta(0, "{\"path\":"),
        call_start(0, "call_0", "ls"),
        call_start(0, "call_1", "read"),
        call_delta(0, "\"src\"}"),
    ]);
    assert_eq!(
        reply.tool_calls,
        [tool_call("call_1", "read", json!({ "path": "src" }))],
        "the last start sets the id and the name, and keeps the arguments that came before it"
    );
}

#[test]
fn test_ch2_accumulator_keeps_invalid_arguments_as_text() {
    for (text, expected) in [
        ("", json!({})),
        (" \n", json!({})),
        ("{}", json!({})),
        ("{\"a\": [1, 2]}", json!({ "a": [1, 2] })),
        ("[1]", json!([1])),
        ("{\"path\": \"src", json!("{\"path\": \"src")),
        ("{\"a\": 1} and more", json!("{\"a\": 1} and more")),
        ("ls -la\n", json!("ls -la\n")),
        ("{'a': 1}", json!("{'a': 1}")),
    ] {
        assert_eq!(
            finished_arguments(text),
            expected,
            "arguments {text:?}: JSON is parsed, and text that is not JSON is kept unchanged"
        );
    }
}

#[test]
fn test_ch2_accumulator_keeps_deep_arguments_as_text() {
    let deepest = nested_json(MAX_DEPTH);
    assert_eq!(
        finished_arguments(&deepest).to_string(),
        deepest,
        "arguments of {MAX_DEPTH} levels are parsed"
    );
    for levels in [MAX_DEPTH + 1, 124, 127, 128, 5000] {
        let arguments = finished_arguments(&nested_json(levels));
        assert!(
            arguments == json!(nested_json(levels)),
            "arguments of {levels} levels are kept as text: storing a call adds levels, and serde_json refuses more than 127"
        );
        let record = json!([{ "messages": [{ "tool_calls": [{ "arguments": arguments }] }] }]);
        let read: Result<Value, _> = serde_json::from_str(&record.to_string());
        assert!(
            read.is_ok_and(|read| read == record),
            "a stored call of {levels} levels can be read again"
        );
    }
}

#[test]
fn test_ch2_accumulator_makes_call_ids_unique() {
    let ids = ["a", "a", "a_2", "", "a", ""];
    let starts = ids.iter().enumerate();
    let starts: Vec<_> = starts.map(|(at, id)| call_start(at, id, "pwd")).collect();
    let reply = finish(&starts);
    let ids: Vec<&str> = reply.tool_calls.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(
        (ids[0], ids[1], ids[2], ids[4]),
        ("a", "a_2", "a_2_2", "a_3"),
        "the first call keeps its id, and later ones get the first free number: {ids:?}"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(
            !id.is_empty() && !ids[..at].contains(id),
            "two calls with one id could not both get a result: {ids:?}"
        );
    }
}

#[test]
fn test_ch2_accumulator_rejects_an_incomplete_reply() {
    let error = accumulate(&[
        text_delta("Grüße"),
        call_start(0, "call_1", "bash"),
        call_delta(0, "{}"),
        StreamEvent::Usage(TokenUsage::default()),
    ])
    .expect_err("there was no Done");
    assert_eq!(variant(&error), "Network", "{error:?}");
    let text = error.to_string();
    let numbers = text.split(|letter: char| !letter.is_ascii_digit());
    let mut numbers: Vec<&str> = numbers.filter(|digits| !digits.is_empty()).collect();
    numbers.sort_unstable();
    assert_eq!(
        numbers,
        ["1", "5"],
        "the error should count what came before the break, 5 characters of text and 1 tool call; it reads: {text}"
    );
}

#[test]
fn test_ch2_stop_reason_follows_the_calls_so_far() {
    let mut accumulator = StreamAccumulator::default();
    accumulator.push(&text_delta("Hm."));
    assert_eq!(
        accumulator.stop_reason(),
        StopReason::Stop,
        "without calls there is no tool to run"
    );
    accumulator.push(&call_start(3, "call_1", "bash"));
    assert_eq!(
        accumulator.stop_reason(),
        StopReason::ToolUse,
        "with a call there is a tool to run"
    );
}

#[test]
fn test_ch2_stop_reason_of_the_server_is_ignored() {
    for (calls, of_server, expected) in [
        (1, StopReason::Stop, StopReason::ToolUse),
        (0, StopReason::ToolUse, StopReason::Stop),
    ] {
        let mut events: Vec<_> = (0..calls).map(|at| call_start(at, "", "pwd")).collect();
        events.push(StreamEvent::Done(of_server.clone()));
        let reply = accumulate(&events).expect("a complete reply");
        assert_eq!(
            reply.stop_reason, expected,
            "a reply of {calls} calls and `Done({of_server:?})`: the calls decide whether tools run"
        );
    }
}

/// The reply of these events and `Done`.
fn finish(events: &[StreamEvent]) -> AssistantMessage {
    let done = [StreamEvent::Done(StopReason::Stop)];
    accumulate(&[events, &done].concat()).expect("a complete reply")
}

/// The arguments of a finished call whose deltas are this text. Its id and its name are
/// checked too.
#[track_caller]
fn finished_arguments(text: &str) -> Value {
    let mut reply = finish(&[call_start(0, "call_1", "bash"), call_delta(0, text)]);
    assert_eq!(reply.tool_calls.len(), 1, "one call started");
    let call = reply.tool_calls.remove(0);
    assert_eq!((call.id.as_str(), call.name.as_str()), ("call_1", "bash"));
    call.arguments
}
