//! Section 2.7: Arguments and ids

use claw_code::provider::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch2_arguments_are_parsed_or_kept_as_text() {
    for (text, expected) in [
        ("", json!({})),
        (" \n", json!({})),
        ("{\"a\": [1, 2]}", json!({ "a": [1, 2] })),
        ("[1]", json!([1])),
        ("null", json!(null)),
        ("5", json!(5)),
        ("\"{}\"", json!("{}")),
        ("{\"path\": \"src", json!("{\"path\": \"src")),
        ("{\"a\": 1} and more", json!("{\"a\": 1} and more")),
        ("ls -la\n", json!("ls -la\n")),
    ] {
        assert_eq!(
            arguments_or_text(text),
            expected,
            "arguments {text:?}: white space is an empty object, JSON is parsed, and text that is not JSON is kept unchanged"
        );
    }
}

#[test]
fn test_ch2_deep_arguments_are_kept_as_text() {
    let deepest = nested_json(MAX_DEPTH);
    assert_eq!(
        arguments_or_text(&deepest).to_string(),
        deepest,
        "arguments of {MAX_DEPTH} levels are parsed"
    );
    for levels in [MAX_DEPTH + 1, 124, 127, 128, 5000] {
        assert!(
            arguments_or_text(&nested_json(levels)) == json!(nested_json(levels)),
            "arguments of {levels} levels are kept as text: storing a call adds levels, and serde_json refuses more than 127"
        );
    }
}

#[test]
fn test_ch2_arguments_problem_describes_invalid_json() {
    let problem = problem_of(json!("{\"command\": \"ls"));
    let problem = problem.expect("these arguments are not JSON");
    for part in ["bash", "{\"command\": \"ls", "line 1"] {
        assert!(
            problem.contains(part),
            "the problem should name the tool, quote the arguments and locate the error; {part:?} is missing in: {problem}"
        );
    }
    let problem = problem_of(json!(""));
    assert!(problem.is_some(), "an empty text is not JSON either");
}

#[test]
fn test_ch2_arguments_problem_is_none_for_json() {
    let json_string = json!("\"a JSON string\"");
    let deepest = json!(nested_json(MAX_DEPTH));
    for arguments in [
        json!({}),
        json!({ "command": "ls" }),
        json!([1]),
        json!(null),
        json_string,
        deepest,
    ] {
        assert_eq!(
            problem_of(arguments.clone()),
            None,
            "{arguments} is JSON; the tool's schema decides whether it is valid"
        );
    }
}

#[test]
fn test_ch2_arguments_problem_describes_deep_json() {
    for levels in [MAX_DEPTH + 1, 127, 128] {
        let problem = problem_of(json!(nested_json(levels)));
        let problem = problem.unwrap_or_else(|| {
            panic!("arguments of {levels} levels were kept as text, so the model must learn why")
        });
        for part in ["bash", nested_json(levels).as_str()] {
            assert!(
                problem.contains(part),
                "the problem should name the tool and quote the arguments; {part:?} is missing in: {problem}"
            );
        }
    }
    let problem = problem_of(json!(nested_json(MAX_DEPTH + 1))).unwrap_or_default();
    let reason = problem.split("they were").next().unwrap_or_default();
    assert!(
        reason.contains(&MAX_DEPTH.to_string()),
        "the problem should name the limit of {MAX_DEPTH} levels: {problem}"
    );
}

#[test]
fn test_ch2_unique_call_id_takes_the_first_free_number() {
    for (id, taken, expected) in [
        ("a", &[][..], "a"),
        ("a", &["b"], "a"),
        ("call_1", &["call_10"], "call_1"),
        ("A", &["a"], "A"),
        (" ", &[], " "),
        ("a", &["a"], "a_2"),
        ("a", &["a", "a_2", "a_4"], "a_3"),
        ("a_2", &["a", "a_2"], "a_2_2"),
    ] {
        assert_eq!(
            unique_call_id(id, taken.iter().copied()),
            expected,
            "{id:?} if {taken:?} are taken: the first free one of the id and its numbered forms"
        );
    }
}

#[test]
fn test_ch2_unique_call_id_replaces_an_empty_id() {
    let ids = [(); 2].map(|()| unique_call_id("", std::iter::empty()));
    for id in &ids {
        let suffix = id.strip_prefix("call_").unwrap_or_default();
        assert!(
            uuid::Uuid::parse_str(suffix).is_ok(),
            "an empty id becomes `call_` and a new UUID, not {id:?}"
        );
    }
    assert_ne!(ids[0], ids[1], "each call gets another id");
}

fn problem_of(arguments: Value) -> Option<String> {
    arguments_problem(&tool_call("call_1", "bash", arguments))
}
