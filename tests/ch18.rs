//! Chapter 18, Chat Messages.
//!
//! Messages and blocks are written as JSON here, and what comes of them is read as JSON:
//! so nothing names the fields and variants that you add yourself.

use std::collections::HashSet;

use claw_code::chat::*;
use claw_code::provider::MAX_DEPTH;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

// 18.1 Eleven fields

#[test]
fn test_ch18_roles() {
    for role in ["system", "user", "assistant", "developer", "tool"] {
        assert_round_trip::<Role>(json!(role));
        assert_round_trip::<ChatMessage>(json!({ "role": role, "content": "Hi." }));
    }
    for wrong in ["System", "DEVELOPER", "human", "model", ""] {
        let error = refused::<Role>(json!(wrong), "roles are the five lower-case words");
        assert!(
            error.contains("developer"),
            "the error should list all five roles, and `developer` is one; it says: {error}"
        );
    }
}

#[test]
fn test_ch18_every_field_round_trips() {
    assert_round_trip::<ChatMessage>(json!({
        "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "ok",
        "reasoning": "It may fail.",
        "tool_metadata": {
            "success": true, "duration_ms": 12.5, "tool_name": "bash", "arguments": "{\"command\":\"ls\"}"
        },
        "timestamp": "2026-01-02T03:04:05.678Z", "id": "msg_1", "status": "completed"
    }));
    let message: ChatMessage = from_json(json!({
        "role": "user", "timestamp": "2026-01-02T03:04:05Z", "id": "msg_1", "status": "completed"
    }));
    let text = serde_json::to_string(&message).expect("it can be written as JSON");
    let place = |field: &str| text.find(&format!("\"{field}\":"));
    assert!(
        place("timestamp") < place("id") && place("id") < place("status"),
        "the fields are written in the order of the page, and the status is the last: {text}"
    );
}

#[test]
fn test_ch18_none_is_left_out() {
    for role in ["user", "assistant"] {
        assert_round_trip::<ChatMessage>(json!({ "role": role }));
    }
    assert_json(
        "`null` is read as `None`, and `None` is left out",
        &to_json(&from_json::<ChatMessage>(json!({
            "role": "user", "name": null, "tool_call_id": null, "content": null,
            "tool_calls": null, "reasoning": null, "raw_content_blocks": null,
            "tool_metadata": null, "timestamp": null, "id": null, "status": null
        }))),
        &json!({ "role": "user" }),
    );
    assert_json(
        "an empty text is a text",
        &to_json(&from_json::<ChatMessage>(
            json!({ "role": "user", "content": "", "id": "" }),
        )),
        &json!({ "role": "user", "content": "", "id": "" }),
    );
}

#[test]
fn test_ch18_status_words() {
    for status in ["in_progress", "completed", "incomplete", "failed"] {
        assert_round_trip::<ChatMessage>(json!({ "role": "assistant", "status": status }));
    }
    for wrong in ["InProgress", "inProgress", "done", ""] {
        refused::<ChatMessage>(
            json!({ "role": "assistant", "status": wrong }),
            "a status is one of four words in snake case",
        );
    }
}

#[test]
fn test_ch18_timestamps() {
    for (read, written) in [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"),
        (
            "2026-01-02T03:04:05.000000001Z",
            "2026-01-02T03:04:05.000000001Z",
        ),
        ("2026-01-02T01:00:00+02:00", "2026-01-01T23:00:00Z"),
    ] {
        assert_json(
            "a time is written as RFC 3339 in UTC, to the last digit that was read",
            &to_json(&from_json::<ChatMessage>(
                json!({ "role": "user", "timestamp": read }),
            )),
            &json!({ "role": "user", "timestamp": written }),
        );
    }
    for wrong in [
        json!("2026-01-02"),
        json!("2026-01-02T03:04:05"),
        json!("now"),
        json!(1767225600123_u64),
    ] {
        refused::<ChatMessage>(
            json!({ "role": "user", "timestamp": wrong }),
            "a time without its zone, or in another form than RFC 3339, could mean several moments",
        );
    }
}

#[test]
fn test_ch18_metadata_is_whole() {
    let whole =
        json!({ "success": false, "duration_ms": 0.5, "tool_name": "f", "arguments": "{}" });
    for field in ["success", "duration_ms", "tool_name", "arguments"] {
        let mut metadata = whole.clone();
        metadata.as_object_mut().expect("an object").remove(field);
        let message = json!({ "role": "tool", "tool_metadata": metadata });
        let error = refused::<ChatMessage>(message, "all four fields of the metadata are required");
        assert!(
            error.contains(field),
            "the error should name the field that is missing, `{field}`; it says: {error}"
        );
    }
}

