//! Section 14.8: Finding the role

use claw_code::agent::*;

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
