//! Section 18.2: Tool calls with arguments as text

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_call_round_trips() {
    assert_round_trip::<ToolCall>(bash_call());
    assert_round_trip::<ChatMessage>(json!({
        "role": "assistant",
        "tool_calls": [bash_call(), call("call_2", "read", "{\"path\": \"a\",  \"path\": \"b\"}")]
    }));
    assert_round_trip::<ChatMessage>(json!({ "role": "assistant", "tool_calls": [] }));
}

#[test]
fn test_ch18_arguments_are_a_string() {
    let mut parsed = bash_call();
    assert_round_trip::<ToolCall>(parsed.clone());
    parsed["function"]["arguments"] = json!({ "command": "ls" });
    rejected::<ToolCall>(
        parsed,
        "arguments are a string that contains JSON, not the JSON itself",
    );
}

#[test]
fn test_ch18_unknown_fields_of_a_call_are_kept() {
    let mut more = bash_call();
    more["index"] = json!(1);
    more["function"]["strict"] = json!(true);
    assert_round_trip::<ToolCall>(more.clone());
    assert_round_trip::<ChatMessage>(json!({ "role": "assistant", "tool_calls": [more] }));
}

#[test]
fn test_ch18_new_call_is_a_function() {
    let made = ToolCall::new("call_1", "bash", "{\"command\":\"ls\"}");
    assert_eq!(
        made.type_field, "function",
        "every tool call has the type `function`"
    );
    assert_json("a call made by new()", &to_json(&made), &bash_call());
}

#[test]
fn test_ch18_new_call_keeps_its_arguments() {
    for text in [" {\"comm", "", "{ \"b\": 1, \"a\": 2 }"] {
        let made = ToolCall::new("call_1", "bash", text);
        assert_eq!(
            made.function.arguments, text,
            "arguments are kept as the model wrote them"
        );
    }
}

#[test]
fn test_ch18_call_without_type_is_a_function() {
    let mut old = bash_call();
    old.as_object_mut().expect("an object").remove("type");
    assert_json(
        "a call without a type loads as a function and is written as one",
        &to_json(&from_json::<ToolCall>(old)),
        &bash_call(),
    );
}

#[test]
fn test_ch18_call_of_another_type_does_not_load() {
    for wrong in ["custom", "Function", "function_call", "function ", ""] {
        let mut other = bash_call();
        other["type"] = json!(wrong);
        let error = rejected::<ToolCall>(other, "a call of another type than `function`");
        assert!(
            error.contains(&format!(
                "a tool call has the type `{wrong}`, but only `function` is known"
            )),
            "the error should be the sentence of the page, with the type in the JSON: {error}"
        );
    }
    let mut other = bash_call();
    other["type"] = json!(null);
    rejected::<ToolCall>(other, "a type must be a string");
}

#[test]
fn test_ch18_call_of_another_type_is_not_written() {
    let mut made = ToolCall::new("call_1", "bash", "{}");
    made.type_field = "custom".into();
    match serde_json::to_string(&made) {
        Ok(json) => panic!("a call of the type `custom` should not be written: {json}"),
        Err(error) => assert!(
            error.to_string().contains("`custom`"),
            "the error should name the type `custom`: {error}"
        ),
    }
}