#[test]
fn test_ch18_a_duration_is_finite() {
    let metadata = |duration_ms| ToolExecutionMetadata {
        success: true,
        duration_ms,
        tool_name: "bash".into(),
        arguments: "{}".into(),
    };
    for fine in [0.0, 12.5, 3.6e6] {
        assert_eq!(
            to_json(&metadata(fine))["duration_ms"],
            json!(fine),
            "a duration is written as the number it is"
        );
    }
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let Err(error) = serde_json::to_string(&metadata(wrong)) else {
            panic!(
                "the duration {wrong} was written, as `null`: this session would not load again"
            );
        };
        assert!(
            error.to_string().contains("duration_ms"),
            "the error should name the field, `duration_ms`; it says: {error}"
        );
    }
}

// 18.2 A call whose arguments are text

#[test]
fn test_ch18_call_json() {
    assert_round_trip::<ToolCall>(bash_call());
    assert_round_trip::<ChatMessage>(json!({
        "role": "assistant",
        "tool_calls": [bash_call(), call("call_2", "read", "{\"path\": \"a\",  \"path\": \"b\"}")]
    }));
    assert_round_trip::<ChatMessage>(json!({ "role": "assistant", "tool_calls": [] }));
    let mut parsed = bash_call();
    parsed["function"]["arguments"] = json!({ "command": "ls" });
    refused::<ToolCall>(
        parsed,
        "arguments are a string that holds JSON, not the JSON itself",
    );
}

#[test]
fn test_ch18_call_new() {
    let made = ToolCall::new("call_1", "bash", "{\"command\":\"ls\"}");
    assert_eq!(
        made.type_field, "function",
        "every tool call is of the type `function`"
    );
    assert_json("a call made by new()", &to_json(&made), &bash_call());
    let torn = ToolCall::new("call_1", "bash", " {\"comm");
    assert_eq!(
        torn.function.arguments, " {\"comm",
        "arguments are kept as the model wrote them, to the letter"
    );
}

#[test]
fn test_ch18_call_without_a_type_is_a_function() {
    let mut old = bash_call();
    old.as_object_mut().expect("an object").remove("type");
    assert_json(
        "a call read without a type is a function, and is written as one",
        &to_json(&from_json::<ToolCall>(old)),
        &bash_call(),
    );
}

#[test]
fn test_ch18_call_of_another_type_is_not_read() {
    for wrong in ["custom", "Function", ""] {
        let mut other = bash_call();
        other["type"] = json!(wrong);
        let error = refused::<ToolCall>(other, "a call of another type than `function`");
        assert!(
            error.contains(&format!("`{wrong}`")) && error.contains("`function`"),
            "the error should name the type that was read, in backticks, and the one that is known; it says: {error}"
        );
    }
    let mut other = bash_call();
    other["type"] = json!(null);
    refused::<ToolCall>(other, "a type, where there is one, is a string");
}

#[test]
fn test_ch18_call_of_another_type_is_not_written() {
    let mut made = ToolCall::new("call_1", "bash", "{}");
    made.type_field = "custom".into();
    match serde_json::to_string(&made) {
        Ok(json) => panic!("a call of the type `custom` was written all the same: {json}"),
        Err(error) => assert!(
            error.to_string().contains("`custom`"),
            "the error should name the type, `custom`; it says: {error}"
        ),
    }
}

// 18.3 Arguments that may be torn

#[test]
fn test_ch18_arguments_that_are_an_object() {
    for (text, expected) in [
        ("{}", json!({})),
        ("{\"command\":\"ls\"}", json!({ "command": "ls" })),
        (
            " {\"a\": [1, {\"b\": null}]}\n",
            json!({ "a": [1, { "b": null }] }),
        ),
        ("{\"text\":\"{\\\"no\\\"\"}", json!({ "text": "{\"no\"" })),
    ] {
        match parse("bash", text) {
            Ok(arguments) => assert_eq!(arguments, expected, "the arguments {text}"),
            Err(error) => panic!("the arguments {text} are an object, but the answer was: {error}"),
        }
    }
}

#[test]
fn test_ch18_no_arguments_are_an_empty_object() {
    for text in ["", " ", "\n\t "] {
        assert_eq!(
            parse("pwd", text),
            Ok(json!({})),
            "a model that has no arguments to give may write nothing at all; here {text:?}"
        );
    }
}

