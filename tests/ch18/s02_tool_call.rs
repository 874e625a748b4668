//! Section 18.2: A call whose arguments are text

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_call_json() {
    assert_round_trip::<ToolCall>(bash_call());
    assert_round_trip::<ChatMessage>(json!({
        "role": "assistant",
        "tool_calls": [bash_call(), call("call_2", "read", "{\"path\": \"a\",  \"path\": \"b\"}")]
    }));
    assert_round_trip::<ChatMessage>(json!({ "role": "assistant", "tool_calls": [] }));
    let mut parsed = bash_call();
    parsed["function"]["arguments"] = json!({ "command": "ls" });
    refused::<ToolCall>(
        parsed,
        "arguments are a string that holds JSON, not the JSON itself",
    );
}

#[test]
fn test_ch18_call_new() {
    let made = ToolCall::new("call_1", "bash", "{\"command\":\"ls\"}");
    assert_eq!(
        made.type_field, "function",
        "every tool call is of the type `function`"
    );
    assert_json("a call made by new()", &to_json(&made), &bash_call());
    let torn = ToolCall::new("call_1", "bash", " {\"comm");
    assert_eq!(
        torn.function.arguments, " {\"comm",
        "arguments are kept as the model wrote them, to the letter"
    );
}

#[test]
fn test_ch18_call_without_a_type_is_a_function() {
    let mut old = bash_call();
    old.as_object_mut().expect("an object").remove("type");
    assert_json(
        "a call read without a type is a function, and is written as one",
        &to_json(&from_json::<ToolCall>(old)),
        &bash_call(),
    );
}

#[test]
fn test_ch18_call_of_another_type_is_not_read() {
    for wrong in ["custom", "Function", ""] {
        let mut other = bash_call();
        other["type"] = json!(wrong);
        let error = refused::<ToolCall>(other, "a call of another type than `function`");
        assert!(
            error.contains(&format!("`{wrong}`")) && error.contains("`function`"),
            "the error should name the type that was read, in backticks, and the one that is known; it says: {error}"
        );
    }
    let mut other = bash_call();
    other["type"] = json!(null);
    refused::<ToolCall>(other, "a type, where there is one, is a string");
}

#[test]
fn test_ch18_call_of_another_type_is_not_written() {
    let mut made = ToolCall::new("call_1", "bash", "{}");
    made.type_field = "custom".into();
    match serde_json::to_string(&made) {
        Ok(json) => panic!("a call of the type `custom` was written all the same: {json}"),
        Err(error) => assert!(
            error.to_string().contains("`custom`"),
            "the error should name the type, `custom`; it says: {error}"
        ),
    }
}
