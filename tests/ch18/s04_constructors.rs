//! Section 18.4: Constructors and ids

use std::collections::HashSet;

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_constructors_set_role_and_content() {
    for (made, role) in [
        (ChatMessage::system("Hi."), "system"),
        (ChatMessage::developer("Hi."), "developer"),
        (ChatMessage::user(String::from("Hi.")), "user"),
        (ChatMessage::assistant("Hi."), "assistant"),
    ] {
        assert_json(
            "a constructor sets only the role and the content",
            &to_json(&made),
            &json!({ "role": role, "content": "Hi." }),
        );
    }
    assert_json(
        "a result carries the id of its call",
        &to_json(&ChatMessage::tool_result("call_1", "Hi.\n")),
        &json!({ "role": "tool", "tool_call_id": "call_1", "content": "Hi.\n" }),
    );
    assert_json(
        "new() sets only the role",
        &to_json(&ChatMessage::new(Role::Assistant)),
        &json!({ "role": "assistant" }),
    );
}

#[test]
fn test_ch18_generated_ids_are_msg_and_32_hex_digits() {
    let mut seen = HashSet::new();
    for _ in 0..1000 {
        let id = ChatMessage::generate_id();
        let digits = id.strip_prefix("msg_").unwrap_or_default();
        assert!(
            !digits.contains('-'),
            "an id has no hyphens after `msg_`; this one is {id:?}"
        );
        let is_hex = |digit| matches!(digit, '0'..='9' | 'a'..='f');
        assert!(
            digits.len() == 32 && digits.chars().all(is_hex),
            "an id is `msg_` and 32 hexadecimal digits in lower case, without hyphens; this one is {id:?}"
        );
        assert!(
            digits[12..13] == *"4" && "89ab".contains(&digits[16..17]),
            "the digits are those of a random UUID (version 4): {id:?}"
        );
        assert!(seen.insert(id.clone()), "generate_id() gave {id:?} twice");
    }
}