#[test]
fn test_ch18_torn_arguments_are_answered() {
    for text in [
        "{\"command\": \"cargo te",
        "ls",
        "{} {}",
        "{'command': 1}",
        "{\"a\":1,}",
    ] {
        let Err(answer) = parse("bash", text) else {
            panic!("these arguments are no JSON, but were accepted: {text}");
        };
        assert!(
            answer.starts_with("error: "),
            "the answer to a call that failed is a ToolResult::error; it says: {answer}"
        );
        let serde = serde_json::from_str::<Value>(text).expect_err("it is no JSON");
        for words in ["`bash`", text, &serde.to_string()] {
            assert!(
                answer.contains(words),
                "the model can mend its call if the answer names the tool, quotes the arguments and says where they go wrong; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_arguments_that_are_too_deep_are_answered() {
    let fits = nested(MAX_DEPTH);
    assert_eq!(
        parse("bash", &fits).map(|arguments| arguments.to_string()),
        Ok(fits),
        "{MAX_DEPTH} levels are JSON like any other"
    );
    for levels in [MAX_DEPTH + 1, 127, 128] {
        let Err(answer) = parse("bash", &nested(levels)) else {
            panic!(
                "arguments of {levels} levels were accepted: a message around them could be written, and never be read again. Chapter 2 has the rule"
            );
        };
        for words in ["error: ", "`bash`", "not valid JSON", "{\"a\":[{\"a\":["] {
            assert!(
                answer.contains(words),
                "the answer is that of arguments that are not JSON; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_arguments_of_another_kind_are_answered() {
    for (text, kind) in [
        ("[\"ls\"]", "an array"),
        ("\"ls\"", "a string"),
        ("\"{\\\"command\\\":\\\"ls\\\"}\"", "a string"),
        ("7", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
    ] {
        let Err(answer) = parse("bash", text) else {
            panic!("arguments are a JSON object; these are {kind}, and were accepted: {text}");
        };
        for words in ["error: ", "`bash`", kind, "object", text] {
            assert!(
                answer.contains(words),
                "the answer should say what came and what was expected; `{words}` is missing in: {answer}"
            );
        }
    }
}

#[test]
fn test_ch18_the_answer_quotes_a_part() {
    let text = format!("{{\"text\": \"{}", "é中".repeat(50_000));
    let Err(answer) = parse("write", &text) else {
        panic!("these arguments are no JSON, but were accepted");
    };
    assert!(
        answer.chars().count() < 600,
        "the answer quotes the first 200 characters of the arguments, not all {} of them; it has {}",
        text.chars().count(),
        answer.chars().count()
    );
    let first: String = text.chars().take(200).collect();
    assert!(
        answer.contains(&format!("{first}…")),
        "the first 200 characters, then `…`; it says: {answer}"
    );
}

// 18.4 Constructors and ids

#[test]
fn test_ch18_constructors() {
    for (made, role) in [
        (ChatMessage::system("Hi."), "system"),
        (ChatMessage::developer("Hi."), "developer"),
        (ChatMessage::user(String::from("Hi.")), "user"),
        (ChatMessage::assistant("Hi."), "assistant"),
    ] {
        assert_json(
            "a constructor sets the role and the content, and invents nothing",
            &to_json(&made),
            &json!({ "role": role, "content": "Hi." }),
        );
    }
    assert_json(
        "a result names the call that it answers",
        &to_json(&ChatMessage::tool_result("call_1", "Hi.")),
        &json!({ "role": "tool", "tool_call_id": "call_1", "content": "Hi." }),
    );
    assert_json(
        "new() knows the role alone",
        &to_json(&ChatMessage::new(Role::Assistant)),
        &json!({ "role": "assistant" }),
    );
}

#[test]
fn test_ch18_generate_id() {
    let mut seen = HashSet::new();
    for _ in 0..1000 {
        let id = ChatMessage::generate_id();
        let digits = id.strip_prefix("msg_").unwrap_or_default();
        let is_hex = |digit| matches!(digit, '0'..='9' | 'a'..='f');
        assert!(
            digits.len() == 32 && digits.chars().all(is_hex),
            "an id is `msg_` and 32 hexadecimal digits in lower case, without hyphens; this one is {id:?}"
        );
        assert!(seen.insert(id.clone()), "generate_id() gave {id:?} twice");
    }
}

// 18.5 Blocks

#[test]
fn test_ch18_block_json() {
    for block in [
        text("Hi."),
        json!({ "type": "image", "source": { "type": "url", "url": "https://a.example/b.png" } }),
        image(),
        json!({ "type": "image", "detail": "low",
                "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } }),
        json!({ "type": "document", "title": "The plan",
                "source": { "type": "base64", "media_type": "application/pdf", "data": "JVBERi0=" } }),
        json!({ "type": "document", "source": { "type": "text", "media_type": "text/plain", "data": "Hi." } }),
        json!({ "type": "document", "source": { "type": "url", "url": "https://a.example/b.pdf" } }),
        tool_use(
            "call_1",
            json!({ "command": "ls", "lines": [1, 2.5, null] }),
        ),
    ] {
        assert_round_trip::<UnifiedContentBlock>(block);
    }
    for message in [
        json!({ "role": "system", "content": [text("Be brief.")] }),
        json!({ "role": "user", "content": [] }),
        json!({ "role": "assistant", "content": [text("a"), image()] }),
    ] {
        assert_round_trip::<UnifiedMessage>(message);
    }
}

#[test]
fn test_ch18_thinking_block_json() {
    for block in [
        json!({ "type": "thinking", "thinking": "Hm.", "redacted": false }),
        signed("Hm."),
        redacted(),
        json!({ "type": "thinking", "thinking": "Hm.", "signature": "s", "encrypted_content": "e",
                "id": "rs_1", "redacted": false }),
    ] {
        assert_round_trip::<UnifiedContentBlock>(block);
    }
    assert_json(
        "`redacted` is `false` if nothing is said of it, and is always written",
        &to_json(&from_json::<UnifiedContentBlock>(
            json!({ "type": "thinking", "thinking": "Hm." }),
        )),
        &json!({ "type": "thinking", "thinking": "Hm.", "redacted": false }),
    );
}

#[test]
fn test_ch18_raw_blocks_round_trip() {
    assert_round_trip::<ChatMessage>(json!({
        "role": "assistant", "content": "Let me look.", "reasoning": "Hm.",
        "raw_content_blocks": [signed("Hm."), text("Let me look."), tool_use("call_1", json!({}))]
    }));
    assert_round_trip::<ChatMessage>(json!({ "role": "user", "raw_content_blocks": [] }));
}

#[test]
fn test_ch18_broken_blocks_are_refused() {
    for (block, named) in [
        (json!({ "type": "video", "text": "a" }), "video"),
        (
            json!({ "type": "ToolUse", "id": "a", "name": "b", "input": {} }),
            "ToolUse",
        ),
        (json!({ "text": "a" }), "type"),
        (json!({ "type": "text" }), "text"),
        (json!({ "type": "thinking", "signature": "s" }), "thinking"),
        (
            json!({ "type": "tool_use", "id": "a", "name": "b" }),
            "input",
        ),
        (
            json!({ "type": "image", "source": { "type": "file", "file_id": "f" } }),
            "file",
        ),
        (
            json!({ "type": "image", "source": { "type": "base64", "data": "iVBO" } }),
            "media_type",
        ),
    ] {
        let error =
            refused::<UnifiedContentBlock>(block, "a block of an unknown type, or not whole");
        assert!(
            error.contains(named),
            "the error should name what is wrong, `{named}`; it says: {error}"
        );
    }
}

// 18.6 A string or a list of blocks

#[test]
fn test_ch18_result_content_has_two_forms() {
    for content in [
        json!("main.rs"),
        json!(""),
        json!([]),
        json!([text("main.rs")]),
        json!([text("A screenshot:"), image()]),
    ] {
        assert_round_trip::<UnifiedContentBlock>(result("call_1", content));
    }
    for is_error in [true, false] {
        assert_round_trip::<UnifiedContentBlock>(json!({
            "type": "tool_result", "tool_use_id": "call_1", "content": "ok", "is_error": is_error
        }));
    }
}

#[test]
fn test_ch18_result_content_loads_from_text() {
    // Here serde_json owns no values, and a string may be lent out or put together anew.
    let line = r#"{"type":"tool_result","tool_use_id":"call_1","content":"a\n\"b\" \u00e9"}"#;
    let block: UnifiedContentBlock = match serde_json::from_str(line) {
        Ok(block) => block,
        Err(error) => panic!("this line should load: {line}\nserde says: {error}"),
    };
    assert_json(
        "a block read from a line of JSON",
        &to_json(&block),
        &result("call_1", json!("a\n\"b\" é")),
    );
}

#[test]
fn test_ch18_broken_result_content_is_refused() {
    for wrong in [
        json!(7),
        json!(true),
        json!(null),
        json!({ "type": "text", "text": "a" }),
    ] {
        let error = refused::<UnifiedContentBlock>(
            result("call_1", wrong),
            "a result's content is a string or a list of blocks",
        );
        assert!(
            error.contains("a string or a list of blocks"),
            "the error should say what was expected: a string or a list of blocks; it says: {error}"
        );
    }
    let wrong = json!([text("a"), { "type": "video" }]);
    let error =
        refused::<UnifiedContentBlock>(result("call_1", wrong), "the second block is wrong");
    assert!(
        error.contains("video"),
        "the error is that of the block, which is of the unknown type `video`; it says: {error}"
    );
}

// 18.7 From fields to blocks

#[test]
fn test_ch18_flat_fields_become_blocks() {
    assert_blocks(
        "thinking, then words, then calls: the order in which a model makes them",
        json!({
            "role": "assistant", "content": "Let me look.", "reasoning": "Hm.",
            "tool_calls": [bash_call(), call("call_2", "pwd", "")]
        }),
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            text("Let me look."),
            tool_use("call_1", json!({ "command": "ls" })),
            { "type": "tool_use", "id": "call_2", "name": "pwd", "input": {} }
        ]),
    );
    for role in ["system", "developer", "user"] {
        assert_blocks(
            "words are one text block, whoever says them",
            json!({ "role": role, "content": "Hi.", "name": "ada", "id": "msg_1" }),
            json!([text("Hi.")]),
        );
    }
    assert_blocks(
        "a field that is there makes its block, whoever speaks",
        json!({ "role": "user", "reasoning": "Hm.", "tool_calls": [bash_call()] }),
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            tool_use("call_1", json!({ "command": "ls" }))
        ]),
    );
}

#[test]
fn test_ch18_nothing_makes_no_block() {
    for message in [
        json!({ "role": "assistant" }),
        json!({ "role": "assistant", "tool_calls": [], "reasoning": "" }),
        json!({ "role": "user", "name": "ada" }),
    ] {
        assert_blocks("what is not there makes no block", message, json!([]));
    }
    assert_blocks(
        "`None` says nothing, and an empty text says an empty text: it is a block",
        json!({ "role": "user", "content": "" }),
        json!([text("")]),
    );
}

#[test]
fn test_ch18_torn_arguments_cross_to_the_letter() {
    for torn in ["{\"comm", "ls", " [1,  2]", "\"ls\"", "null", "{} {}"] {
        assert_blocks(
            "arguments that are no object cross as one string, to the letter",
            json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", torn)] }),
            json!([tool_use("call_1", json!(torn))]),
        );
    }
    let deep = nested(MAX_DEPTH + 1);
    assert_blocks(
        "and so do arguments that are too deep",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", &deep)] }),
        json!([tool_use("call_1", json!(deep))]),
    );
}

#[test]
fn test_ch18_raw_blocks_take_precedence() {
    let raw = json!([signed("Other thoughts."), text("Other words."), image()]);
    for role in ["assistant", "user", "system"] {
        assert_blocks(
            "where there are raw blocks, they are the message, whatever the flat fields say",
            json!({
                "role": role, "content": "Words.", "reasoning": "Thoughts.",
                "tool_calls": [bash_call()], "raw_content_blocks": raw
            }),
            raw.clone(),
        );
    }
    let raw = json!([result("call_9", json!([image()])), text("And words.")]);
    assert_blocks(
        "a tool message whose raw blocks hold the result is those blocks",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "raw_content_blocks": raw }),
        raw.clone(),
    );
}

#[test]
fn test_ch18_an_empty_list_takes_no_precedence() {
    assert_blocks(
        "an empty list of raw blocks holds nothing that could take precedence",
        json!({ "role": "user", "content": "Hi.", "raw_content_blocks": [] }),
        json!([text("Hi.")]),
    );
}

// 18.8 Tool results, and a whole conversation

#[test]
fn test_ch18_a_tool_message_is_one_result() {
    assert_nothing_gives_nothing();
    let metadata = |success| json!({ "success": success, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    assert_blocks(
        "the content becomes the result's, and nobody said how the run went",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "name": "bash" }),
        json!([result("call_1", json!("ok"))]),
    );
    assert_blocks(
        "a tool that said nothing has answered all the same",
        json!({ "role": "tool", "tool_call_id": "call_1" }),
        json!([result("call_1", json!(""))]),
    );
    assert_blocks(
        "a run that failed is marked as an error",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "no", "tool_metadata": metadata(false) }),
        json!([{ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }]),
    );
    assert_blocks(
        "a run that succeeded needs no mark",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "tool_metadata": metadata(true) }),
        json!([result("call_1", json!("ok"))]),
    );
    assert_blocks(
        "raw blocks that are the result's content go inside it",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "A picture", "raw_content_blocks": [text("A picture"), image()] }),
        json!([result("call_1", json!([text("A picture"), image()]))]),
    );
}

