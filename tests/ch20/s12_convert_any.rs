//! Section 20.12: From any to any

use claw_code::agent::Usage;
use claw_code::session::convert::{Problem, UNITY, WHOLE, lost};
use claw_code::session::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch20_vocabularies_by_name() {
    for vocabulary in Vocabulary::ALL {
        let name = vocabulary.to_string();
        assert_eq!(
            name.parse(),
            Ok(vocabulary),
            "`{name}` is the name of {vocabulary:?}"
        );
    }
    for name in ["", "Agent", "agents"] {
        let error = name
            .parse::<Vocabulary>()
            .expect_err("this is no name of any");
        for part in [name, "types", "agent", "transcript", "chat"] {
            assert!(
                error.contains(part),
                "the error says what it was given and which names there are; it does not say `{part}`: {error}"
            );
        }
    }
}

#[test]
fn test_ch20_what_is_lost() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "data": "AA==" });
    for (why, sent, returned, expected) in [
        (
            "nothing",
            json!({ "a": 1, "b": [1, "x"] }),
            json!({ "b": [1, "x"], "a": 1 }),
            vec![],
        ),
        (
            "what is new has not been lost",
            json!({ "a": 1 }),
            json!({ "a": 1, "b": 2 }),
            vec![],
        ),
        (
            "a field is missing",
            json!({ "a": 1, "b": 2 }),
            json!({ "a": 1 }),
            vec!["b"],
        ),
        (
            "a field is another",
            json!({ "a": 1, "b": 2 }),
            json!({ "a": 1, "b": 3 }),
            vec!["b"],
        ),
        (
            "a field is of another kind",
            json!({ "a": "1" }),
            json!({ "a": 1 }),
            vec!["a"],
        ),
        (
            "a field in a field",
            json!({ "usage": { "in": 1, "out": 2 } }),
            json!({ "usage": { "in": 1 } }),
            vec!["usage.out"],
        ),
        (
            "`null` and nothing are the same",
            json!({ "a": null }),
            json!({}),
            vec![],
        ),
        (
            "so are numbers of one value",
            json!({ "a": 12 }),
            json!({ "a": 12.0 }),
            vec![],
        ),
        (
            "large numbers are compared to the last digit",
            json!({ "a": 9007199254740993_u64 }),
            json!({ "a": 9007199254740992_u64 }),
            vec!["a"],
        ),
        (
            "so are two spellings of a name",
            json!({ "errorMessage": "x" }),
            json!({ "error_message": "x" }),
            vec![],
        ),
        (
            "an element is another",
            json!({ "c": [1, 2] }),
            json!({ "c": [1, 3] }),
            vec!["c[]"],
        ),
        (
            "an element is named by its type",
            json!({ "content": [text("a"), image] }),
            json!({ "content": [text("a")] }),
            vec!["content[image]"],
        ),
        (
            "what stands behind a block that is missing has not been lost",
            json!({ "content": [image, text("a")] }),
            json!({ "content": [text("a")] }),
            vec!["content[image]"],
        ),
        (
            "a block became another one, and those behind it stand where they stood",
            json!({ "content": [image, text("a")] }),
            json!({ "content": [text("[image]"), text("a")] }),
            vec!["content[image]"],
        ),
        (
            "two of a kind, of which one is another",
            json!({ "content": [text("a"), text("b")] }),
            json!({ "content": [text("a"), text("c")] }),
            vec!["content[text].text"],
        ),
        (
            "two blocks that became one",
            json!({ "content": [text("a"), text("b")] }),
            json!({ "content": [text("a\nb")] }),
            vec!["content[text].text", "content[text]"],
        ),
    ] {
        assert_eq!(
            lost(&sent, std::slice::from_ref(&returned)),
            expected,
            "{why}: {sent} came back as {returned}"
        );
    }
    let sent = json!({ "a": 1 });
    assert_eq!(lost(&sent, &[]), [WHOLE], "nothing has come back");
    assert_eq!(
        lost(&sent, &[sent.clone(), sent.clone()]),
        [UNITY],
        "it has come back as two messages"
    );
}

