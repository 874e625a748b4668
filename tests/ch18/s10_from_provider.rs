//! Section 18.10: From unified to chat messages

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch18_results_become_separate_messages() {
    let mut cached = result("call_1", json!("one"));
    cached["cache_control"] = json!({ "type": "ephemeral" });
    assert_chat(
        "each result becomes a message, also one with an unknown field, and the order stays",
        json!([
            { "role": "system", "content": [text("Be brief.")] },
            { "role": "user", "content": [
                text("Before."), cached, result("call_2", json!("two")),
                text("Behind,"), image()
            ] },
            { "role": "assistant", "content": [text("Done.")] }
        ]),
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Before." },
            { "role": "tool", "tool_call_id": "call_1", "content": "one", "raw_content_blocks": [cached] },
            { "role": "tool", "tool_call_id": "call_2", "content": "two" },
            { "role": "user", "content": "Behind,", "raw_content_blocks": [text("Behind,"), image()] },
            { "role": "assistant", "content": "Done." }
        ]),
    );
}

#[test]
fn test_ch18_empty_messages_come_back() {
    assert_chat(
        "a message without blocks stays a message, for every role",
        json!([
            { "role": "user", "content": [] },
            { "role": "assistant", "content": [] },
            { "role": "system", "content": [] }
        ]),
        json!([{ "role": "user" }, { "role": "assistant" }, { "role": "system" }]),
    );
}

#[test]
fn test_ch18_only_user_messages_are_split() {
    let blocks = json!([
        text("I ran it:"),
        result("call_1", json!("ok")),
        text("So.")
    ]);
    assert_chat(
        "only user messages are split; an assistant message stays one",
        json!([{ "role": "assistant", "content": blocks }]),
        json!([{ "role": "assistant", "content": "I ran it:\nSo.", "raw_content_blocks": blocks }]),
    );
}

#[test]
fn test_ch18_conversation_round_trips() {
    assert_there_and_back(
        "a conversation with content that both formats have loses nothing",
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "What is in src?" },
            { "role": "assistant", "reasoning": "Hm.", "content": "Let me look.",
              "tool_calls": [bash_call(), call("call_2", "bash", "{\"comm")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "main.rs" },
            { "role": "tool", "tool_call_id": "call_2", "content": "error: no JSON" },
            { "role": "assistant", "content": "One\nfile.",
              "raw_content_blocks": [signed("Hm."), text("One"), text("file.")], "reasoning": "Hm." },
            { "role": "user", "content": "Thanks." }
        ]),
        None,
    );
}

#[test]
fn test_ch18_round_trip_loses_fields_of_a_user_message() {
    assert_there_and_back(
        "of a user message's eleven fields, role and content come back",
        json!([{
            "role": "user", "name": "ada", "tool_call_id": "call_9", "content": "Hi.",
            "tool_metadata": metadata(true), "timestamp": "2026-01-02T03:04:05Z", "id": "msg_1", "status": "completed"
        }]),
        Some(json!([{ "role": "user", "content": "Hi." }])),
    );
}

#[test]
fn test_ch18_round_trip_loses_fields_of_a_tool_message() {
    assert_there_and_back(
        "of a tool message's eleven fields, role, tool_call_id and content come back",
        json!([{
            "role": "tool", "name": "f", "tool_call_id": "call_1", "content": "ok",
            "tool_calls": [bash_call()], "reasoning": "Hm.", "tool_metadata": metadata(true),
            "timestamp": "2026-01-02T03:04:05Z", "id": "msg_1", "status": "completed"
        }]),
        Some(json!([{ "role": "tool", "tool_call_id": "call_1", "content": "ok" }])),
    );
}

#[test]
fn test_ch18_round_trip_makes_a_developer_a_system_message() {
    assert_there_and_back(
        "a developer comes back as system",
        json!([{ "role": "developer", "content": "Hi." }]),
        Some(json!([{ "role": "system", "content": "Hi." }])),
    );
}

#[test]
fn test_ch18_round_trip_loses_empty_fields() {
    assert_there_and_back(
        "an empty list and an empty reasoning come back as None",
        json!([{ "role": "assistant", "tool_calls": [], "reasoning": "", "raw_content_blocks": [] }]),
        Some(json!([{ "role": "assistant" }])),
    );
}

#[test]
fn test_ch18_round_trip_writes_arguments_again() {
    let spaced = call("call_1", "bash", " { \"command\" : \"ls\" }");
    assert_there_and_back(
        "arguments are written again, without spaces",
        json!([{ "role": "assistant", "tool_calls": [spaced] }]),
        Some(json!([{ "role": "assistant", "tool_calls": [bash_call()] }])),
    );
}

#[test]
fn test_ch18_round_trip_keeps_a_failure_as_a_flag() {
    let failed = json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true });
    let run = json!({ "role": "tool", "tool_call_id": "call_1", "content": "no", "tool_metadata": metadata(false) });
    let back = json!({ "role": "tool", "tool_call_id": "call_1", "content": "no", "raw_content_blocks": [failed] });
    assert_there_and_back(
        "the failure of a run comes back as a flag in its block",
        json!([run]),
        Some(json!([back])),
    );
}

#[test]
fn test_ch18_round_trip_takes_fields_from_raw_blocks() {
    let raw = json!([signed("Hm."), text("In full.")]);
    let back = json!({ "role": "assistant", "content": "In full.", "reasoning": "Hm.", "raw_content_blocks": raw });
    assert_there_and_back(
        "flat fields that differ from the raw blocks come back with the blocks' content",
        json!([{ "role": "assistant", "content": "Edited.", "raw_content_blocks": raw }]),
        Some(json!([back])),
    );
}

/// The metadata of a tool's run.
fn metadata(success: bool) -> Value {
    json!({ "success": success, "duration_ms": 1.5, "tool_name": "f", "arguments": "{}" })
}

#[track_caller]
fn assert_chat(why: &str, unified: Value, chat: Value) {
    assert!(
        from_unified(&[]).is_empty(),
        "from_unified() of no messages gives no messages"
    );
    let made = from_unified(&from_json::<Vec<UnifiedMessage>>(unified));
    assert_json(why, &to_json(&made), &chat);
}

/// Asserts that a round trip gives `back`, or the original if `back` is `None`.
#[track_caller]
fn assert_there_and_back(why: &str, chat: Value, back: Option<Value>) {
    assert_chat("nothing gives nothing", json!([]), json!([]));
    match to_unified(&from_json::<Vec<ChatMessage>>(chat.clone())) {
        Ok(there) => assert_json(why, &to_json(&from_unified(&there)), &back.unwrap_or(chat)),
        Err(error) => panic!("{why}\nto_unified() gave an error: {error}"),
    }
}