#[test]
fn test_ch18_results_in_a_row_share_a_message() {
    assert_unified(
        "the results of one reply go back together, in their order, as one message of the user's",
        json!([
            { "role": "assistant", "tool_calls": [bash_call(), call("call_2", "bash", "{}")] },
            { "role": "tool", "tool_call_id": "call_1", "content": "one" },
            { "role": "tool", "tool_call_id": "call_2", "content": "two" },
            { "role": "user", "content": "Go on." },
            { "role": "tool", "tool_call_id": "call_3", "content": "three" }
        ]),
        json!([
            { "role": "assistant", "content": [tool_use("call_1", json!({ "command": "ls" })), tool_use("call_2", json!({}))] },
            { "role": "user", "content": [result("call_1", json!("one")), result("call_2", json!("two"))] },
            { "role": "user", "content": [text("Go on.")] },
            { "role": "user", "content": [result("call_3", json!("three"))] }
        ]),
    );
}

#[test]
fn test_ch18_other_messages_stay_apart() {
    assert_unified(
        "of the five roles three are left; only results are put together",
        json!([
            { "role": "system", "content": "a" },
            { "role": "developer", "content": "b" },
            { "role": "user", "content": "c" },
            { "role": "user", "content": "d" },
            { "role": "assistant", "content": "e" },
            { "role": "assistant" }
        ]),
        json!([
            { "role": "system", "content": [text("a")] },
            { "role": "system", "content": [text("b")] },
            { "role": "user", "content": [text("c")] },
            { "role": "user", "content": [text("d")] },
            { "role": "assistant", "content": [text("e")] },
            { "role": "assistant", "content": [] }
        ]),
    );
}

