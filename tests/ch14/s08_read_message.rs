//! Section 14.8: The role first

use claw_code::agent::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch14_a_message_needs_its_role() {
    for broken in [
        "{}",
        r#"{"content":[],"timestamp":1}"#,
        r#"{"kind":"k","data":{"role":"user"}}"#,
    ] {
        assert_refused::<Message>(broken, "missing field `role`");
    }
}

#[test]
fn test_ch14_unknown_roles_are_refused() {
    for (broken, word) in [
        (r#"{"role":"system","content":[],"timestamp":1}"#, "system"),
        (
            r#"{"content":[],"timestamp":1,"role":"Assistant"}"#,
            "Assistant",
        ),
        (r#"{"role":"tool_result"}"#, "tool_result"),
        (r#"{"role":""}"#, "unknown variant ``"),
    ] {
        let said = assert_refused::<Message>(broken, word);
        assert!(
            ["`role`", "`user`", "`assistant`", "`toolResult`"]
                .iter()
                .all(|word| said.contains(word)),
            "the error for an unknown role names the field and the three roles; it says: {said}"
        );
    }
}

#[test]
fn test_ch14_a_role_is_a_string() {
    for broken in [
        r#"{"role":null,"content":[],"timestamp":1}"#,
        r#"{"role":1}"#,
        r#"{"role":["user"]}"#,
        r#"{"timestamp":1,"role":{}}"#,
    ] {
        let said = assert_refused::<Message>(broken, "`role`: invalid type");
        assert!(
            said.contains("expected a string"),
            "the error says what a role should be, a string; it says: {said}"
        );
    }
}

#[test]
fn test_ch14_only_an_object_is_a_message() {
    assert_refused::<Message>("{}", "missing field `role`");
    for broken in [
        r#"["user",[],1]"#,
        r#"[{"role":"user","content":[],"timestamp":1}]"#,
        r#""user""#,
        "null",
    ] {
        assert_refused::<Message>(broken, "expected a message");
    }
}

#[test]
fn test_ch14_messages_round_trip() {
    for (message, json) in examples() {
        assert_eq!(
            read::<Message>(&json.to_string()),
            message,
            "read from {json}"
        );
        let from_value: Message = match serde_json::from_value(json.clone()) {
            Ok(message) => message,
            Err(error) => panic!("this Value should load: {json}\nserde says: {error}"),
        };
        assert_eq!(from_value, message, "read from a serde_json::Value");
        assert_json("and written again", &to_json(&message), &json);
    }
}

#[test]
fn test_ch14_fields_in_any_order() {
    for (message, json) in examples() {
        let fields = fields_of(&json);
        for turned in 0..fields.len() {
            let (end, start) = fields.split_at(turned);
            let text = format!("{{{}}}", [start, end].concat().join(","));
            assert_eq!(
                read::<Message>(&text),
                message,
                "the order of the fields says nothing: {text}"
            );
        }
    }
}

#[test]
fn test_ch14_missing_fields_are_named() {
    for (_, whole) in examples() {
        for name in names_of(&whole) {
            if ["error_message", "childLoopId"].contains(&name.as_str()) {
                continue;
            }
            let mut broken = whole.clone();
            broken.as_object_mut().expect("an object").remove(&name);
            assert_refused::<Message>(&broken.to_string(), &format!("missing field `{name}`"));
        }
    }
}

#[test]
fn test_ch14_wrong_values_are_named() {
    for (_, whole) in examples() {
        for name in names_of(&whole) {
            let mut rest = whole.clone();
            rest.as_object_mut().expect("an object").remove(&name);
            let rest = fields_of(&rest).join(",");
            // First and last: before the role is known, and after.
            for text in [
                format!(r#"{{"{name}":0.5,{rest}}}"#),
                format!(r#"{{{rest},"{name}":0.5}}"#),
            ] {
                assert_refused::<Message>(&text, &format!("`{name}`: "));
            }
        }
    }
    let mut inside = assistant_json();
    inside["usage"] = json!({ "input": 1, "output": null });
    assert_refused::<Message>(&inside.to_string(), "`usage`: `output`: invalid type: null");
    inside = assistant_json();
    inside["stopReason"] = json!("end_turn");
    assert_refused::<Message>(
        &inside.to_string(),
        "`stopReason`: unknown variant `end_turn`",
    );
}

#[test]
fn test_ch14_what_may_be_missing() {
    let mut reply = assistant_json();
    reply["errorMessage"] = json!("overloaded");
    assert_eq!(
        read::<Message>(&reply.to_string()),
        with_error(an_assistant(), "overloaded"),
        "the error message is read in camel case too"
    );
    for (message, json, name) in [
        (an_assistant(), assistant_json(), "error_message"),
        (an_assistant(), assistant_json(), "errorMessage"),
        (a_tool_result(), tool_result_json(), "childLoopId"),
    ] {
        let mut with_null = json;
        with_null[name] = json!(null);
        assert_eq!(
            read::<Message>(&with_null.to_string()),
            message,
            "`{name}` may be missing, so null stands for None"
        );
    }
}

#[test]
fn test_ch14_fields_of_nobody_and_of_others() {
    let others = [
        json!({ "added_next_year": { "a": [1] }, "usage": 7, "isError": "no", "model": null }),
        json!({ "added_next_year": [], "toolCallId": 1, "childLoopId": {} }),
        json!({ "added_next_year": true, "stopReason": "nap", "usage": [] }),
    ];
    let ours = [
        (a_user(), user_json()),
        (an_assistant(), assistant_json()),
        (a_tool_result(), tool_result_json()),
    ];
    for ((message, json), others) in ours.into_iter().zip(others) {
        let fields = fields_of(&json).join(",");
        for other in fields_of(&others) {
            for text in [
                format!("{{{other},{fields}}}"),
                format!("{{{fields},{other}}}"),
            ] {
                assert_eq!(
                    read::<Message>(&text),
                    message,
                    "{other} is no field of a message with the role {}, so it is passed over, whatever is in it: {text}",
                    json["role"]
                );
            }
        }
    }
}

#[test]
fn test_ch14_a_message_field_twice_is_refused() {
    for (twice, name) in [
        (
            r#"{"role":"user","content":[],"timestamp":1,"timestamp":1}"#,
            "timestamp",
        ),
        (
            r#"{"timestamp":1,"role":"user","content":[],"timestamp":1}"#,
            "timestamp",
        ),
        (
            r#"{"content":[],"content":[],"role":"user","timestamp":1}"#,
            "content",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"role":"user"}"#,
            "role",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"role":"assistant"}"#,
            "role",
        ),
        (
            r#"{"role":"assistant","error_message":null,"errorMessage":"e"}"#,
            "error_message",
        ),
    ] {
        assert_refused::<Message>(twice, &format!("duplicate field `{name}`"));
    }
}

/// A message of each role, without what may be missing and with it, and its JSON.
fn examples() -> Vec<(Message, Value)> {
    let mut failed = assistant_json();
    failed["error_message"] = json!("overloaded");
    let mut from_a_child = tool_result_json();
    from_a_child["isError"] = json!(true);
    from_a_child["childLoopId"] = json!("s.sub.1");
    vec![
        (a_user(), user_json()),
        (an_assistant(), assistant_json()),
        (with_error(an_assistant(), "overloaded"), failed),
        (a_tool_result(), tool_result_json()),
        (a_child_result(), from_a_child),
    ]
}

fn names_of(object: &Value) -> Vec<String> {
    let fields = object.as_object().expect("an object");
    fields.keys().cloned().collect()
}

/// Each field as it stands in JSON text.
fn fields_of(object: &Value) -> Vec<String> {
    let fields = object.as_object().expect("an object").iter();
    fields
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect()
}