#[test]
fn test_ch20_to_the_same_nothing_is_lost() {
    let message = json!({ "role": "tool", "id": "m", "name": "bash", "tool_call_id": "1",
        "content": "ok", "timestamp": "2026-01-02T03:04:05.678912Z",
        "tool_metadata": { "tool_name": "bash", "duration_ms": 5.0, "success": true, "arguments": "{}" } });
    let same = converted(
        Vocabulary::Chat,
        Vocabulary::Chat,
        std::slice::from_ref(&message),
    );
    let back: Vec<Value> = same
        .messages
        .iter()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(
        (back, same.losses.len()),
        (vec![message], 0),
        "within a vocabulary no message has to leave it"
    );
}

#[test]
fn test_ch20_from_any_to_any() {
    let said = |vocabulary| match vocabulary {
        Vocabulary::Types => json!({ "type": "User", "id": "m1", "content": "Hi." }),
        Vocabulary::Agent => {
            json!({ "role": "user", "content": [text_block("Hi.")], "timestamp": 1500 })
        }
        Vocabulary::Transcript => json!({ "role": "user", "content": "Hi.", "timestamp": 1500 }),
        Vocabulary::Chat => {
            json!({ "role": "user", "content": "Hi.", "timestamp": "1970-01-01T00:00:01.500Z" })
        }
    };
    for from in Vocabulary::ALL {
        for to in Vocabulary::ALL.into_iter().filter(|to| *to != from) {
            let converted = converted(from, to, &[said(from)]);
            let [message] = converted.messages.as_slice() else {
                panic!(
                    "from {from} to {to}: one message becomes one, not {:?}",
                    converted.messages
                );
            };
            let mut message: Value = serde_json::from_str(message).expect("a line of JSON");
            let mut expected = said(to);
            // An id is new each time; a time that `types` does not tell is not known.
            message.as_object_mut().map(|fields| fields.remove("id"));
            expected.as_object_mut().map(|fields| fields.remove("id"));
            if from == Vocabulary::Types {
                match to {
                    Vocabulary::Agent => expected["timestamp"] = json!(0),
                    _ => drop(
                        expected
                            .as_object_mut()
                            .map(|fields| fields.remove("timestamp")),
                    ),
                }
            }
            assert_eq!(message, expected, "from {from} to {to}");
            let expected: &[&str] = match (from, to) {
                (Vocabulary::Types, _) => &["id"],
                (_, Vocabulary::Types) => &["timestamp"],
                _ => &[],
            };
            let lost: Vec<_> = converted
                .losses
                .iter()
                .map(|loss| loss.field.as_str())
                .collect();
            assert_eq!(
                lost, expected,
                "what is lost from {from} to {to} and does not come back"
            );
        }
    }
}

#[test]
fn test_ch20_instructions_keep_their_time() {
    for told in [
        json!({ "role": "system", "content": "Be brief.", "timestamp": 1500 }),
        json!({ "role": "system", "content": "Be brief." }),
    ] {
        let there = converted(
            Vocabulary::Transcript,
            Vocabulary::Chat,
            std::slice::from_ref(&told),
        );
        let line: Value = serde_json::from_str(&there.messages[0]).expect("a line of JSON");
        let back = converted(Vocabulary::Chat, Vocabulary::Transcript, &[line]);
        let back: Value = serde_json::from_str(&back.messages[0]).expect("a line of JSON");
        assert_eq!(back, told, "there and back, with the time or without one");
    }
}

#[test]
fn test_ch20_losses_say_which_message() {
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
        "instructions have a place in both, a host's note has none in a session: {:?}",
        converted.messages
    );
    let losses: Vec<_> = converted
        .losses
        .iter()
        .map(|loss| (loss.message, loss.field.as_str()))
        .collect();
    assert_eq!(
        losses,
        [(1, WHOLE), (2, "details"), (2, "narration"), (2, "new")],
        "messages are counted from 0 before the conversion, and a field that nobody knows is lost too"
    );
}