#[test]
fn test_ch18_a_result_without_its_call_is_refused() {
    assert_nothing_gives_nothing();
    for id in [json!(null), json!("")] {
        let messages = json!([
            { "role": "user", "content": "a" },
            { "role": "tool", "tool_call_id": "call_1", "content": "b" },
            { "role": "tool", "tool_call_id": id, "content": "c" }
        ]);
        let Err(error) = to_unified(&from_json::<Vec<ChatMessage>>(messages)) else {
            panic!("a result whose `tool_call_id` is {id} answers no call, but was accepted");
        };
        for words in ["message 2", "tool_call_id"] {
            assert!(
                error.to_string().contains(words),
                "the error should name the field and the message, counted from 0; `{words}` is missing in: {error}"
            );
        }
    }
}

// 18.9 From blocks to fields

#[test]
fn test_ch18_blocks_show_in_the_flat_fields() {
    assert_flat(
        "each kind of block shows in its field",
        "assistant",
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            text("Let me look."),
            tool_use("call_1", json!({ "command": "ls" }))
        ]),
        json!({ "role": "assistant", "reasoning": "Hm.", "content": "Let me look.", "tool_calls": [bash_call()] }),
    );
    assert_flat(
        "no block, no field",
        "assistant",
        json!([]),
        json!({ "role": "assistant" }),
    );
    assert_flat(
        "an empty text is a text",
        "user",
        json!([text("")]),
        json!({ "role": "user", "content": "" }),
    );
    assert_flat(
        "a result shows in the fields of a tool message",
        "tool",
        json!([result("call_1", json!("ok"))]),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok" }),
    );
}

