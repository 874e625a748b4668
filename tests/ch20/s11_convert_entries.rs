//! Section 20.11: Through one entry

use claw_code::agent::Usage;
use claw_code::chat::*;
use claw_code::session::convert::{Entry, from_chat, from_types};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch20_messages_of_the_first_loop_as_entries() {
    use claw_code::types::Message;
    let said = |text: &str| {
        agent_entry(json!({ "role": "user", "content": [text_block(text)], "timestamp": 0 }))
    };
    let result = |text: &str, is_error: bool| {
        agent_entry(
            json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "",
            "content": [text_block(text)], "isError": is_error, "timestamp": 0 }),
        )
    };
    let reply = json!({ "type": "Assistant", "id": "m1", "text": "Let me look.",
        "tool_calls": [{ "id": "t1", "name": "bash", "arguments": { "command": "ls" } }],
        "stop_reason": "ToolUse", "usage": { "input_tokens": 3, "output_tokens": 2 } });
    let same_reply = json!({ "role": "assistant",
        "content": [text_block("Let me look."),
            { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }],
        "stopReason": "toolUse", "model": "", "provider": "", "timestamp": 0,
        "usage": { "input": 3, "output": 2, "total_tokens": 5 } });
    for (why, message, expected) in [
        (
            "instructions have an entry of their own, since no history holds them",
            json!({ "type": "System", "id": "m1", "content": "Be brief.", "tag": "t" }),
            Some(instructions("Be brief.", 0)),
        ),
        (
            "what the user typed is one text, and its time is not known: 0",
            json!({ "type": "User", "id": "m1", "content": "Hi." }),
            Some(said("Hi.")),
        ),
        (
            "an attachment is what chapter 2 sends of it: a line with the path, an empty one, the content",
            json!({ "type": "Attachment", "id": "m1", "path": "CLAUDE.md", "content": "Use tabs.", "content_type": "instructions" }),
            Some(said("Attached: CLAUDE.md\n\nUse tabs.")),
        ),
        (
            "a reply is what chapter 16's adapter makes of it, but its time is not known: 0",
            reply,
            Some(agent_entry(same_reply)),
        ),
        (
            "a result does not say which tool it is of",
            json!({ "type": "ToolResult", "id": "m1", "tool_use_id": "t1", "content": "src" }),
            Some(result("src", false)),
        ),
        (
            "a failure has the flag in place of the prefix",
            json!({ "type": "ToolResult", "id": "m1", "tool_use_id": "t1", "content": "error: no such file", "is_error": true }),
            Some(result("no such file", true)),
        ),
        (
            "output that begins with `error: ` is no failure and stays unchanged",
            json!({ "type": "ToolResult", "id": "m1", "tool_use_id": "t1", "content": "error: 3 warnings" }),
            Some(result("error: 3 warnings", false)),
        ),
        (
            "a message of a tool that runs is never kept",
            json!({ "type": "Progress", "tool_use_id": "t1", "data": "half" }),
            None,
        ),
    ] {
        let message: Message = serde_json::from_value(message).expect("a message of chapter 1");
        assert_eq!(
            from_types::to_entry(&message),
            expected,
            "{why}: {message:?}"
        );
    }
}

