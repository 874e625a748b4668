//! A session's messages through the hub

use claw_code::agent::Usage;
use claw_code::chat::ChatMessage;
use claw_code::session::convert::{HubMessage, from_chat};
use serde_json::{Value, json};

use super::hub_messages::*;
use super::support::*;
use crate::support::from_json;

#[test]
fn developer_message_becomes_instructions() {
    let message = json!({ "role": "developer", "content": "Be brief.", "timestamp": TIME });
    assert_eq!(
        hub_messages(&message),
        [instructions("Be brief.", MILLISECONDS)],
        "the text and the time of instructions, in milliseconds since 1970"
    );
    let blocks = json!([text_block("Be brief."), text_block("Be kind.")]);
    assert_eq!(
        hub_messages(
            &json!({ "role": "system", "content": "shown", "raw_content_blocks": blocks })
        ),
        [instructions("Be brief.\nBe kind.", 0)],
        "the text of instructions is that of their blocks"
    );
}

#[test]
fn user_message_becomes_prompt() {
    let message = json!({ "role": "user", "content": "Hi.", "timestamp": TIME });
    assert_eq!(
        hub_messages(&message),
        [user_message("Hi.", MILLISECONDS)],
        "one text block, and the time in milliseconds since 1970"
    );
}

#[test]
fn message_without_blocks_becomes_prompt_without_text() {
    for message in [
        json!({ "role": "user" }),
        json!({ "role": "user", "raw_content_blocks": [{ "type": "compaction" }] }),
    ] {
        let expected = json!({ "role": "user", "content": [], "timestamp": 0 });
        assert_eq!(
            hub_messages(&message),
            [agent_message(expected)],
            "a message without text should not vanish, and its time is unknown, which is 0: {message}"
        );
    }
    assert_eq!(
        hub_messages(&json!({ "role": "system" })),
        [instructions("", 0)],
        "nor should instructions without text"
    );
    assert_eq!(
        hub_json(&json!({ "role": "assistant" }))["content"],
        json!([]),
        "a reply without text should not vanish either"
    );
}

#[test]
fn tool_name_comes_from_metadata_or_name() {
    let metadata =
        json!({ "success": false, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    let mut message = json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "ls",
        "tool_metadata": metadata });
    assert_eq!(
        hub_messages(&message),
        [tool_result("t1", "bash", "src", true)],
        "`tool_metadata` says which tool ran, and that it failed"
    );
    message["tool_metadata"] = Value::Null;
    assert_eq!(
        hub_messages(&message),
        [tool_result("t1", "ls", "src", false)],
        "without metadata, `name` is the tool's name"
    );
}

#[test]
fn result_of_other_json_becomes_text() {
    let message = json!({ "role": "tool", "raw_content_blocks": [
        { "type": "tool_result", "tool_use_id": "t1", "content": { "a": 1 } }] });
    assert_eq!(
        hub_messages(&message),
        [tool_result("t1", "", "{\"a\":1}", false)],
        "the hub has only blocks, so other JSON becomes text"
    );
}

#[test]
fn each_result_among_blocks_is_a_message() {
    let blocks = json!([
        text_block("a"),
        { "type": "tool_result", "tool_use_id": "t1", "content": "src", "cache_control": {} },
        { "type": "tool_result", "tool_use_id": "t2", "content": "lib" },
        text_block("b"), text_block("c"), { "type": "compaction" },
        { "type": "tool_result", "tool_use_id": "t3", "content": "bin" },
        { "type": "compaction" }]);
    let both =
        json!({ "role": "user", "content": [text_block("b"), text_block("c")], "timestamp": 0 });
    let expected = [
        user_message("a", 0),
        tool_result("t1", "", "src", false),
        tool_result("t2", "", "lib", false),
        agent_message(both),
        tool_result("t3", "", "bin", false),
    ];
    for role in ["user", "tool"] {
        let message = json!({ "role": role, "content": "shown", "raw_content_blocks": blocks });
        assert_eq!(
            hub_messages(&message),
            expected,
            "raw blocks take precedence, a result among them is a message of its own even with an unknown field, and an unknown block is left out; role {role}"
        );
    }
}

#[test]
fn result_without_a_call_id_is_an_error() {
    let message: ChatMessage = from_json(&json!({ "role": "tool", "content": "src" }));
    let error = from_chat::to_hub(&message)
        .expect_err("a result that names no call should not enter the hub");
    assert!(
        error.to_string().contains("tool_call_id"),
        "the error should be that of `to_blocks`, which names the field; it is: {error}"
    );
}