#[test]
fn test_ch18_several_texts_are_joined() {
    let blocks = json!([
        signed("First."),
        text("One."),
        signed("Then."),
        text("Two."),
        tool_use("call_1", json!({ "command": "ls" }))
    ]);
    assert_flat(
        "texts of one kind are joined with a newline, and the blocks are kept as they were",
        "assistant",
        blocks.clone(),
        json!({
            "role": "assistant", "reasoning": "First.\nThen.", "content": "One.\nTwo.",
            "tool_calls": [bash_call()], "raw_content_blocks": blocks
        }),
    );
    let blocks = json!([result(
        "call_1",
        json!([text("One."), image(), text("Two.")])
    )]);
    assert_flat(
        "the texts inside a result as well",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.", "raw_content_blocks": blocks }),
    );
    let blocks = json!([
        result("call_1", json!("One.")),
        result("call_2", json!("Two."))
    ]);
    assert_flat(
        "of two results the first has the id that shows",
        "tool",
        blocks.clone(),
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "One.\nTwo.", "raw_content_blocks": blocks }),
    );
}

#[test]
fn test_ch18_raw_blocks_are_kept_when_they_must_be() {
    for (why, role, block, shown) in [
        (
            "a signature",
            "assistant",
            signed("Hm."),
            json!({ "reasoning": "Hm." }),
        ),
        (
            "redacted thinking, which has no words to show",
            "assistant",
            redacted(),
            json!({}),
        ),
        (
            "redacted thinking, whose words are not for people",
            "assistant",
            json!({ "type": "thinking", "thinking": "Hm.", "redacted": true }),
            json!({}),
        ),
        (
            "thinking whose words the provider keeps to itself",
            "assistant",
            json!({ "type": "thinking", "thinking": "", "signature": "s", "redacted": false }),
            json!({}),
        ),
        ("an image", "user", image(), json!({})),
        (
            "a mark that no field has",
            "tool",
            json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true }),
            json!({ "tool_call_id": "call_1", "content": "no" }),
        ),
        (
            "a result where no field is for it",
            "assistant",
            result("call_1", json!("ok")),
            json!({}),
        ),
    ] {
        let mut expected = shown;
        expected["role"] = json!(role);
        expected["raw_content_blocks"] = json!([block]);
        assert_flat(why, role, json!([block]), expected);
    }
    let blocks = json!([
        tool_use("call_1", json!({ "command": "ls" })),
        text("That was a call.")
    ]);
    assert_flat(
        "an order that is not that of the fields",
        "assistant",
        blocks.clone(),
        json!({
            "role": "assistant", "content": "That was a call.", "tool_calls": [bash_call()],
            "raw_content_blocks": blocks
        }),
    );
}

#[test]
fn test_ch18_input_is_written_as_arguments() {
    for (input, arguments) in [
        (json!({}), "{}"),
        (
            json!({ "a": [1, 2.5, "é\n", null] }),
            "{\"a\":[1,2.5,\"é\\n\",null]}",
        ),
        (json!("{\"comm"), "{\"comm"),
        (json!("7"), "7"),
    ] {
        assert_flat(
            "an input is compact JSON, and a string is what the model wrote, to the letter",
            "assistant",
            json!([tool_use("call_1", input)]),
            json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", arguments)] }),
        );
    }
    for (input, arguments) in [
        (json!([1]), "[1]"),
        (json!("{}"), "{}"),
        (json!(null), "null"),
    ] {
        let blocks = json!([tool_use("call_1", input)]);
        assert_flat(
            "these arguments would be read as another input, so the blocks are kept",
            "assistant",
            blocks.clone(),
            json!({
                "role": "assistant", "tool_calls": [call("call_1", "bash", arguments)],
                "raw_content_blocks": blocks
            }),
        );
    }
}

