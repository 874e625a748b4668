//! Section 2.5: StreamAccumulator

use claw_code::provider::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch2_accumulate_text() {
    let reply = accumulated(&[
        StreamEvent::TextDelta("Hel".into()),
        StreamEvent::TextDelta("lo, ".into()),
        StreamEvent::TextDelta("中".into()),
        StreamEvent::Usage(usage(1, 2, 3)),
        StreamEvent::Done(StopReason::Stop),
    ])
    .expect("a whole reply");
    assert_eq!(reply.text.as_deref(), Some("Hello, 中"));
    assert_eq!(reply.tool_calls, []);
    assert_eq!(reply.stop_reason, StopReason::Stop);
    assert_eq!(reply.usage, Some(usage(1, 2, 3)));

    let silent = accumulated(&[StreamEvent::Done(StopReason::Stop)]).expect("a whole reply");
    assert_eq!(
        silent.text, None,
        "no text is None: it is not an empty string"
    );
    assert_eq!(silent.usage, None, "unknown usage is None");
    let twice = accumulated(&[
        StreamEvent::Usage(usage(1, 2, 3)),
        StreamEvent::Usage(usage(4, 5, 9)),
        StreamEvent::Done(StopReason::Stop),
    ]);
    assert_eq!(
        twice.expect("a whole reply").usage,
        Some(usage(4, 5, 9)),
        "of several usages the last one counts: it is of the whole reply"
    );
    assert_ne!(silent.id, reply.id, "every reply has an id of its own");
}

#[test]
fn test_ch2_accumulate_interleaved_calls() {
    let reply = accumulated(&[
        start(1, "call_b", "bash"),
        start(0, "call_a", "read"),
        delta(1, "{\"command\":"),
        delta(0, "{\"path\""),
        start(7, "call_c", "pwd"),
        StreamEvent::TextDelta("Looking.".into()),
        delta(0, ":\"src\"}"),
        delta(1, " \"ls\"}"),
        StreamEvent::Done(StopReason::ToolUse),
    ])
    .expect("a whole reply");
    assert_eq!(
        reply.tool_calls,
        [
            call("call_a", "read", json!({ "path": "src" })),
            call("call_b", "bash", json!({ "command": "ls" })),
            call("call_c", "pwd", json!({})),
        ],
        "pieces go to the call of their index, and the calls stand in the order of their indexes"
    );
    assert_eq!(reply.text.as_deref(), Some("Looking."));
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
}

#[test]
fn test_ch2_accumulate_keeps_a_call_without_a_start() {
    let reply = accumulated(&[
        delta(0, "{\"path\":\"src\"}"),
        StreamEvent::Done(StopReason::ToolUse),
    ])
    .expect("a whole reply");
    assert_eq!(reply.tool_calls.len(), 1, "a call is never dropped");
    let kept = &reply.tool_calls[0];
    assert_eq!(kept.arguments, json!({ "path": "src" }));
    assert!(
        kept.id.starts_with("call_") && kept.id.len() > "call_".len(),
        "a call without an id gets one, so that its result can name it; it got {:?}",
        kept.id
    );
    let late = accumulated(&[
        delta(0, "{\"path\":"),
        start(0, "call_1", "read"),
        delta(0, "\"src\"}"),
        StreamEvent::Done(StopReason::ToolUse),
    ]);
    assert_eq!(
        late.expect("a whole reply").tool_calls,
        [call("call_1", "read", json!({ "path": "src" }))],
        "a start gives the call its id and its name, and the arguments that came before it stay"
    );
}

#[test]
fn test_ch2_accumulate_arguments_that_are_not_json() {
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
        let reply = accumulated(&[
            start(0, "call_1", "bash"),
            delta(0, text),
            StreamEvent::Done(StopReason::ToolUse),
        ])
        .expect("a whole reply");
        assert_eq!(
            reply.tool_calls,
            [call("call_1", "bash", expected)],
            "arguments {text:?}: JSON is read, and what is not JSON is kept to the letter"
        );
    }
}

#[test]
fn test_ch2_accumulate_arguments_that_are_too_deep() {
    let arguments = |text: &str| {
        let reply = accumulated(&[
            start(0, "call_1", "bash"),
            delta(0, text),
            StreamEvent::Done(StopReason::ToolUse),
        ]);
        reply.expect("a whole reply").tool_calls.remove(0).arguments
    };
    let fits = nested(MAX_DEPTH);
    assert_eq!(
        arguments(&fits).to_string(),
        fits,
        "{MAX_DEPTH} levels are JSON like any other"
    );
    for levels in [MAX_DEPTH + 1, 124, 127, 128, 5000] {
        let kept = arguments(&nested(levels));
        assert!(
            kept == json!(nested(levels)),
            "arguments of {levels} levels are kept to the letter, as a JSON string, like those that are not JSON: whatever keeps the call adds levels of its own, and JSON of more than 127 levels is never read again"
        );
        let record = json!([{ "messages": [{ "tool_calls": [{ "arguments": kept }] }] }]);
        let again: Result<Value, _> = serde_json::from_str(&record.to_string());
        assert!(
            again.is_ok_and(|again| again == record),
            "a record of the call can be read again ({levels} levels)"
        );
    }
}