#[test]
fn status_becomes_stop_reason() {
    let call = json!([{ "id": "t1", "type": "function",
        "function": { "name": "bash", "arguments": "{}" } }]);
    for (status, calls, stop_reason) in [
        (Value::Null, Value::Null, "stop"),
        (json!("completed"), Value::Null, "stop"),
        (json!("completed"), call.clone(), "toolUse"),
        (Value::Null, call.clone(), "toolUse"),
        (json!("incomplete"), call.clone(), "length"),
        (json!("failed"), call.clone(), "error"),
        (json!("in_progress"), call, "paused"),
    ] {
        let message =
            json!({ "role": "assistant", "content": "Hi.", "tool_calls": calls, "status": status });
        assert_eq!(
            hub_json(&message)["stopReason"],
            stop_reason,
            "the stop reason of a reply with this status and these calls: {message}"
        );
    }
}

#[test]
fn reply_is_named_after_provider_and_model() {
    for (name, provider, model) in [
        ("anthropic/claude", "anthropic", "claude"),
        ("openrouter/meta/llama", "openrouter", "meta/llama"),
        ("/meta/llama", "", "meta/llama"),
        ("claude", "", "claude"),
    ] {
        let message =
            json!({ "role": "assistant", "content": "Hi.", "name": name, "timestamp": TIME });
        let reply = hub_json(&message);
        assert_eq!(
            (&reply["provider"], &reply["model"]),
            (&json!(provider), &json!(model)),
            "the provider is the part of the name before the first `/`: {name}"
        );
        let chat = as_chat(&agent_message(reply)).unwrap_or_default();
        assert_eq!(
            (&chat["name"], &chat["timestamp"]),
            (&json!(name), &json!(TIME)),
            "the name and the time should come back"
        );
    }
}

#[test]
fn instructions_become_system_chat_message() {
    let expected = json!({ "role": "system", "content": "Be brief.", "timestamp": TIME });
    assert_eq!(
        as_chat(&instructions("Be brief.", MILLISECONDS)),
        Some(expected),
        "instructions keep their time"
    );
}

#[test]
fn unknown_time_is_left_out() {
    let expected = json!({ "role": "user", "content": "Hi." });
    assert_eq!(
        as_chat(&user_message("Hi.", 0)),
        Some(expected),
        "a time of 0 is unknown"
    );
    let expected = json!({ "role": "system", "content": "Be brief." });
    assert_eq!(
        as_chat(&instructions("Be brief.", 0)),
        Some(expected),
        "so is that of instructions"
    );
}

#[test]
fn hub_result_becomes_chat_message() {
    let flat = json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "bash" });
    assert_eq!(
        as_chat(&tool_result("t1", "bash", "src", false)),
        Some(flat),
        "a result's tool is its `name`"
    );
    let failed = json!({ "role": "tool", "tool_call_id": "t1", "content": "no",
        "raw_content_blocks": [
            { "type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": true }] });
    assert_eq!(
        as_chat(&tool_result("t1", "", "no", true)),
        Some(failed),
        "a raw block says that it failed, and a result without a tool's name has no `name`"
    );
}

#[test]
fn extension_has_no_chat_message() {
    let extension = json!({ "role": "extension", "kind": "note", "data": 1 });
    assert_eq!(
        as_chat(&agent_message(extension)),
        None,
        "a session has no counterpart of an extension"
    );
}

#[test]
fn thinking_keeps_the_data_of_its_provider() {
    let object = r#"{"encrypted_content":"ENC","id":"rs_1"}"#;
    for (signature, fields) in [
        ("EqQB", json!({ "signature": "EqQB" })),
        (object, json!({ "encrypted_content": "ENC", "id": "rs_1" })),
    ] {
        let content = json!([{ "type": "thinking", "thinking": "Hm.", "signature": signature }]);
        let reply = json!({ "role": "assistant", "stopReason": "stop", "model": "m",
            "provider": "p", "usage": Usage::default(), "timestamp": 0, "content": content });
        let mut block = json!({ "type": "thinking", "thinking": "Hm.", "redacted": false });
        for (name, value) in fields.as_object().into_iter().flatten() {
            block[name] = value.clone();
        }
        let chat = as_chat(&agent_message(reply.clone())).unwrap_or_default();
        assert_eq!(chat["raw_content_blocks"], json!([block]), "of {signature}");
        assert_eq!(
            hub_messages(&chat),
            [agent_message(reply)],
            "the provider's data should come back: {signature}"
        );
    }
}

const TIME: &str = "1970-01-01T00:00:01.500Z";
const MILLISECONDS: u64 = 1500;

/// The messages of the hub that a chat message becomes.
#[track_caller]
fn hub_messages(message: &Value) -> Vec<HubMessage> {
    match from_chat::to_hub(&from_json(message)) {
        Ok(messages) => messages,
        Err(error) => panic!("{message} should enter the hub, but gave the error: {error}"),
    }
}

/// The JSON of the only agent's message that a chat message becomes.
#[track_caller]
fn hub_json(message: &Value) -> Value {
    match hub_messages(message).as_slice() {
        [HubMessage::Agent(reply)] => to_json(reply),
        other => panic!("{message} should become one agent's message, but gave {other:?}"),
    }
}

fn as_chat(message: &HubMessage) -> Option<Value> {
    from_chat::from_hub(message).map(|message| to_json(&message))
}