// 18.10 The way back, and what it costs

#[test]
fn test_ch18_results_come_apart() {
    assert_chat(
        "each result is a message of its own, and nothing changes its place",
        json!([
            { "role": "system", "content": [text("Be brief.")] },
            { "role": "user", "content": [
                text("Before."), result("call_1", json!("one")), result("call_2", json!("two")),
                text("Behind,"), image()
            ] },
            { "role": "assistant", "content": [text("Done.")] }
        ]),
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Before." },
            { "role": "tool", "tool_call_id": "call_1", "content": "one" },
            { "role": "tool", "tool_call_id": "call_2", "content": "two" },
            { "role": "user", "content": "Behind,", "raw_content_blocks": [text("Behind,"), image()] },
            { "role": "assistant", "content": "Done." }
        ]),
    );
}

#[test]
fn test_ch18_empty_messages_come_back() {
    assert_chat(
        "a message without blocks is a message, whoever sent it",
        json!([
            { "role": "user", "content": [] },
            { "role": "assistant", "content": [] },
            { "role": "system", "content": [] }
        ]),
        json!([{ "role": "user" }, { "role": "assistant" }, { "role": "system" }]),
    );
}

#[test]
fn test_ch18_results_of_others_stay_where_they_are() {
    let blocks = json!([
        text("I ran it:"),
        result("call_1", json!("ok")),
        text("So.")
    ]);
    assert_chat(
        "only a user's message comes apart; an assistant's is one message",
        json!([{ "role": "assistant", "content": blocks }]),
        json!([{ "role": "assistant", "content": "I ran it:\nSo.", "raw_content_blocks": blocks }]),
    );
}

#[test]
fn test_ch18_a_conversation_comes_back() {
    assert_there_and_back(
        "nothing is lost of a conversation that says only what both sides can say",
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
fn test_ch18_the_border_costs_what_the_table_says() {
    let metadata =
        json!({ "success": true, "duration_ms": 1.5, "tool_name": "f", "arguments": "{}" });
    assert_there_and_back(
        "of a user's eleven fields, role and content come back",
        json!([{
            "role": "user", "name": "ada", "tool_call_id": "call_9", "content": "Hi.",
            "tool_metadata": metadata, "timestamp": "2026-01-02T03:04:05Z", "id": "msg_1", "status": "completed"
        }]),
        Some(json!([{ "role": "user", "content": "Hi." }])),
    );
    assert_there_and_back(
        "of a tool's eleven fields, role, tool_call_id and content come back",
        json!([{
            "role": "tool", "name": "f", "tool_call_id": "call_1", "content": "ok",
            "tool_calls": [bash_call()], "reasoning": "Hm.", "tool_metadata": metadata,
            "timestamp": "2026-01-02T03:04:05Z", "id": "msg_1", "status": "completed"
        }]),
        Some(json!([{ "role": "tool", "tool_call_id": "call_1", "content": "ok" }])),
    );
    assert_there_and_back(
        "a developer comes back as system",
        json!([{ "role": "developer", "content": "Hi." }]),
        Some(json!([{ "role": "system", "content": "Hi." }])),
    );
    assert_there_and_back(
        "an empty list and an empty reasoning come back as nothing",
        json!([{ "role": "assistant", "tool_calls": [], "reasoning": "", "raw_content_blocks": [] }]),
        Some(json!([{ "role": "assistant" }])),
    );
    assert_there_and_back(
        "arguments are written anew, without their spaces",
        json!([{ "role": "assistant", "tool_calls": [call("call_1", "bash", " { \"command\" : \"ls\" }")] }]),
        Some(json!([{ "role": "assistant", "tool_calls": [bash_call()] }])),
    );
    let failed = json!({ "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true });
    let metadata =
        json!({ "success": false, "duration_ms": 1.5, "tool_name": "f", "arguments": "{}" });
    assert_there_and_back(
        "that a run failed comes back, as a mark in its block",
        json!([{ "role": "tool", "tool_call_id": "call_1", "content": "no", "tool_metadata": metadata }]),
        Some(
            json!([{ "role": "tool", "tool_call_id": "call_1", "content": "no", "raw_content_blocks": [failed] }]),
        ),
    );
    let raw = json!([signed("Hm."), text("In full.")]);
    assert_there_and_back(
        "flat fields that say something else than the raw blocks come back as what the blocks say",
        json!([{ "role": "assistant", "content": "Edited.", "raw_content_blocks": raw }]),
        Some(
            json!([{ "role": "assistant", "content": "In full.", "reasoning": "Hm.", "raw_content_blocks": raw }]),
        ),
    );
}

// What the tests above are made of.

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

fn bash_call() -> Value {
    call("call_1", "bash", "{\"command\":\"ls\"}")
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } })
}

fn signed(thinking: &str) -> Value {
    json!({ "type": "thinking", "thinking": thinking, "signature": "c2lnbmVk", "redacted": false })
}

fn redacted() -> Value {
    json!({ "type": "thinking", "thinking": "", "encrypted_content": "ZW5j", "id": "rs_1", "redacted": true })
}

/// A call of bash, as a block.
fn tool_use(id: &str, input: Value) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "bash", "input": input })
}

