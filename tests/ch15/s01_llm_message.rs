//! Section 15.1: A turn beside the fields

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_llm_message_without_turn() {
    for message in [a_user(), a_reply(), a_result()] {
        let llm = LlmMessage::new(message.clone());
        assert_eq!(llm.message, message, "the message is kept as it was given");
        assert_eq!(llm.turn_id, None, "nobody said which turn made it");
        assert_json(
            "a message of no known turn is written as the bare message: programs that know no turns read it",
            &to_json(&llm),
            &to_json(&message),
        );
    }
}

#[test]
fn test_ch15_llm_message_with_turn() {
    for message in [a_user(), a_reply(), a_result()] {
        let llm = LlmMessage::with_turn(message.clone(), a_turn());
        assert_eq!(llm.message, message, "the message is kept as it was given");
        assert_eq!(
            llm.turn_id,
            Some(a_turn()),
            "the turn is kept as it was given"
        );
        let mut expected = to_json(&message);
        expected["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
        assert_json(
            "the turn stands beside the message's own fields, in camel case",
            &to_json(&llm),
            &expected,
        );
    }
}

#[test]
fn test_ch15_llm_message_role_is_written_first() {
    let llm = LlmMessage::with_turn(a_user(), a_turn());
    let text = serde_json::to_string(&llm).expect("a message can be written");
    assert!(
        text.starts_with(r#"{"role":"user","#),
        "the role stays the first field, so that whoever reads the rest knows what to expect: {text}"
    );
}
