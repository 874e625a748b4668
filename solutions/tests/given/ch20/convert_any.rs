//! From any vocabulary to any other

use claw_code::agent::Usage;
use claw_code::session::convert::{UNITY, WHOLE};
use claw_code::session::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn vocabulary_is_parsed_from_its_name() {
    for vocabulary in Vocabulary::ALL {
        let name = vocabulary.to_string();
        assert_eq!(name.parse(), Ok(vocabulary), "the name `{name}`");
    }
}

#[test]
fn error_for_an_unknown_vocabulary_lists_the_names() {
    for name in ["", "Agent", "agents", " agent"] {
        let error = name.parse::<Vocabulary>();
        let error = error.expect_err("only the exact name of a vocabulary should parse");
        for part in [&*format!("`{name}`"), "types, agent, transcript, chat"] {
            assert!(
                error.contains(part),
                "the error should quote the name and list the four vocabularies in order, but lacks {part:?}: {error}"
            );
        }
    }
}

#[test]
fn nothing_is_lost_within_chat() {
    let metadata =
        json!({ "tool_name": "bash", "duration_ms": 5.0, "success": true, "arguments": "{}" });
    assert_unchanged(
        Vocabulary::Chat,
        json!({ "role": "tool", "id": "m", "name": "bash", "tool_call_id": "1", "content": "ok",
            "timestamp": "2026-01-02T03:04:05.678912Z", "new": { "a": 1 },
            "tool_metadata": metadata }),
    );
}

#[test]
fn unknown_blocks_and_fields_survive_within_one_vocabulary() {
    assert_unchanged(
        Vocabulary::Agent,
        json!({ "role": "user", "content": [{ "type": "audio", "data": "AA==" }],
            "timestamp": 1, "new": 2 }),
    );
    assert_unchanged(
        Vocabulary::Transcript,
        json!({ "role": "user", "content": [{ "type": "text", "text": "Hi.", "new": 1 }],
            "new": 2 }),
    );
}

#[test]
fn any_vocabulary_converts_to_any_other() {
    for from in Vocabulary::ALL {
        for to in Vocabulary::ALL.into_iter().filter(|to| *to != from) {
            let converted = converted(from, to, &[prompt(from)]);
            let mut expected = prompt(to);
            // The messages of chapter 1 have no time.
            match (from, to) {
                (Vocabulary::Types, Vocabulary::Agent) => expected["timestamp"] = json!(0),
                (Vocabulary::Types, _) => remove(&mut expected, "timestamp"),
                _ => {}
            }
            // An id is new each time.
            remove(&mut expected, "id");
            let mut messages = json_messages(&converted);
            messages.iter_mut().for_each(|it| remove(it, "id"));
            assert_eq!(messages, [expected], "a prompt from {from} to {to}");
        }
    }
}

#[test]
fn prompt_loses_only_what_chapter_1_has_no_field_for() {
    for from in Vocabulary::ALL {
        for to in Vocabulary::ALL.into_iter().filter(|to| *to != from) {
            let converted = converted(from, to, &[prompt(from)]);
            let expected: &[(usize, &str)] = match (from, to) {
                (Vocabulary::Types, _) => &[(0, "id")],
                (_, Vocabulary::Types) => &[(0, "timestamp")],
                _ => &[],
            };
            assert_eq!(losses(&converted), expected, "lost from {from} to {to}");
        }
    }
}

#[test]
fn instructions_survive_both_ways() {
    for sent in [
        json!({ "role": "system", "content": "Be brief.", "timestamp": 1500 }),
        json!({ "role": "system", "content": "Be brief." }),
    ] {
        let messages = std::slice::from_ref(&sent);
        let chat = converted(Vocabulary::Transcript, Vocabulary::Chat, messages);
        let chat = json_messages(&chat);
        let back = converted(Vocabulary::Chat, Vocabulary::Transcript, &chat);
        assert_eq!(
            json_messages(&back),
            [sent],
            "from transcript to chat and back"
        );
    }
}