fn result(id: &str, content: Value) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": content })
}

/// JSON of so many levels: objects, and arrays in them.
fn nested(levels: usize) -> String {
    let open = |level| if level % 2 == 0 { "{\"a\":" } else { "[" };
    let close = |level| if level % 2 == 0 { "}" } else { "]" };
    let before: String = (0..levels).map(open).collect();
    let behind: String = (0..levels).rev().map(close).collect();
    format!("{before}1{behind}")
}

/// What parse_arguments() makes of `text`; of an error, its words.
fn parse(name: &str, text: &str) -> Result<Value, String> {
    let function = ToolCallFunction {
        name: name.into(),
        arguments: text.into(),
    };
    function.parse_arguments().map_err(|answer| answer.content)
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("the value can be written as JSON")
}

#[track_caller]
fn from_json<T: DeserializeOwned>(json: Value) -> T {
    match serde_json::from_value(json.clone()) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {json}\nserde says: {error}"),
    }
}

/// Expects that `json` does not load as a `T`, and gives serde's words.
#[track_caller]
fn refused<T: DeserializeOwned>(json: Value, why: &str) -> String {
    match serde_json::from_value::<T>(json.clone()) {
        Ok(_) => panic!("this JSON was accepted: {json}\nit should be refused: {why}"),
        Err(error) => error.to_string(),
    }
}

/// Compares two JSON values, and on a difference shows both.
#[track_caller]
fn assert_json(why: &str, left: &Value, right: &Value) {
    assert!(
        left == right,
        "{why}\n      got: {left}\n expected: {right}"
    );
}

#[track_caller]
fn assert_round_trip<T: DeserializeOwned + Serialize>(json: Value) {
    let back = to_json(&from_json::<T>(json.clone()));
    assert_json(
        "the JSON loaded, but is not written back as it was",
        &back,
        &json,
    );
}

/// What to_blocks() makes of a message.
#[track_caller]
fn assert_blocks(why: &str, message: Value, blocks: Value) {
    let silent = from_json::<ChatMessage>(json!({ "role": "assistant" }));
    assert!(
        silent.to_blocks().is_ok_and(|blocks| blocks.is_empty()),
        "a message that says nothing has no blocks"
    );
    match from_json::<ChatMessage>(message.clone()).to_blocks() {
        Ok(made) => assert_json(
            &format!("{why}\n the message: {message}"),
            &to_json(&made),
            &blocks,
        ),
        Err(error) => panic!("{why}\nto_blocks() gave an error: {error}\n the message: {message}"),
    }
}

/// What from_blocks() makes of some blocks; and they can be had back.
#[track_caller]
fn assert_flat(why: &str, role: &str, blocks: Value, message: Value) {
    assert!(
        ChatMessage::from_blocks(Role::User, vec![])
            .content
            .is_none(),
        "a message of no blocks says nothing"
    );
    let made = ChatMessage::from_blocks(from_json(json!(role)), from_json(blocks.clone()));
    assert_json(
        &format!("{why}\n   blocks: {blocks}"),
        &to_json(&made),
        &message,
    );
    match made.to_blocks() {
        Ok(back) => assert_json(
            "to_blocks() of what from_blocks() made gives the blocks again",
            &to_json(&back),
            &blocks,
        ),
        Err(error) => panic!("{why}\nand back, to_blocks() gave an error: {error}"),
    }
}

#[track_caller]
fn assert_unified(why: &str, chat: Value, unified: Value) {
    assert_nothing_gives_nothing();
    match to_unified(&from_json::<Vec<ChatMessage>>(chat)) {
        Ok(made) => assert_json(why, &to_json(&made), &unified),
        Err(error) => panic!("{why}\nto_unified() gave an error: {error}"),
    }
}

#[track_caller]
fn assert_nothing_gives_nothing() {
    assert!(
        to_unified(&[]).is_ok_and(|unified| unified.is_empty()),
        "to_unified() of no messages is no messages"
    );
}

#[track_caller]
fn assert_chat(why: &str, unified: Value, chat: Value) {
    assert!(
        from_unified(&[]).is_empty(),
        "from_unified() of no messages is no messages"
    );
    let made = from_unified(&from_json::<Vec<UnifiedMessage>>(unified));
    assert_json(why, &to_json(&made), &chat);
}

/// Across the border and back: `back`, or if there is none, what was sent.
#[track_caller]
fn assert_there_and_back(why: &str, chat: Value, back: Option<Value>) {
    assert_chat("nothing gives nothing", json!([]), json!([]));
    match to_unified(&from_json::<Vec<ChatMessage>>(chat.clone())) {
        Ok(there) => assert_json(why, &to_json(&from_unified(&there)), &back.unwrap_or(chat)),
        Err(error) => panic!("{why}\nto_unified() gave an error: {error}"),
    }
}
