//! Section 17.3: What a provider sees

use claw_code::transcript::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch17_the_wire_has_these_fields_alone() {
    let expected = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "user", "content": "Hi." }),
        json!({
            "role": "assistant",
            "content": [
                { "type": "thinking", "text": "plan", "signature": "seal" },
                { "type": "tool_call", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
            ]
        }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash",
            "content": [{ "type": "text", "text": "src" }], "is_error": true
        }),
    ];
    let entries: Vec<AgentMessage> = with_secrets();
    for (entry, expected) in entries.iter().zip(expected) {
        assert_json(
            "on the wire are the role, what was said and, of a result, the call and whether it failed; of a reply its sealed thoughts as well",
            &to_json(&WireMessage::of(entry)),
            &expected,
        );
    }
}

#[test]
fn test_ch17_a_custom_entry_never_reaches_the_wire() {
    let custom = with_secrets().pop().expect("the last is a custom entry");
    assert_eq!(
        WireMessage::of(&custom),
        None,
        "a provider has no use for the host's own entries: there is nothing to send"
    );
}

#[test]
fn test_ch17_no_provider_sees_what_is_unknown() {
    let blocks = json!([{ "type": "text", "text": "Hi.", "SECRET": 1 }, { "type": "SECRET" }]);
    let known = json!([{ "type": "text", "text": "Hi." }]);
    let transcript: Vec<AgentMessage> = from_json(&json!([
        { "role": "user", "content": blocks, "SECRET": 1 },
        { "role": "assistant", "content": blocks, "stop_reason": "end_turn" },
        { "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": blocks,
          "is_error": false }
    ]));
    assert_json(
        "entries and blocks are sent without their unknown fields, and unknown blocks are not sent",
        &to_json(&to_wire(&transcript)),
        &json!([
            { "role": "user", "content": known },
            { "role": "assistant", "content": known },
            { "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": known,
              "is_error": false }
        ]),
    );
}

#[test]
fn test_ch17_no_secret_reaches_the_wire() {
    let transcript = with_secrets();
    let wire = to_wire(&transcript);
    let roles: Vec<Value> = wire.iter().map(|it| to_json(it)["role"].clone()).collect();
    assert_eq!(
        roles,
        ["system", "user", "assistant", "tool_result"],
        "every entry but the custom one, in the transcript's order"
    );
    let text = to_json(&wire).to_string();
    assert!(
        !text.contains("SECRET"),
        "narration, details, custom entries and error messages are for the host; the wire has {text}"
    );
    let system = transcript[0].clone();
    let failed = a_reply_with(vec![], StopReason::Error);
    let mixed = [a_user("Hi."), failed, a_note(None), a_user("So?"), system];
    let wire = to_wire(&mixed);
    let roles: Vec<Value> = wire.iter().map(|it| to_json(it)["role"].clone()).collect();
    assert_eq!(
        roles,
        ["user", "assistant", "user", "system"],
        "the role alone decides: a reply that failed and a late system message are sent, each in its place"
    );
    assert_eq!(to_wire(&[]), [], "of nothing, nothing");
}