#[test]
fn test_ch2_accumulate_reports_arguments_that_are_not_json() {
    let torn = call("call_1", "bash", json!("{\"command\": \"ls"));
    let problem = arguments_problem(&torn).expect("these arguments are not JSON");
    for words in ["bash", "{\"command\": \"ls", "line 1"] {
        assert!(
            problem.contains(words),
            "the report should name the tool, quote the arguments and say where they go wrong; {words:?} is missing in: {problem}"
        );
    }
    for fine in [
        json!({}),
        json!({ "command": "ls" }),
        json!([1]),
        json!(null),
        json!("\"a JSON string\""),
    ] {
        assert_eq!(
            arguments_problem(&call("call_1", "bash", fine.clone())),
            None,
            "{fine} is JSON; whether it suits the tool is another question"
        );
    }
}

#[test]
fn test_ch2_accumulate_reports_arguments_that_are_too_deep() {
    for levels in [MAX_DEPTH + 1, 127, 128] {
        let deep = call("call_1", "bash", json!(nested(levels)));
        let problem = arguments_problem(&deep);
        assert!(
            problem.is_some(),
            "arguments of {levels} levels were kept as text, so the model has to be told why"
        );
        let problem = problem.unwrap_or_default();
        for words in ["bash", nested(levels).as_str()] {
            assert!(
                problem.contains(words),
                "the report should name the tool and quote the arguments; {words:?} is missing in: {problem}"
            );
        }
    }
    let deep = call("call_1", "bash", json!(nested(MAX_DEPTH + 1)));
    let problem = arguments_problem(&deep).unwrap_or_default();
    let before = problem.split("they were").next().unwrap_or_default();
    assert!(
        before.contains(&MAX_DEPTH.to_string()),
        "the report should say how many levels there may be, {MAX_DEPTH}: {problem}"
    );
    assert_eq!(
        arguments_problem(&call("call_1", "bash", json!(nested(MAX_DEPTH)))),
        None,
        "{MAX_DEPTH} levels are not too many"
    );
}

#[test]
fn test_ch2_accumulate_makes_ids_distinct() {
    let mut events: Vec<StreamEvent> = ["a", "a", "a_2", "", "a", ""]
        .iter()
        .enumerate()
        .map(|(index, id)| start(index, id, "pwd"))
        .collect();
    events.push(StreamEvent::Done(StopReason::ToolUse));
    let reply = accumulated(&events).expect("a whole reply");
    let ids: Vec<&str> = reply.tool_calls.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(
        (ids[0], ids[1], ids[2], ids[4]),
        ("a", "a_2", "a_2_2", "a_3"),
        "the first call of an id keeps it, later ones get the first free number; all: {ids:?}"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(
            !id.is_empty() && !ids[..at].contains(id),
            "two calls of one id could not both be answered: {ids:?}"
        );
    }
}

#[test]
fn test_ch2_accumulate_wants_the_whole_reply() {
    let error = accumulated(&[
        StreamEvent::TextDelta("Grüße".into()),
        start(0, "call_1", "bash"),
        delta(0, "{}"),
    ])
    .expect_err("there was no Done");
    assert_eq!(kind(&error), "Network", "{error:?}");
    let said = error.to_string();
    let mut numbers: Vec<&str> = said
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .collect();
    numbers.sort_unstable();
    assert_eq!(
        numbers,
        ["1", "5"],
        "the error should say how much came before the break, 5 characters of text and 1 tool call; it reads: {said}"
    );
}

#[test]
fn test_ch2_accumulate_stop_reason_follows_the_calls() {
    let mut accumulator = StreamAccumulator::default();
    accumulator.push(&StreamEvent::TextDelta("Hm.".into()));
    assert_eq!(
        accumulator.stop_reason(),
        StopReason::Stop,
        "without calls there is nothing to run"
    );
    accumulator.push(&start(3, "call_1", "bash"));
    assert_eq!(
        accumulator.stop_reason(),
        StopReason::ToolUse,
        "with a call there is"
    );
    for (calls, said, expected) in [
        (1, StopReason::Stop, StopReason::ToolUse),
        (0, StopReason::ToolUse, StopReason::Stop),
    ] {
        let mut events: Vec<StreamEvent> = (0..calls).map(|at| start(at, "", "pwd")).collect();
        events.push(StreamEvent::Done(said.clone()));
        let reply = accumulated(&events).expect("a whole reply");
        assert_eq!(
            reply.stop_reason, expected,
            "a reply of {calls} calls whose `Done` says {said:?}: tools have to run exactly when there are calls, whatever the server says"
        );
    }
}

/// JSON of so many levels: objects, and arrays in them.
fn nested(levels: usize) -> String {
    let open = |level| if level % 2 == 0 { "{\"a\":" } else { "[" };
    let close = |level| if level % 2 == 0 { "}" } else { "]" };
    let before: String = (0..levels).map(open).collect();
    let behind: String = (0..levels).rev().map(close).collect();
    format!("{before}1{behind}")
}