#[test]
fn test_ch20_entries_as_messages_of_the_first_loop() {
    let reply = |content: Value, usage: Value| {
        agent_entry(
            json!({ "role": "assistant", "content": content, "stopReason": "stop",
            "model": "m", "provider": "p", "usage": usage, "timestamp": 5 }),
        )
    };
    let none = json!({ "input": 0, "output": 0 });
    let some = json!({ "input": 3, "output": 2, "reasoning": 1, "cache_read": 7, "cache_write": 8, "total_tokens": 20 });
    let plain_reply = |text: Value, usage: Value| {
        Some(
            json!({ "type": "Assistant", "text": text, "tool_calls": [], "stop_reason": "Stop", "usage": usage }),
        )
    };
    for (why, entry, expected) in [
        (
            "instructions are a system message without a tag",
            instructions("Be brief.", 5),
            Some(json!({ "type": "System", "content": "Be brief.", "tag": null })),
        ),
        (
            "chapter 16's `to_types` says what becomes of a result that failed",
            agent_entry(
                json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "bash",
                "content": [text_block("no such file")], "isError": true, "timestamp": 5 }),
            ),
            Some(
                json!({ "type": "ToolResult", "tool_use_id": "t1", "content": "error: no such file", "is_truncated": false, "is_error": true }),
            ),
        ),
        (
            "`to_types` gives no usage, but a file has a place for it",
            reply(json!([text_block("Hi.")]), some),
            plain_reply(
                json!("Hi."),
                json!({ "input_tokens": 3, "output_tokens": 2, "cache_read_tokens": 7, "cache_creation_tokens": 8 }),
            ),
        ),
        (
            "a usage in which all is 0 is none",
            reply(json!([text_block("Hi.")]), none.clone()),
            plain_reply(json!("Hi."), Value::Null),
        ),
        (
            "a reply without words stays, though `to_types` leaves it out",
            reply(json!([]), none),
            plain_reply(Value::Null, Value::Null),
        ),
        (
            "a user's message without words stays as well",
            agent_entry(json!({ "role": "user", "content": [], "timestamp": 5 })),
            Some(json!({ "type": "User", "content": "" })),
        ),
        (
            "an extension has no place here",
            agent_entry(json!({ "role": "extension", "kind": "note", "data": 1 })),
            None,
        ),
    ] {
        let message = from_types::from_entry(&entry).map(|message| {
            let mut json = serde_json::to_value(message).expect("it can be written");
            let id = json.as_object_mut().and_then(|fields| fields.remove("id"));
            assert!(id.is_some(), "each message has a new id");
            json
        });
        assert_eq!(message, expected, "{why}: {entry:?}");
    }
}

#[test]
fn test_ch20_chat_messages_as_entries() {
    let result = |id: &str, name: &str, text: &str, is_error: bool| {
        agent_entry(
            json!({ "role": "toolResult", "toolCallId": id, "toolName": name,
            "content": [text_block(text)], "isError": is_error, "timestamp": 0 }),
        )
    };
    let said = |text: &str, time: u64| {
        agent_entry(json!({ "role": "user", "content": [text_block(text)], "timestamp": time }))
    };
    let metadata =
        json!({ "success": false, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    let result_block = json!({ "type": "tool_result", "tool_use_id": "t1", "content": "src" });
    for (why, message, expected) in [
        (
            "instructions, whoever they are from",
            json!({ "role": "developer", "content": "Be brief.", "timestamp": "1970-01-01T00:00:01.5Z" }),
            vec![instructions("Be brief.", 1500)],
        ),
        (
            "a time is in milliseconds",
            json!({ "role": "user", "content": "Hi.", "timestamp": "1970-01-01T00:00:01.5Z" }),
            vec![said("Hi.", 1500)],
        ),
        (
            "`tool_metadata` names the tool and says that it failed",
            json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "other", "tool_metadata": metadata }),
            vec![result("t1", "bash", "src", true)],
        ),
        (
            "without it, `name` is the tool's",
            json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "bash" }),
            vec![result("t1", "bash", "src", false)],
        ),
        (
            "raw blocks take precedence, and a result among them is an entry of its own",
            json!({ "role": "user", "content": "shown", "raw_content_blocks": [
                { "type": "text", "text": "a" }, result_block, { "type": "text", "text": "b" }] }),
            vec![said("a", 0), result("t1", "", "src", false), said("b", 0)],
        ),
    ] {
        assert_eq!(entries_of(message.clone()), expected, "{why}: {message}");
    }
    let message: ChatMessage =
        serde_json::from_value(json!({ "role": "tool", "content": "src" })).expect("a message");
    assert!(
        from_chat::to_entries(&message).is_err(),
        "chapter 18 has no blocks for a result that names no call, and says why; pass its error on"
    );
}