#[test]
fn test_ch20_a_result_finds_its_tool() {
    let call = |id: &str, name: &str| {
        json!({ "type": "Assistant", "id": "m", "text": null, "stop_reason": "ToolUse", "usage": null,
            "tool_calls": [{ "id": id, "name": name, "arguments": {} }] })
    };
    let result =
        |id: &str| json!({ "type": "ToolResult", "id": "m", "tool_use_id": id, "content": "x" });
    let messages = [
        call("t1", "read"),
        result("t1"),
        call("t1", "bash"),
        call("t2", "grep"),
        result("t2"),
        result("t1"),
        result("t3"),
    ];
    let converted = converted(Vocabulary::Types, Vocabulary::Agent, &messages);
    let names: Vec<Value> = converted
        .messages
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
        .filter_map(|message| message.get("toolName").cloned())
        .collect();
    assert_eq!(
        names,
        ["read", "grep", "bash", ""],
        "each result has the name of the tool from the last call of its id before it"
    );
    let own = json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "mine", "content": [],
        "isError": false, "timestamp": 1 });
    let call = json!({ "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
        "usage": Usage::default(), "timestamp": 1,
        "content": [{ "type": "toolCall", "id": "t1", "name": "bash", "arguments": {} }] });
    let kept = self::converted(Vocabulary::Agent, Vocabulary::Transcript, &[call, own]);
    let result: Value = serde_json::from_str(&kept.messages[1]).expect("a line of JSON");
    assert_eq!(
        result["tool_name"], "mine",
        "a result that says its tool's name keeps that one"
    );
}

#[test]
fn test_ch20_a_broken_message_ends_it() {
    let good = r#"{"role":"user","content":"Hi."}"#;
    for (broken, field, what) in [
        (r#"{"role":"user","content":["#, "", "EOF"),
        (r#"{"role":"usher","content":"Hi."}"#, "role", "usher"),
        (
            r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":null}]}"#,
            "content[1].text",
            "null",
        ),
        (
            r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text"}]}"#,
            "content[1]",
            "missing field `text`",
        ),
        (
            r#"{"role":"assistant","content":[]}"#,
            "",
            "missing field `stop_reason`",
        ),
    ] {
        let error = convert(Vocabulary::Transcript, Vocabulary::Agent, &[good, broken])
            .expect_err("the second message is broken");
        assert_eq!(
            error.message, 1,
            "it is the second that is broken: {broken}"
        );
        assert_eq!(error.problem.field, field, "where it is broken: {broken}");
        assert!(
            error.problem.what.contains(what),
            "why: {broken} gave {:?}",
            error.problem.what
        );
    }
    let problem = |field: &str| {
        let problem = Problem {
            line: 1,
            field: field.into(),
            what: "is missing".into(),
        };
        problem.to_string()
    };
    assert_eq!(
        (problem("role").as_str(), problem("").as_str()),
        ("`role`: is missing", "is missing"),
        "a problem in words says where it is, if that is known"
    );
    let error = convert(
        Vocabulary::Chat,
        Vocabulary::Agent,
        &[r#"{"role":"tool","content":"src"}"#],
    )
    .expect_err("a result that names no call has no place in an agent's history");
    assert!(
        error.problem.what.contains("tool_call_id"),
        "it says why: {error:?}"
    );
}

#[track_caller]
fn converted(from: Vocabulary, to: Vocabulary, messages: &[Value]) -> Converted {
    let texts: Vec<String> = messages.iter().map(Value::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    match convert(from, to, &texts) {
        Ok(converted) => converted,
        Err(broken) => panic!("from {from} to {to}, nothing is broken, but it gave {broken:?}"),
    }
}
