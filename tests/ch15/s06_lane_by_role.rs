//! Section 15.6: The role decides the lane

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_agent_messages_round_trip() {
    let mut with_turn = to_json(&a_result());
    with_turn["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
    for (json, entry) in [
        (to_json(&a_reply()), AgentMessage::Llm(llm(a_reply(), None))),
        (
            with_turn,
            AgentMessage::Llm(llm(a_result(), Some(a_turn()))),
        ),
        (
            json!({ "role": "extension", "kind": "notification", "data": { "text": "Saved." } }),
            AgentMessage::Extension(an_extension()),
        ),
    ] {
        assert_eq!(
            read::<AgentMessage>(&json.to_string()),
            entry,
            "read from {json}"
        );
        assert_json(
            "writing it again gives the same JSON",
            &to_json(&entry),
            &json,
        );
    }
}

#[test]
fn test_ch15_role_alone_decides_the_lane() {
    let text = r#"{"kind":"k","data":1,"content":[],"timestamp":1,"role":"user"}"#;
    let entry: AgentMessage = read(text);
    assert_eq!(
        entry.as_llm(),
        Some(&a_user()),
        "the object has the fields of both lanes, and its role decides: {text}"
    );
    let text = r#"{"content":[],"timestamp":1,"kind":"k","data":1,"role":"extension"}"#;
    assert!(
        matches!(
            read::<AgentMessage>(text),
            AgentMessage::Extension(note) if note.kind == "k" && note.data == json!(1)
        ),
        "the object has the fields of both lanes, and its role decides: {text}"
    );
}

#[test]
fn test_ch15_other_json_is_rejected() {
    for (broken, word) in [
        (
            r#"{"role":"user","kind":"k","data":1}"#,
            "missing field `content`",
        ),
        (
            r#"{"role":"extension","content":[],"timestamp":1}"#,
            "missing field `kind`",
        ),
        (r#"{"kind":"k","data":1}"#, "missing field `role`"),
        (
            r#"{"role":"system","content":[],"timestamp":1}"#,
            "`role`: unknown variant `system`",
        ),
        (
            r#"{"role":null,"kind":"k","data":1}"#,
            "`role`: invalid type: null",
        ),
        (r#"["user",[],1]"#, "expected a message"),
        (r#"["extension","k",1]"#, "expected a message"),
        (
            r#"{"role":"user","content":[],"timestamp":"1"}"#,
            "`timestamp`: invalid type: string",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"turnId":7}"#,
            "`turnId`: ",
        ),
        (r#"{"role":"extension","kind":1,"data":1}"#, "`kind`: "),
    ] {
        assert_rejected::<AgentMessage>(broken, word);
    }
    let said = assert_rejected::<AgentMessage>(r#"{"role":"custom"}"#, "custom");
    assert!(
        ["`user`", "`assistant`", "`toolResult`", "`extension`"]
            .iter()
            .all(|role| said.contains(role)),
        "the error should name the four roles: {said}"
    );
}