#[test]
fn losses_name_their_message() {
    let messages = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "custom", "kind": "note", "payload": 1 }),
        json!({ "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
            "is_error": false, "narration": "Ran ls.", "details": { "entries": 1 }, "new": 1 }),
    ];
    let converted = converted(Vocabulary::Transcript, Vocabulary::Chat, &messages);
    assert_eq!(
        converted.messages.len(),
        2,
        "a session has no counterpart of a host's note: {:?}",
        converted.messages
    );
    assert_eq!(
        losses(&converted),
        [(1, WHOLE), (2, "details"), (2, "narration"), (2, "new")],
        "messages are counted from 0 before the conversion, and unknown fields are lost, too"
    );
}

#[test]
fn result_takes_its_tool_name_from_the_last_call_of_its_id() {
    let messages = [
        call("t1", "read"),
        result_of("t1"),
        call("t1", "bash"),
        call("t2", "grep"),
        result_of("t2"),
        result_of("t1"),
        result_of("t1"),
        result_of("t3"),
    ];
    let converted = converted(Vocabulary::Types, Vocabulary::Agent, &messages);
    let messages = json_messages(&converted).into_iter();
    let names = messages.filter_map(|message| message.get("toolName").cloned());
    assert_eq!(
        names.collect::<Vec<Value>>(),
        ["read", "grep", "bash", "bash", ""],
        "ids can be reused, so the last call of the id before the result names its tool"
    );
}

#[test]
fn result_beside_a_prompt_takes_its_tool_name() {
    let calls = to_json(&calls(&["t0", "t1"]));
    let blocks = json!([text_block("Look."), result_block("t1")]);
    let message = json!({ "role": "user", "raw_content_blocks": blocks });
    let converted = converted(Vocabulary::Chat, Vocabulary::Agent, &[calls, message]);
    let messages = json_messages(&converted).into_iter();
    let names = messages.filter_map(|message| message.get("toolName").cloned());
    assert_eq!(
        names.collect::<Vec<Value>>(),
        ["bash"],
        "one message becomes a prompt and a result, and each result without a tool's name takes \
         that of its call"
    );
}

#[test]
fn result_keeps_its_own_tool_name() {
    let messages = [agent_call(), agent_result("t1", "mine")];
    let converted = converted(Vocabulary::Agent, Vocabulary::Transcript, &messages);
    assert_eq!(
        json_messages(&converted)[1]["tool_name"],
        "mine",
        "a result that has a tool's name should keep it"
    );
}

#[test]
fn tool_name_is_lost_only_without_its_call() {
    let messages = [
        agent_call(),
        agent_result("t1", "bash"),
        agent_result("t9", "bash"),
    ];
    let converted = converted(Vocabulary::Agent, Vocabulary::Types, &messages);
    let mut names = losses(&converted);
    names.retain(|(_, field)| *field == "toolName");
    assert_eq!(
        names,
        [(2, "toolName")],
        "chapter 1 has no field for the tool's name: on the way back, the call of t1 gives it \
         again, and t9 has no call"
    );
}

#[test]
fn message_that_becomes_several_loses_its_unity() {
    let blocks = json!([text_block("Look."), result_block("t1")]);
    let message = json!({ "role": "user", "raw_content_blocks": blocks });
    let converted = converted(Vocabulary::Chat, Vocabulary::Agent, &[message]);
    assert_eq!(
        (converted.messages.len(), losses(&converted)),
        (2, vec![(0, UNITY)]),
        "both parts arrive, and converting both back gives two messages"
    );
}

#[test]
fn first_broken_message_is_an_error() {
    let good = r#"{"role":"user","content":[],"timestamp":1}"#;
    let broken = r#"{"role":"user","content":[]}"#;
    let error = convert(Vocabulary::Agent, Vocabulary::Chat, &[good, broken, broken])
        .expect_err("the second message is broken");
    assert_eq!(error.message, 1, "the index of the first broken message");
    assert!(
        error.problem.what.contains("missing field `timestamp`"),
        "the problem should be the one that reading the message has: {error:?}"
    );
    for (rule, to, text) in [
        ("what is not JSON is broken", Vocabulary::Agent, "nope"),
        (
            "within one vocabulary, too, a message is read",
            Vocabulary::Chat,
            "{}",
        ),
    ] {
        let converted = convert(Vocabulary::Chat, to, &[text]);
        assert!(converted.is_err(), "{rule}: {text}");
    }
}

