//! Section 17.3: What a provider sees

use std::borrow::Cow;

use claw_code::transcript::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch17_wire_messages_have_only_these_fields() {
    let expected = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "user", "content": "Hi." }),
        json!({
            "role": "assistant",
            "content": [
                { "type": "thinking", "text": "plan", "signature": "signature" },
                { "type": "reasoning", "text": "why" },
                { "type": "reasoning_details", "details": 1 },
                { "type": "tool_call", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
            ]
        }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash",
            "content": [{ "type": "text", "text": "src" }], "is_error": true
        }),
    ];
    for (entry, expected) in entries_with_secrets().iter().zip(expected) {
        assert_json(
            "a provider gets the role, the content with all thoughts, and for a result the call and whether it failed",
            &to_json(&WireMessage::of(entry)),
            &expected,
        );
    }
}

#[test]
fn test_ch17_a_custom_entry_never_reaches_the_wire() {
    for entry in [custom_entry(None), entry_of_an_unknown_role()] {
        assert_eq!(
            WireMessage::of(&entry),
            None,
            "no provider gets a custom entry or one of an unknown role: there is nothing to send"
        );
    }
}

#[test]
fn test_ch17_no_provider_sees_what_is_unknown() {
    assert_eq!(to_wire(&[]), [], "no entries give no wire messages");
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
    let transcript = entries_with_secrets();
    let wire = to_wire(&transcript);
    assert_eq!(
        roles(&wire),
        ["system", "user", "assistant", "tool_result"],
        "every entry except the custom one, in order"
    );
    let text = to_json(&wire).to_string();
    assert!(
        !text.contains("SECRET"),
        "narration, details, custom entries and error messages are for the host, but the provider gets {text}"
    );
}

#[test]
fn test_ch17_the_role_decides_what_is_sent() {
    let system = entries_with_secrets().swap_remove(0);
    let unknown = from_json(&json!([{ "type": "audio" }]));
    let reply = |stop| reply_blocks(vec![text_block("Hi.")], stop);
    for (rule, entry) in [
        ("a failed reply", reply(StopReason::Error)),
        ("an aborted reply", reply(StopReason::Aborted)),
        ("a late system message", system),
        ("an empty text of a user", user_entry("")),
        ("unknown blocks", reply_blocks(unknown, StopReason::EndTurn)),
        ("no blocks", reply_blocks(vec![], StopReason::EndTurn)),
    ] {
        let role = to_json(&entry)["role"].clone();
        assert_eq!(
            roles(&to_wire(&[user_entry("Hi."), custom_entry(None), entry])),
            [json!("user"), role],
            "only the role decides which entries are sent: {rule}"
        );
    }
}

#[test]
fn test_ch17_wire_messages_borrow_their_content() {
    for message in to_wire(&entries_with_secrets()) {
        let is_borrowed = match &message {
            WireMessage::System { .. } => true,
            WireMessage::User { content } => matches!(content, Cow::Borrowed(_)),
            WireMessage::Assistant { content } => matches!(content, Cow::Borrowed(_)),
            WireMessage::ToolResult { content, .. } => matches!(content, Cow::Borrowed(_)),
        };
        assert!(
            is_borrowed,
            "nothing is copied unless an unknown part has to be left out, but here it was: {message:?}"
        );
    }
}

fn roles(wire: &[WireMessage]) -> Vec<Value> {
    let roles = wire.iter().map(|message| to_json(message)["role"].clone());
    roles.collect()
}
