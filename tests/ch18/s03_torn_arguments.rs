//! Section 18.3: Arguments that may be torn

use claw_code::chat::*;
use claw_code::provider::MAX_DEPTH;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_arguments_that_are_an_object() {
    for (text, expected) in [
        ("{}", json!({})),
        ("{\"command\":\"ls\"}", json!({ "command": "ls" })),
        (
            " {\"a\": [1, {\"b\": null}]}\n",
            json!({ "a": [1, { "b": null }] }),
        ),
        ("{\"text\":\"{\\\"no\\\"\"}", json!({ "text": "{\"no\"" })),
    ] {
        match parse("bash", text) {
            Ok(arguments) => assert_eq!(arguments, expected, "the arguments {text}"),
            Err(error) => panic!("the arguments {text} are an object, but the answer was: {error}"),
        }
    }
}

#[test]
fn test_ch18_no_arguments_are_an_empty_object() {
    for text in ["", " ", "\n\t "] {
        assert_eq!(
            parse("pwd", text),
            Ok(json!({})),
            "a model that has no arguments to give may write nothing at all; here {text:?}"
        );
    }
}

#[test]
fn test_ch18_torn_arguments_are_answered() {
    for text in [
        "{\"command\": \"cargo te",
        "ls",
        "{} {}",
        "{'command': 1}",
        "{\"a\":1,}",
    ] {
        let Err(answer) = parse("bash", text) else {
            panic!("these arguments are no JSON, but were accepted: {text}");
        };
        assert!(
            answer.starts_with("error: "),
            "the answer to a call that failed is a ToolResult::error; it says: {answer}"
        );
        let serde = serde_json::from_str::<Value>(text).expect_err("it is no JSON");
        for words in ["`bash`", text, &serde.to_string()] {
            assert!(
                answer.contains(words),
                "the model can mend its call if the answer names the tool, quotes the arguments and says where they go wrong; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_arguments_that_are_too_deep_are_answered() {
    let fits = nested(MAX_DEPTH);
    assert_eq!(
        parse("bash", &fits).map(|arguments| arguments.to_string()),
        Ok(fits),
        "{MAX_DEPTH} levels are JSON like any other"
    );
    for levels in [MAX_DEPTH + 1, 127, 128] {
        let Err(answer) = parse("bash", &nested(levels)) else {
            panic!(
                "arguments of {levels} levels were accepted: a message around them could be written, and never be read again. Chapter 2 has the rule"
            );
        };
        for words in ["error: ", "`bash`", "not valid JSON", "{\"a\":[{\"a\":["] {
            assert!(
                answer.contains(words),
                "the answer is that of arguments that are not JSON; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_arguments_of_another_kind_are_answered() {
    for (text, kind) in [
        ("[\"ls\"]", "an array"),
        ("\"ls\"", "a string"),
        ("\"{\\\"command\\\":\\\"ls\\\"}\"", "a string"),
        ("7", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
    ] {
        let Err(answer) = parse("bash", text) else {
            panic!("arguments are a JSON object; these are {kind}, and were accepted: {text}");
        };
        for words in ["error: ", "`bash`", kind, "object", text] {
            assert!(
                answer.contains(words),
                "the answer should say what came and what was expected; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_the_answer_quotes_a_part() {
    let text = format!("{{\"text\": \"{}", "é中".repeat(50_000));
    let Err(answer) = parse("write", &text) else {
        panic!("these arguments are no JSON, but were accepted");
    };
    assert!(
        answer.chars().count() < 600,
        "the answer quotes the first 200 characters of the arguments, not all {} of them; it has {}",
        text.chars().count(),
        answer.chars().count()
    );
    let first: String = text.chars().take(200).collect();
    assert!(
        answer.contains(&format!("{first}…")),
        "the first 200 characters, then `…`; it says: {answer}"
    );
}

/// What parse_arguments() makes of `text`; of an error, its words.
fn parse(name: &str, text: &str) -> Result<Value, String> {
    let function = ToolCallFunction {
        name: name.into(),
        arguments: text.into(),
    };
    function.parse_arguments().map_err(|answer| answer.content)
}
