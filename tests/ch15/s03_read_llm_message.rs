//! Section 15.3: Reading a message with its turn

use claw_code::agent::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch15_messages_with_turns_round_trip() {
    for message in [a_user(), a_reply(), a_result()] {
        let mut json = to_json(&message);
        for turn_id in [None, Some(a_turn())] {
            if turn_id.is_some() {
                json["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
            }
            let llm = llm(message.clone(), turn_id);
            assert_eq!(
                read::<LlmMessage>(&json.to_string()),
                llm,
                "read from {json}"
            );
            assert_json(
                "writing it again gives the same JSON",
                &to_json(&llm),
                &json,
            );
        }
    }
}

#[test]
fn test_ch15_turn_id_loads_in_any_position() {
    let turn = r#""turnId":{"loopId":"s.c.1","turnIndex":0}"#;
    let expected = llm(a_user(), Some(a_turn()));
    for text in [
        format!(r#"{{{turn},"role":"user","content":[],"timestamp":1}}"#),
        format!(r#"{{"role":"user",{turn},"content":[],"timestamp":1}}"#),
        format!(r#"{{"timestamp":1,"content":[],{turn},"role":"user"}}"#),
        format!(r#"{{"role":"user","content":[],"timestamp":1,{turn}}}"#),
    ] {
        assert_eq!(
            read::<LlmMessage>(&text),
            expected,
            "`turnId` may come before or after the role: {text}"
        );
    }
}

#[test]
fn test_ch15_turn_of_a_nameless_loop_is_kept() {
    let turn = TurnId {
        loop_id: String::new(),
        turn_index: 0,
    };
    let text = r#"{"role":"user","content":[],"timestamp":1,"turnId":{"loopId":"","turnIndex":0}}"#;
    assert_eq!(
        read::<LlmMessage>(text),
        llm(a_user(), Some(turn)),
        "an empty text is a loop id like any other"
    );
}

#[test]
fn test_ch15_messages_without_turn_id_load() {
    for message in [a_user(), a_reply(), a_result()] {
        let old = to_json(&message);
        let loaded: LlmMessage = read(&old.to_string());
        assert_eq!(
            (loaded.message, loaded.turn_id),
            (message, None),
            "a message without `turnId` loads with no turn id: {old}"
        );
    }
}

#[test]
fn test_ch15_null_is_no_turn_id() {
    for message in [a_user(), a_reply(), a_result()] {
        let mut json = to_json(&message);
        json["turnId"] = Value::Null;
        let loaded: LlmMessage = read(&json.to_string());
        assert_eq!(
            (loaded.message, loaded.turn_id),
            (message, None),
            "null means no turn id: {json}"
        );
    }
}

#[test]
fn test_ch15_unknown_fields_of_a_message_are_kept() {
    for text in [
        r#"{"role":"user","content":[],"timestamp":1,"cost":{"usd":0.5},"tags":null,"turn_id":1}"#,
        r#"{"cost":1,"role":"user","content":[],"timestamp":1,"turnId":{"loopId":"s.c.1","turnIndex":0}}"#,
        r#"{"role":"user","content":[],"timestamp":1,"stopReason":"a field of another role"}"#,
        r#"{"role":"user","content":[],"timestamp":1,"cost":1,"cost":2}"#,
    ] {
        let llm: LlmMessage = read(text);
        assert_eq!(
            llm.message,
            a_user(),
            "the known fields form the message: {text}"
        );
        assert_json(
            "an unknown field is written back unchanged",
            &to_json(&llm),
            &read::<Value>(text),
        );
    }
}

#[test]
fn test_ch15_unknown_fields_of_a_usage_and_a_turn_are_kept() {
    let usage =
        r#"{"input":1,"output":2,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":3}"#;
    let more = r#"{"total_tokens":3,"cost":{"usd":0.5},"input":1,"output":2,"reasoning":0,"cache_read":0,"cache_write":0}"#;
    let turn = r#"{"loopId":"s.c.1","turnIndex":0,"branch":"b"}"#;
    let text = |usage: &str| {
        format!(
            r#"{{"role":"assistant","content":[],"stopReason":"stop","model":"m","provider":"p","usage":{usage},"timestamp":1,"turnId":{turn},"tags":["a"]}}"#
        )
    };
    let llm: LlmMessage = read(&text(more));
    let known: LlmMessage = read(&text(usage));
    assert_eq!(
        (&llm.message, &llm.turn_id),
        (&known.message, &Some(a_turn())),
        "the known fields form the usage and the turn"
    );
    assert_json(
        "`other` has the unknown fields of `usage` and `turnId` in objects with these names",
        &to_json(&llm.other),
        &json!({ "tags": ["a"], "turnId": { "branch": "b" }, "usage": { "cost": { "usd": 0.5 } } }),
    );
    assert_json(
        "an unknown field is written back into its object",
        &to_json(&llm),
        &read::<Value>(&text(more)),
    );
}

#[test]
fn test_ch15_malformed_turn_id_is_an_error() {
    for (turn, word) in BROKEN_TURNS.into_iter().filter(|(turn, _)| *turn != "null") {
        let text = format!(r#"{{"role":"user","content":[],"timestamp":1,"turnId":{turn}}}"#);
        let said = assert_rejected::<LlmMessage>(&text, word);
        assert!(
            said.starts_with("`turnId`: "),
            "the error should begin with the field `turnId`: {said}"
        );
    }
    let before = r#"{"turnId":7,"role":"user","content":[],"timestamp":1}"#;
    assert_rejected::<LlmMessage>(before, "`turnId`: invalid type: integer `7`");
}

#[test]
fn test_ch15_duplicate_turn_id_is_an_error() {
    let turn = r#"{"loopId":"s.c.1","turnIndex":0}"#;
    for (first, second) in [("null", "null"), ("null", turn), (turn, "null")] {
        let twice = format!(
            r#"{{"role":"user","turnId":{first},"content":[],"timestamp":1,"turnId":{second}}}"#
        );
        assert_rejected::<LlmMessage>(&twice, "duplicate field `turnId`");
    }
}

#[test]
fn test_ch15_second_role_is_an_error() {
    for second in ["user", "assistant"] {
        let twice = format!(r#"{{"role":"user","content":[],"timestamp":1,"role":"{second}"}}"#);
        assert_rejected::<LlmMessage>(&twice, "duplicate field `role`");
    }
}

#[test]
fn test_ch15_message_errors_name_the_missing_field() {
    for (message, field) in [
        (a_user(), "role"),
        (a_user(), "timestamp"),
        (a_result(), "isError"),
        (a_reply(), "usage"),
    ] {
        let mut json = to_json(&message);
        json.as_object_mut().expect("an object").remove(field);
        assert_rejected::<LlmMessage>(&json.to_string(), &format!("missing field `{field}`"));
    }
}

#[test]
fn test_ch15_message_errors_name_the_wrong_field() {
    let fraction = "invalid type: floating point `1.5`";
    let nap = "unknown variant `nap`";
    for (message, field, value, problem) in [
        (a_user(), "timestamp", json!(1.5), fraction),
        (a_user(), "timestamp", Value::Null, "invalid type: null"),
        (a_reply(), "stopReason", json!("nap"), nap),
    ] {
        let mut json = to_json(&message);
        json[field] = value;
        assert_rejected::<LlmMessage>(&json.to_string(), &format!("`{field}`: {problem}"));
    }
}

#[test]
fn test_ch15_other_json_is_no_llm_message() {
    let extension = r#"{"role":"extension","kind":"k","data":1}"#;
    assert_rejected::<LlmMessage>(extension, "`role`: unknown variant `extension`");
    assert_rejected::<LlmMessage>(r#"["user",[],1,null]"#, "expected a message");
}
