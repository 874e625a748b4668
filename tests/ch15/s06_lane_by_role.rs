//! Section 15.6: The role decides the lane

use claw_code::agent::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch15_messages_of_the_models_lane_round_trip() {
    let mut with_turn = to_json(&a_result());
    with_turn["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
    for (json, llm) in [
        (to_json(&a_reply()), llm(a_reply(), None)),
        (with_turn, llm(a_result(), Some(a_turn()))),
    ] {
        assert_agent_message(json, AgentMessage::Llm(llm));
    }
}

#[test]
fn test_ch15_extensions_round_trip_as_agent_messages() {
    assert_agent_message(
        json!({ "role": "extension", "kind": "notification", "data": { "text": "Saved." }, "cost": 3 }),
        AgentMessage::Extension(a_newer_extension()),
    );
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
    assert_json(
        "the fields of the other lane are kept",
        &to_json(&entry),
        &read::<Value>(text),
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
fn test_ch15_fields_of_the_other_lane_are_not_enough() {
    let user = r#"{"role":"user","kind":"k","data":1}"#;
    assert_rejected::<AgentMessage>(user, "missing field `content`");
    let extension = r#"{"role":"extension","content":[],"timestamp":1}"#;
    assert_rejected::<AgentMessage>(extension, "missing field `kind`");
}

#[test]
fn test_ch15_agent_message_is_an_object_with_a_known_role() {
    let system = r#"{"role":"system","content":[],"timestamp":1}"#;
    assert_rejected::<AgentMessage>(r#"{"kind":"k","data":1}"#, "missing field `role`");
    assert_rejected::<AgentMessage>(system, "`role`: unknown variant `system`");
    let nameless = r#"{"role":null,"kind":"k","data":1}"#;
    assert_rejected::<AgentMessage>(nameless, "`role`: invalid type: null");
    assert_rejected::<AgentMessage>(r#"["user",[],1]"#, "expected a message");
    assert_rejected::<AgentMessage>(r#"["extension","k",1]"#, "expected a message");
    let said = assert_rejected::<AgentMessage>(r#"{"role":"custom"}"#, "custom");
    assert!(
        ["`user`", "`assistant`", "`toolResult`", "`extension`"]
            .iter()
            .all(|role| said.contains(role)),
        "the error should name the four roles: {said}"
    );
}

#[test]
fn test_ch15_errors_of_both_lanes_name_the_field() {
    let time = r#"{"role":"user","content":[],"timestamp":"1"}"#;
    assert_rejected::<AgentMessage>(time, "`timestamp`: invalid type: string");
    let turn = r#"{"role":"user","content":[],"timestamp":1,"turnId":7}"#;
    assert_rejected::<AgentMessage>(turn, "`turnId`: ");
    let kind = r#"{"role":"extension","kind":1,"data":1}"#;
    assert_rejected::<AgentMessage>(kind, "`kind`: ");
}

/// Fails unless `json` is read as `entry` and `entry` is written as `json`.
#[track_caller]
fn assert_agent_message(json: Value, entry: AgentMessage) {
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
