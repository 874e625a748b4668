//! Section 14.8: Reading a message by its role

use claw_code::agent::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch14_message_requires_a_role() {
    for broken in [
        "{}",
        r#"{"content":[],"timestamp":1}"#,
        r#"{"kind":"k","data":{"role":"user"}}"#,
    ] {
        assert_rejected::<Message>(broken, "missing field `role`");
    }
}

#[test]
fn test_ch14_unknown_roles_are_rejected() {
    for (broken, word) in [
        (r#"{"role":"system","content":[],"timestamp":1}"#, "system"),
        (
            r#"{"content":[],"timestamp":1,"role":"Assistant"}"#,
            "Assistant",
        ),
        (r#"{"role":"tool_result"}"#, "tool_result"),
        (r#"{"role":""}"#, "unknown variant ``"),
    ] {
        let said = assert_rejected::<Message>(broken, word);
        assert!(
            ["`role`", "`user`", "`assistant`", "`toolResult`"]
                .iter()
                .all(|word| said.contains(word)),
            "the error should name the field and the three roles: {said}"
        );
    }
}

#[test]
fn test_ch14_role_must_be_a_string() {
    for broken in [
        r#"{"role":null,"content":[],"timestamp":1}"#,
        r#"{"role":1}"#,
        r#"{"role":["user"]}"#,
        r#"{"timestamp":1,"role":{}}"#,
    ] {
        let said = assert_rejected::<Message>(broken, "`role`: invalid type");
        assert!(
            said.contains("expected a string"),
            "the error should say that a role is a string: {said}"
        );
    }
}

#[test]
fn test_ch14_only_an_object_is_a_message() {
    assert_rejected::<Message>("{}", "missing field `role`");
    for broken in [
        r#"["user",[],1]"#,
        r#"[{"role":"user","content":[],"timestamp":1}]"#,
        r#""user""#,
        "null",
    ] {
        assert_rejected::<Message>(broken, "expected a message");
    }
}

#[test]
fn test_ch14_messages_round_trip() {
    for (message, json) in examples() {
        assert_reads("a message loads", &json.to_string(), &message);
        let from_value: Message = match serde_json::from_value(json.clone()) {
            Ok(message) => message,
            Err(error) => panic!("this Value should load: {json}\nserde says: {error}"),
        };
        assert_eq!(
            from_value, message,
            "a message loads from a serde_json::Value"
        );
        assert_json(
            "writing it again gives the same JSON",
            &to_json(&message),
            &json,
        );
    }
}

#[test]
fn test_ch14_unknown_blocks_of_a_message_are_kept() {
    let blocks = json!([{ "type": "video", "url": "v" }, { "type": "text", "text": "hi", "x": 1 }]);
    for (_, mut json) in examples() {
        json["content"] = blocks.clone();
        assert_round_trip::<Message>(json);
    }
}

#[test]
fn test_ch14_reply_with_another_stop_reason_is_no_overflow() {
    for reason in [
        "maxTurns",
        "userStop",
        "handoff",
        "guardRail",
        "contextCompacted",
        "paused",
    ] {
        let mut json = failed_json("prompt is too long");
        json["stopReason"] = json!(reason);
        let reply: Message = read(&json.to_string());
        assert!(
            !reply.is_context_overflow(),
            "{reason} is not a context overflow: only a reply that ended in an error is one (section 14.5)"
        );
    }
}

#[test]
fn test_ch14_empty_values_load() {
    for (_, whole) in examples() {
        for (name, empty) in [
            ("content", json!([])),
            ("timestamp", json!(0)),
            ("model", json!("")),
            ("toolName", json!("")),
        ] {
            let mut json = whole.clone();
            if json.get(name).is_some() {
                json[name] = empty;
                assert_round_trip::<Message>(json);
            }
        }
    }
}

#[test]
fn test_ch14_fields_load_in_any_order() {
    for (message, json) in examples() {
        let fields = fields_of(&json);
        for turned in 0..fields.len() {
            let (end, start) = fields.split_at(turned);
            let text = format!("{{{}}}", [start, end].concat().join(","));
            assert_reads("the order of fields does not matter", &text, &message);
        }
    }
}

#[test]
fn test_ch14_first_wrong_field_is_the_one_reported() {
    for broken in [
        r#"{"timestamp":null,"role":"user","content":3}"#,
        r#"{"timestamp":null,"content":3,"role":"user"}"#,
    ] {
        let said = assert_rejected::<Message>(broken, "`timestamp`: invalid type: null");
        assert!(
            said.starts_with("`timestamp`: "),
            "an error before the role has the field's name and no other prefix: {said}"
        );
    }
}

#[test]
fn test_ch14_errors_name_missing_fields() {
    for (_, whole) in examples() {
        for name in names_of(&whole) {
            if ["error_message", "childLoopId"].contains(&name.as_str()) {
                continue;
            }
            let mut broken = whole.clone();
            broken.as_object_mut().expect("an object").remove(&name);
            assert_rejected::<Message>(&broken.to_string(), &format!("missing field `{name}`"));
        }
    }
}

#[test]
fn test_ch14_errors_name_fields_with_wrong_values() {
    for (_, whole) in examples() {
        for name in names_of(&whole) {
            let mut rest = whole.clone();
            rest.as_object_mut().expect("an object").remove(&name);
            let rest = fields_of(&rest).join(",");
            // The field comes first, before the role is known, and last.
            for text in [
                format!(r#"{{"{name}":0.5,{rest}}}"#),
                format!(r#"{{{rest},"{name}":0.5}}"#),
            ] {
                assert_rejected::<Message>(&text, &format!("`{name}`: "));
            }
        }
    }
}

#[test]
fn test_ch14_errors_name_the_path_of_a_wrong_value() {
    let mut inside = assistant_json();
    inside["usage"] = json!({ "input": 1, "output": null });
    assert_rejected::<Message>(&inside.to_string(), "`usage`: `output`: invalid type: null");
    inside = assistant_json();
    inside["stopReason"] = json!("end_turn");
    assert_rejected::<Message>(
        &inside.to_string(),
        "`stopReason`: unknown variant `end_turn`",
    );
}

#[test]
fn test_ch14_message_errors_carry_line_and_column() {
    let one_line = r#"{"role":"user","content":[],"timestamp":null}"#;
    let lines = one_line
        .replace("],", "],\n")
        .replace('}', ",\n\"cost\":1}");
    for (broken, place) in [
        (one_line, "at line 1 column 44"),
        (lines.as_str(), "at line 2 column 16"),
    ] {
        let said = assert_rejected::<Message>(broken, "null");
        assert!(
            said.ends_with(place),
            "a field after the role is read at once and not kept as a `Value`, so its error ends with {place:?}: {said}"
        );
    }
}

#[test]
fn test_ch14_error_message_loads_in_camel_case() {
    let reply = failed_json("overloaded").to_string();
    assert_reads(
        "`errorMessage` loads too",
        &reply.replace("error_message", "errorMessage"),
        &failed(StopReason::Error, Some("overloaded")),
    );
}

#[test]
fn test_ch14_optional_fields_may_be_null() {
    for (message, json, name) in [
        (an_assistant(), assistant_json(), "error_message"),
        (an_assistant(), assistant_json(), "errorMessage"),
        (a_tool_result(), tool_result_json(), "childLoopId"),
    ] {
        let mut with_null = json;
        with_null[name] = json!(null);
        let why = format!("`{name}` is optional, so null means None");
        assert_reads(&why, &with_null.to_string(), &message);
    }
}

#[test]
fn test_ch14_unknown_fields_are_ignored() {
    for (message, json) in examples() {
        for other in [json!({ "a": [1] }), json!([]), json!(true), json!(null)] {
            assert_ignored(&message, &json, json!({ "added_next_year": other }));
        }
    }
    // `accept` leaves its value unread: this one does not fit into a `Value`.
    read::<Message>(r#"{"role":"user","content":[],"timestamp":1,"added_next_year":1e999}"#);
}

#[test]
fn test_ch14_fields_of_other_roles_are_ignored() {
    for (message, json, others) in [
        (
            a_user(),
            user_json(),
            json!({
                "usage": 7, "isError": "no", "model": null, "provider": 1, "toolName": 2,
                "stopReason": "nap", "errorMessage": 3, "error_message": 6, "toolCallId": 4,
                "childLoopId": 5
            }),
        ),
        (
            an_assistant(),
            assistant_json(),
            json!({ "toolCallId": 1, "childLoopId": {}, "toolName": 2, "isError": "no" }),
        ),
        (
            a_tool_result(),
            tool_result_json(),
            json!({
                "stopReason": "nap", "usage": [], "error_message": 3, "errorMessage": 4,
                "model": null, "provider": 1
            }),
        ),
    ] {
        assert_ignored(&message, &json, others);
    }
}

#[test]
fn test_ch14_duplicate_message_field_is_rejected() {
    let user = r#""role":"user","content":[],"timestamp":1"#;
    assert_duplicate("timestamp", &format!(r#"{user},"timestamp":1"#));
    assert_duplicate("timestamp", &format!(r#""timestamp":1,{user}"#));
    let content = r#""content":[],"content":[],"role":"user","timestamp":1"#;
    assert_duplicate("content", content);
    let both_names = r#""role":"assistant","error_message":null,"errorMessage":"e""#;
    assert_duplicate("error_message", both_names);
}

#[test]
fn test_ch14_duplicate_role_is_rejected() {
    let user = r#""role":"user","content":[],"timestamp":1"#;
    for second in [r#""user""#, r#""assistant""#, "null", "7"] {
        assert_duplicate("role", &format!(r#"{user},"role":{second}"#));
    }
}

/// A message of each role, with and without optional fields, and its JSON.
fn examples() -> Vec<(Message, Value)> {
    let mut from_a_child = tool_result_json();
    from_a_child["isError"] = json!(true);
    from_a_child["childLoopId"] = json!("s.sub.1");
    vec![
        (a_user(), user_json()),
        (an_assistant(), assistant_json()),
        (failed(StopReason::Error, Some("")), failed_json("")),
        (
            failed(StopReason::Error, Some("overloaded")),
            failed_json("overloaded"),
        ),
        (a_tool_result(), tool_result_json()),
        (a_child_result(), from_a_child),
    ]
}

fn names_of(object: &Value) -> Vec<String> {
    let fields = object.as_object().expect("an object");
    fields.keys().cloned().collect()
}

/// Each field as JSON text.
fn fields_of(object: &Value) -> Vec<String> {
    let fields = object.as_object().expect("an object").iter();
    fields
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect()
}

#[track_caller]
fn assert_reads(why: &str, text: &str, expected: &Message) {
    let got: Message = read(text);
    assert!(
        got == *expected,
        "{why}\n     JSON: {text}\n      got: {got:?}\n expected: {expected:?}"
    );
}

/// Fails unless the fields `others`, before and after the fields of `json`, change nothing.
#[track_caller]
fn assert_ignored(message: &Message, json: &Value, others: Value) {
    let fields = fields_of(json).join(",");
    for other in fields_of(&others) {
        for text in [
            format!("{{{other},{fields}}}"),
            format!("{{{fields},{other}}}"),
        ] {
            let why = format!(
                "{other} is not a field of {}, so it is skipped",
                json["role"]
            );
            assert_reads(&why, &text, message);
        }
    }
}

/// Fails unless an object with these fields is rejected because of the duplicate `name`.
#[track_caller]
fn assert_duplicate(name: &str, fields: &str) {
    assert_rejected::<Message>(
        &format!("{{{fields}}}"),
        &format!("duplicate field `{name}`"),
    );
}