#[test]
fn test_ch20_entries_as_chat_messages() {
    let thoughts = |signature: &str| {
        let mut reply = json!({ "role": "assistant", "stopReason": "stop", "model": "m", "provider": "p",
            "usage": Usage::default(), "timestamp": 0, "content": [] });
        reply["content"] =
            json!([{ "type": "thinking", "thinking": "Hm.", "signature": signature }]);
        reply
    };
    for (why, entry, expected) in [
        (
            "instructions keep their time",
            instructions("Be brief.", 1500),
            Some(
                json!({ "role": "system", "content": "Be brief.", "timestamp": "1970-01-01T00:00:01.500Z" }),
            ),
        ),
        (
            "0 is a time that is not known",
            agent_entry(json!({ "role": "user", "content": [text_block("Hi.")], "timestamp": 0 })),
            Some(json!({ "role": "user", "content": "Hi." })),
        ),
        (
            "what the flat fields can't hold is in the raw blocks",
            agent_entry(json!({ "role": "user", "timestamp": 0,
                "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] })),
            Some(json!({ "role": "user", "raw_content_blocks": [
                { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AA==" } }] })),
        ),
        (
            "a result's tool is its `name`",
            agent_entry(
                json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "bash",
                "content": [text_block("src")], "isError": false, "timestamp": 0 }),
            ),
            Some(json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "bash" })),
        ),
        (
            "that it failed is in its block; a tool without a name has none",
            agent_entry(
                json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "",
                "content": [text_block("no")], "isError": true, "timestamp": 0 }),
            ),
            Some(
                json!({ "role": "tool", "tool_call_id": "t1", "content": "no", "raw_content_blocks": [
                { "type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": true }] }),
            ),
        ),
        (
            "a provider's thoughts stay, with the seal where its API has it",
            agent_entry(thoughts("EqQB")),
            Some(
                json!({ "role": "assistant", "status": "completed", "reasoning": "Hm.", "raw_content_blocks": [
                { "type": "thinking", "thinking": "Hm.", "signature": "EqQB", "redacted": false }] }),
            ),
        ),
        (
            "thoughts with an id are those of the other API",
            agent_entry(thoughts("rs_1|ENC")),
            Some(
                json!({ "role": "assistant", "status": "completed", "reasoning": "Hm.", "raw_content_blocks": [
                { "type": "thinking", "thinking": "Hm.", "encrypted_content": "ENC", "id": "rs_1", "redacted": false }] }),
            ),
        ),
        (
            "an extension has no place here",
            agent_entry(json!({ "role": "extension", "kind": "note", "data": 1 })),
            None,
        ),
    ] {
        let message = from_chat::from_entry(&entry);
        let message = message.map(|message| serde_json::to_value(message).expect("can be written"));
        assert_eq!(message, expected, "{why}: {entry:?}");
    }
}

#[test]
fn test_ch20_how_a_reply_ended() {
    let call = json!([{ "id": "t1", "type": "function", "function": { "name": "bash", "arguments": "{}" } }]);
    for (status, calls, reason) in [
        (Value::Null, Value::Null, "stop"),
        (json!("completed"), Value::Null, "stop"),
        (json!("completed"), call.clone(), "toolUse"),
        (json!("incomplete"), call, "length"),
        (json!("failed"), Value::Null, "error"),
        (json!("in_progress"), Value::Null, "paused"),
    ] {
        let message =
            json!({ "role": "assistant", "content": "Hi.", "tool_calls": calls, "status": status });
        let entries = entries_of(message.clone());
        let [Entry::Agent(reply)] = entries.as_slice() else {
            panic!("a reply is one entry: {message} gave {entries:?}");
        };
        let json = serde_json::to_value(reply).expect("it can be written");
        assert_eq!(json["stopReason"], reason, "the stop reason of {message}");
    }
}

/// An entry of chapter 15's kind, from its JSON.
fn agent_entry(message: Value) -> Entry {
    Entry::Agent(serde_json::from_value(message).expect("a message of chapter 15"))
}

fn instructions(content: &str, timestamp: u64) -> Entry {
    let content = content.to_string();
    Entry::System { content, timestamp }
}

#[track_caller]
fn entries_of(message: Value) -> Vec<Entry> {
    let message: ChatMessage = serde_json::from_value(message).expect("a message of chapter 18");
    match from_chat::to_entries(&message) {
        Ok(entries) => entries,
        Err(error) => panic!("{message:?} has a place in an agent's history, but gave: {error}"),
    }
}