#[test]
fn message_without_a_counterpart_in_a_conversation_is_an_error() {
    let orphan = r#"{"role":"tool","content":"src"}"#;
    let error = convert(Vocabulary::Chat, Vocabulary::Agent, &[orphan])
        .expect_err("a result that names no call is not part of a conversation");
    assert!(
        error.problem.what.contains("tool_call_id"),
        "the error should name the missing field: {error:?}"
    );
    let same = convert(Vocabulary::Chat, Vocabulary::Chat, &[orphan]);
    assert!(
        same.is_ok(),
        "within one vocabulary, it does not go through the hub: {same:?}"
    );
}

/// The same prompt in each vocabulary.
fn prompt(vocabulary: Vocabulary) -> Value {
    match vocabulary {
        Vocabulary::Types => json!({ "type": "User", "id": "m1", "content": "Hi." }),
        Vocabulary::Agent => {
            json!({ "role": "user", "content": [text_block("Hi.")], "timestamp": 1500 })
        }
        Vocabulary::Transcript => json!({ "role": "user", "content": "Hi.", "timestamp": 1500 }),
        Vocabulary::Chat => {
            json!({ "role": "user", "content": "Hi.", "timestamp": "1970-01-01T00:00:01.500Z" })
        }
    }
}

/// A reply of chapter 1 that calls this tool.
fn call(id: &str, name: &str) -> Value {
    json!({ "type": "Assistant", "id": "m", "text": null, "stop_reason": "ToolUse", "usage": null,
        "tool_calls": [{ "id": id, "name": name, "arguments": {} }] })
}

fn result_of(id: &str) -> Value {
    json!({ "type": "ToolResult", "id": "m", "tool_use_id": id, "content": "x" })
}

/// An agent's reply that calls `bash` with the id `t1`.
fn agent_call() -> Value {
    json!({ "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
        "usage": Usage::default(), "timestamp": 1,
        "content": [{ "type": "toolCall", "id": "t1", "name": "bash", "arguments": {} }] })
}

fn agent_result(id: &str, tool: &str) -> Value {
    json!({ "role": "toolResult", "toolCallId": id, "toolName": tool, "content": [],
        "isError": false, "timestamp": 1 })
}

fn remove(message: &mut Value, field: &str) {
    message.as_object_mut().map(|fields| fields.remove(field));
}

#[track_caller]
fn converted(from: Vocabulary, to: Vocabulary, messages: &[Value]) -> Converted {
    let texts: Vec<String> = messages.iter().map(Value::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    match convert(from, to, &texts) {
        Ok(converted) => converted,
        Err(broken) => panic!("{from} to {to}: no message is broken, but it gave {broken:?}"),
    }
}

#[track_caller]
fn json_messages(converted: &Converted) -> Vec<Value> {
    let lines = converted.messages.iter();
    lines
        .map(|line| serde_json::from_str(line).expect("each message is a line of JSON"))
        .collect()
}

/// Each lost field with the index of its message.
fn losses(converted: &Converted) -> Vec<(usize, &str)> {
    let losses = converted.losses.iter();
    losses
        .map(|loss| (loss.message, loss.field.as_str()))
        .collect()
}

#[track_caller]
fn assert_unchanged(vocabulary: Vocabulary, message: Value) {
    let same = converted(vocabulary, vocabulary, std::slice::from_ref(&message));
    assert_eq!(
        json_messages(&same),
        [message],
        "a {vocabulary} message should come back equal, unknown blocks and fields included"
    );
    assert_eq!(same.losses, [], "so nothing is lost");
}
