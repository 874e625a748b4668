//! Section 15.1: A turn id beside the fields

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_message_without_turn_is_the_bare_message() {
    for message in [a_user(), a_reply(), a_result(), a_newer_user()] {
        let llm = LlmMessage::new(message.clone());
        assert_eq!(llm.message, message, "the message is unchanged");
        assert_eq!(llm.turn_id, None, "a new message has no turn id");
        assert_json(
            "a message without a turn id is written as the bare message, so that programs without turns can read it (if only the role is missing, `Message::write` of section 14.6 does not write it)",
            &to_json(&llm),
            &to_json(&message),
        );
    }
}

#[test]
fn test_ch15_turn_id_is_written_beside_the_fields() {
    for message in [a_user(), a_reply(), a_result(), a_newer_user()] {
        let llm = LlmMessage::with_turn(message.clone(), a_turn());
        assert_eq!(llm.message, message, "the message is unchanged");
        assert_eq!(llm.turn_id, Some(a_turn()), "the turn id is unchanged");
        assert!(llm.other.is_empty(), "a new message has no other fields");
        let mut expected = to_json(&message);
        expected["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
        assert_json(
            "`turnId` is written beside the message's fields, in camel case",
            &to_json(&llm),
            &expected,
        );
    }
}

#[test]
fn test_ch15_other_fields_are_written_where_they_belong() {
    let mut llm = llm(a_reply(), Some(a_turn()));
    for (name, value) in [
        ("cost", json!(3)),
        ("usage", json!({ "cost": 1 })),
        ("turnId", json!({ "branch": "b" })),
    ] {
        llm.other.insert(name.to_string(), value);
    }
    let mut expected = to_json(&a_reply());
    expected["cost"] = json!(3);
    expected["usage"]["cost"] = json!(1);
    expected["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0, "branch": "b" });
    assert_json(
        "the fields in `other` are written too, those of `usage` and `turnId` into these objects",
        &to_json(&llm),
        &expected,
    );
}

#[test]
fn test_ch15_role_is_the_first_field() {
    let llm = LlmMessage::with_turn(a_user(), a_turn());
    let text = serde_json::to_string(&llm).expect("a message can be written");
    assert!(
        text.starts_with(r#"{"role":"user","#),
        "the role should be the first field, so that readers know which fields follow: {text}"
    );
    assert_eq!(
        text,
        r#"{"role":"user","content":[],"timestamp":1,"turnId":{"loopId":"s.c.1","turnIndex":0}}"#,
        "left: what is written; right: the message's fields, each once, and then the turn id"
    );
}
