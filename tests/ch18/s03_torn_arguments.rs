//! Section 18.3: Arguments that may be incomplete

use claw_code::chat::*;
use claw_code::provider::{MAX_DEPTH, parse_arguments};
use serde_json::{Map, Value, json};

use super::support::*;

#[test]
fn test_ch18_object_arguments_are_parsed() {
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
            Err(error) => panic!("the arguments {text} are an object, but parsing gave: {error}"),
        }
    }
}

#[test]
fn test_ch18_empty_arguments_are_an_empty_object() {
    for text in ["", " ", "\n\t "] {
        assert_eq!(
            parse("pwd", text),
            Ok(json!({})),
            "a model without arguments may write an empty text; here {text:?}"
        );
    }
}

#[test]
fn test_ch18_incomplete_arguments_give_an_error_result() {
    for text in [
        "{\"command\": \"cargo te",
        "ls",
        "{} {}",
        "{'command': 1}",
        "{\"a\":1,}\n",
        "\n {\"a\":1,}",
    ] {
        let Err(answer) = parse("bash", text) else {
            panic!("these arguments are not JSON, but were accepted: {text}");
        };
        assert!(
            answer.starts_with("error: "),
            "the result should be a ToolResult::error: {answer}"
        );
        let serde = serde_json::from_str::<Value>(text).expect_err("the text is not JSON");
        for words in ["`bash`", text, &serde.to_string(), "JSON object"] {
            assert!(
                answer.contains(words),
                "the error should name the tool, quote the arguments, say where they are wrong, and ask for one JSON object, so that the model can correct its call; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_error_result_has_the_text_of_the_page() {
    let torn = "{\"command\": \"car";
    let function = ToolCallFunction {
        name: "bash".into(),
        arguments: torn.into(),
        other: Map::new(),
    };
    let serde = serde_json::from_str::<Value>(torn).expect_err("the text is torn");
    let text = format!(
        "the arguments of `bash` are not valid JSON ({serde}); call it again with one JSON object. They were: {torn}"
    );
    assert_eq!(
        function.parse_arguments(),
        Err(claw_code::types::ToolResult::error(text)),
        "`ToolResult::error` adds the prefix once, and no output was cut"
    );
}

#[test]
fn test_ch18_deeply_nested_arguments_give_an_error_result() {
    let fits = nested_json(MAX_DEPTH);
    assert_eq!(
        parse("bash", &fits).map(|arguments| arguments.to_string()),
        Ok(fits),
        "{MAX_DEPTH} levels are allowed"
    );
    for levels in [MAX_DEPTH + 1, 127, 128] {
        let deep = nested_json(levels);
        let Err(answer) = parse("bash", &deep) else {
            panic!(
                "arguments with {levels} levels were accepted: a message that contains them could be written and never be read again (section 2.7)"
            );
        };
        let error = parse_arguments(&deep).expect_err("they are nested too deeply");
        let problem = format!("are not valid JSON ({error})");
        for words in ["error: ", "`bash`", &problem, "{\"a\":[{\"a\":["] {
            assert!(
                answer.contains(words),
                "the error should be that of arguments that are not JSON, with the message of chapter 2's parse_arguments(); `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_arguments_of_another_kind_give_an_error_result() {
    for (text, kind) in [
        ("[\"ls\"]", "an array"),
        ("\"ls\"", "a string"),
        ("\"{\\\"command\\\":\\\"ls\\\"}\"", "a string"),
        ("7", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
    ] {
        let Err(answer) = parse("bash", text) else {
            panic!("arguments must be a JSON object; these are {kind}, and were accepted: {text}");
        };
        let problem = format!("are {kind}, not a JSON object");
        let next_step = "; call it again with one JSON object. They were: ";
        for words in ["error: ", "`bash`", &problem, next_step, text] {
            assert!(
                answer.contains(words),
                "the error should say what came, what was expected, and what to do next; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_error_result_quotes_at_most_200_characters() {
    let text = format!("{{\"text\": \"{}", "é中".repeat(50_000));
    let Err(answer) = parse("write", &text) else {
        panic!("these arguments are not JSON, but were accepted");
    };
    assert!(
        answer.chars().count() < 600,
        "the error should quote the first 200 characters of the arguments, not all {}; it has {}",
        text.chars().count(),
        answer.chars().count()
    );
    let first: String = text.chars().take(200).collect();
    assert!(
        answer.contains(&format!("{first}…")),
        "the first 200 characters, then `…`; it says: {answer}"
    );
}

/// The result of parse_arguments() for `text`, with the error as text.
fn parse(name: &str, text: &str) -> Result<Value, String> {
    let function = ToolCallFunction {
        name: name.into(),
        arguments: text.into(),
        other: Map::new(),
    };
    function.parse_arguments().map_err(|answer| answer.content)
}
