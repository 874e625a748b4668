//! Chapter 1, Messages & Types.
//!
//! What a section asks for is tested through the public types alone. Fields and
//! variants that you add yourself are seen through JSON, so nothing here names them.

use std::collections::HashSet;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use async_trait::async_trait;
use claw_code::types::*;
use serde_json::{Value, json};

// 1.1 MessageId and new_id()

#[test]
fn test_ch1_new_id_is_a_uuid() {
    let id: MessageId = new_id();
    let parsed = uuid::Uuid::parse_str(&id)
        .unwrap_or_else(|error| panic!("new_id() gave {id:?}, which is no UUID: {error}"));
    assert_eq!(
        parsed.get_version_num(),
        4,
        "new_id() gave {id:?}: the digit after the second hyphen is the version, and a random UUID has version 4"
    );
    assert_eq!(
        id,
        parsed.hyphenated().to_string(),
        "an id is written in lower case, with hyphens"
    );
}

#[test]
fn test_ch1_new_id_never_repeats() {
    let mut seen = HashSet::from([new_id()]);
    let threads: Vec<_> = (0..4)
        .map(|_| thread::spawn(|| (0..500).map(|_| new_id()).collect::<Vec<_>>()))
        .collect();
    for ids in threads {
        for id in ids.join().expect("new_id() panicked") {
            assert!(
                seen.insert(id.clone()),
                "new_id() gave the same id twice: {id:?}"
            );
        }
    }
}

// 1.2 The Message enum

#[test]
fn test_ch1_system_message_json() {
    assert_round_trip(json!({
        "type": "System", "id": "m1", "content": "Be brief.", "tag": "compact_boundary"
    }));
    assert_round_trip(json!({
        "type": "System", "id": "m1", "content": "Be brief.", "tag": null
    }));
}

#[test]
fn test_ch1_user_message_json() {
    assert_round_trip(json!({ "type": "User", "id": "m2", "content": "What is in src?" }));
}

#[test]
fn test_ch1_assistant_message_json() {
    assert_round_trip(json!({
        "type": "Assistant", "id": "m3", "text": "Let me look.",
        "tool_calls": [{ "id": "call_1", "name": "bash", "arguments": { "command": "ls src" } }],
        "stop_reason": "ToolUse", "usage": null
    }));
    assert_round_trip(json!({
        "type": "Assistant", "id": "m3", "text": null,
        "tool_calls": [], "stop_reason": "Stop", "usage": null
    }));
}

#[test]
fn test_ch1_tool_result_message_json() {
    for is_truncated in [true, false] {
        assert_round_trip(json!({
            "type": "ToolResult", "id": "m4", "tool_use_id": "call_1",
            "content": "main.rs", "is_truncated": is_truncated
        }));
    }
}

#[test]
fn test_ch1_attachment_message_json() {
    assert_round_trip(json!({
        "type": "Attachment", "id": "m5", "path": "CLAUDE.md",
        "content": "Run cargo fmt.", "content_type": "instructions"
    }));
}

#[test]
fn test_ch1_progress_message_json() {
    for data in [
        json!({ "line": "ok", "n": 3 }),
        json!("halfway"),
        json!(0.5),
    ] {
        assert_round_trip(json!({ "type": "Progress", "tool_use_id": "call_1", "data": data }));
    }
}

#[test]
fn test_ch1_old_messages_still_load() {
    assert_loads_as(
        json!({ "type": "System", "id": "m1", "content": "Be brief." }),
        json!({ "type": "System", "id": "m1", "content": "Be brief.", "tag": null }),
    );
    assert_loads_as(
        json!({ "type": "ToolResult", "id": "m4", "tool_use_id": "call_1", "content": "main.rs" }),
        json!({
            "type": "ToolResult", "id": "m4", "tool_use_id": "call_1",
            "content": "main.rs", "is_truncated": false
        }),
    );
    assert_loads_as(
        json!({ "type": "Assistant", "id": "m3", "tool_calls": [], "stop_reason": "Stop" }),
        json!({
            "type": "Assistant", "id": "m3", "text": null,
            "tool_calls": [], "stop_reason": "Stop", "usage": null
        }),
    );
}

#[test]
fn test_ch1_unknown_fields_are_passed_over() {
    for known in [
        json!({ "type": "System", "id": "m1", "content": "c", "tag": null }),
        json!({ "type": "User", "id": "m2", "content": "c" }),
        json!({
            "type": "ToolResult", "id": "m4", "tool_use_id": "t",
            "content": "c", "is_truncated": false
        }),
        json!({
            "type": "Attachment", "id": "m5", "path": "p",
            "content": "c", "content_type": "file"
        }),
        json!({ "type": "Progress", "tool_use_id": "t", "data": {} }),
    ] {
        let mut newer = known.clone();
        newer["added_next_year"] = json!(true);
        assert_loads_as(newer, known);
    }
}

#[test]
fn test_ch1_broken_messages_are_refused() {
    for whole in [
        json!({ "type": "System", "id": "m1", "content": "c" }),
        json!({ "type": "User", "id": "m2", "content": "c" }),
        json!({ "type": "Assistant", "id": "m3", "tool_calls": [], "stop_reason": "Stop" }),
        json!({ "type": "ToolResult", "id": "m4", "tool_use_id": "t", "content": "c" }),
        json!({ "type": "Attachment", "id": "m5", "path": "p", "content": "c", "content_type": "file" }),
        json!({ "type": "Progress", "tool_use_id": "t", "data": {} }),
    ] {
        load(&whole);
        let fields = whole.as_object().expect("an object").keys();
        for field in fields {
            let mut broken = whole.clone();
            broken.as_object_mut().expect("an object").remove(field);
            let Err(error) = serde_json::from_value::<Message>(broken.clone()) else {
                panic!("`{field}` is required, but this message without it was accepted: {broken}");
            };
            assert!(
                error.to_string().contains(field),
                "the error for a message without `{field}` should name that field; it says: {error}"
            );
        }
    }
    let unknown = json!({ "type": "Shout", "id": "m1", "content": "c" });
    assert!(
        serde_json::from_value::<Message>(unknown).is_err(),
        "a message of the unknown type \"Shout\" was accepted"
    );
}

// 1.3 Message constructors

#[test]
fn test_ch1_create_user_message() {
    let Message::User(user) = Message::user("Hello") else {
        panic!("Message::user should make a Message::User");
    };
    assert_eq!(user.content, "Hello");
    assert_is_new_id(&user.id);

    let owned = Message::user(String::from("  Hello, owned\n"));
    assert_eq!(
        to_json(&owned)["content"],
        "  Hello, owned\n",
        "the content is kept to the letter, white space included"
    );
}

#[test]
fn test_ch1_create_system_message() {
    let Message::System(system) = Message::system("Be brief.") else {
        panic!("Message::system should make a Message::System");
    };
    assert_eq!(system.content, "Be brief.");
    assert_is_new_id(&system.id);
    assert_eq!(
        to_json(&system)["tag"],
        Value::Null,
        "a system message is made without a tag"
    );

    let owned = Message::system(String::from("  Be brief, owned\n"));
    assert_eq!(
        to_json(&owned)["content"],
        "  Be brief, owned\n",
        "the content is kept to the letter, white space included"
    );
}

#[test]
fn test_ch1_unique_message_ids() {
    let messages = [
        Message::user("same words"),
        Message::user("same words"),
        Message::system("same words"),
        Message::system("same words"),
    ];
    let ids: HashSet<String> = messages
        .iter()
        .map(|message| to_json(message)["id"].to_string())
        .collect();
    assert_eq!(
        ids.len(),
        messages.len(),
        "every message has an id of its own, even with the same words: {messages:#?}"
    );
}

// 1.4 StopReason

#[test]
fn test_ch1_create_assistant_message() {
    let usage: TokenUsage = from_json(json!({
        "input_tokens": 12, "output_tokens": 34,
        "cache_read_tokens": 0, "cache_creation_tokens": 0
    }));
    let message = Message::assistant(
        Some("Done.".to_string()),
        Vec::new(),
        StopReason::Stop,
        Some(usage.clone()),
    );
    let Message::Assistant(reply) = message else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(reply.text.as_deref(), Some("Done."));
    assert!(
        reply.tool_calls.is_empty(),
        "the reply has tool calls, and was given none"
    );
    assert_eq!(
        reply.usage,
        Some(usage),
        "the usage is kept as it was given"
    );
    assert_is_new_id(&reply.id);

    let silent = Message::assistant(None, Vec::new(), StopReason::Stop, None);
    let Message::Assistant(silent) = silent else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(
        silent.text, None,
        "no text stays None: it is not an empty string"
    );
    assert_eq!(silent.usage, None, "unknown usage stays None");
    assert_ne!(silent.id, reply.id, "every reply has an id of its own");
}

#[test]
fn test_ch1_stop_reason_equality() {
    for (given, other, word) in [
        (StopReason::Stop, StopReason::ToolUse, "Stop"),
        (StopReason::ToolUse, StopReason::Stop, "ToolUse"),
    ] {
        let message = Message::assistant(None, Vec::new(), given.clone(), None);
        let Message::Assistant(reply) = &message else {
            panic!("Message::assistant should make a Message::Assistant");
        };
        assert_eq!(
            reply.stop_reason, given,
            "the reply keeps the stop reason it was given"
        );
        assert_ne!(reply.stop_reason, other);
        assert_eq!(to_json(&message)["stop_reason"], word);
    }
}

// 1.5 ToolCall

#[test]
fn test_ch1_create_tool_result() {
    let message = Message::tool_result("call_1", "main.rs");
    let Message::ToolResult(result) = &message else {
        panic!("Message::tool_result should make a Message::ToolResult");
    };
    assert_eq!(
        result.tool_use_id, "call_1",
        "the result names the call it answers"
    );
    assert_eq!(result.content, "main.rs");
    assert_is_new_id(&result.id);
    assert_eq!(
        to_json(&message)["is_truncated"],
        json!(false),
        "a result made this way is whole"
    );

    let owned = Message::tool_result(String::from("call_2"), String::from("  lib.rs\n"));
    assert_eq!(to_json(&owned)["tool_use_id"], "call_2");
    assert_eq!(
        to_json(&owned)["content"],
        "  lib.rs\n",
        "the content is kept to the letter, white space included"
    );
}

#[test]
fn test_ch1_assistant_with_tool_calls() {
    let calls = vec![
        tool_call("call_1", "read", json!({ "path": "src/lib.rs" })),
        tool_call("call_2", "bash", json!({ "command": "cargo test" })),
    ];
    let results: Vec<Message> = calls
        .iter()
        .map(|call| Message::tool_result(&call.id, format!("{} ran", call.name)))
        .collect();
    let message = Message::assistant(None, calls.clone(), StopReason::ToolUse, None);

    let Message::Assistant(reply) = &message else {
        panic!("Message::assistant should make a Message::Assistant");
    };
    assert_eq!(
        reply.tool_calls, calls,
        "the calls are kept as they were given, in their order"
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    for (call, result) in reply.tool_calls.iter().zip(&results) {
        let Message::ToolResult(result) = result else {
            panic!("Message::tool_result should make a Message::ToolResult");
        };
        assert_eq!(
            result.tool_use_id, call.id,
            "result and call go together by the call's id"
        );
        assert_eq!(result.content, format!("{} ran", call.name));
    }
    assert_ne!(
        to_json(&results[0])["id"],
        to_json(&results[1])["id"],
        "every result has an id of its own"
    );
    assert_eq!(
        to_json(&message)["tool_calls"],
        json!([
            { "id": "call_1", "name": "read", "arguments": { "path": "src/lib.rs" } },
            { "id": "call_2", "name": "bash", "arguments": { "command": "cargo test" } }
        ])
    );
}

// 1.6 ToolDefinition and the builder pattern

#[test]
fn test_ch1_tool_definition_new() {
    let definition = ToolDefinition::new("pwd", "Name the working directory");
    assert_eq!(definition.name, "pwd");
    assert_eq!(definition.description, "Name the working directory");
    assert_json(
        "a tool without parameters still has a whole object schema",
        &definition.parameters,
        &json!({ "type": "object", "properties": {}, "required": [] }),
    );
}

#[test]
fn test_ch1_tool_definition_builder() {
    let definition = ToolDefinition::new("edit", "Replace text in a file")
        .param("path", "string", "The file", true)
        .param("line", "number", "Where to start", true);
    assert_eq!(definition.name, "edit");
    assert_eq!(definition.description, "Replace text in a file");
    assert_json(
        "each parameter has its own type and description, and the required ones are listed in the order given",
        &definition.parameters,
        &json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The file" },
                "line": { "type": "number", "description": "Where to start" }
            },
            "required": ["path", "line"]
        }),
    );
}

#[test]
fn test_ch1_tool_definition_optional_param() {
    let definition = ToolDefinition::new("read", "Read a file")
        .param("path", "string", "The file", true)
        .param("limit", "number", "How many lines", false);
    assert_json(
        "an optional parameter is described like any other",
        &definition.parameters["properties"]["limit"],
        &json!({ "type": "number", "description": "How many lines" }),
    );
    assert_json(
        "an optional parameter is not listed as required",
        &definition.parameters["required"],
        &json!(["path"]),
    );
}

#[test]
fn test_ch1_tool_definition_param_raw() {
    let changes = json!({
        "type": "array",
        "items": { "type": "object", "properties": { "old": { "type": "string" } } }
    });
    let mode = json!({ "enum": ["fast", "careful"] });
    let definition = ToolDefinition::new("edit", "Replace text")
        .param_raw("changes", changes.clone(), true)
        .param_raw("mode", mode.clone(), false);
    assert_json(
        "param_raw puts the schema in as it was given, and lists only what is required",
        &definition.parameters,
        &json!({
            "type": "object",
            "properties": { "changes": changes, "mode": mode },
            "required": ["changes"]
        }),
    );
}

#[test]
fn test_ch1_tool_definition_param_given_twice() {
    for (first, second, required) in [
        (true, true, json!(["other", "path"])),
        (true, false, json!(["other"])),
        (false, true, json!(["other", "path"])),
        (false, false, json!(["other"])),
    ] {
        let start = || {
            ToolDefinition::new("read", "Read a file")
                .param("path", "string", "Old words", first)
                .param("other", "string", "Another", true)
        };
        for (method, definition) in [
            ("param", start().param("path", "array", "New", second)),
            (
                "param_raw",
                start().param_raw(
                    "path",
                    json!({ "type": "array", "description": "New" }),
                    second,
                ),
            ),
        ] {
            assert_json(
                &format!("{method}: of a name given twice, the later schema holds"),
                &definition.parameters["properties"],
                &json!({
                    "path": { "type": "array", "description": "New" },
                    "other": { "type": "string", "description": "Another" }
                }),
            );
            let mut names = definition.parameters["required"].clone();
            if let Some(names) = names.as_array_mut() {
                names.sort_by_key(Value::to_string);
            }
            assert_json(
                &format!(
                    "{method}: a name given twice (required: {first}, then {second}) is listed at most once, and the later call decides"
                ),
                &names,
                &required,
            );
        }
    }
}

// 1.7 ToolResult

#[test]
fn test_ch1_tool_result_text() {
    let result = ToolResult::text("3 files");
    assert_eq!(result.content, "3 files");
    assert!(
        !result.is_truncated,
        "ToolResult::text set is_truncated; a text is whole"
    );
    assert_eq!(
        ToolResult::text(String::from("  owned\n")).content,
        "  owned\n",
        "the content is kept to the letter, white space included"
    );
}

#[test]
fn test_ch1_tool_result_error() {
    let result = ToolResult::error("no such file");
    assert_eq!(
        result.content, "error: no such file",
        "the model reads plain text: the prefix is how it knows that the tool failed"
    );
    assert!(
        !result.is_truncated,
        "ToolResult::error set is_truncated; an error is whole"
    );
    assert_eq!(
        ToolResult::error(String::from("owned\n")).content,
        "error: owned\n"
    );
}

// 1.8 ValidationResult

#[test]
fn test_ch1_validation_accepts_by_default() {
    let plain: Box<dyn Tool> = Box::new(Plain::named("plain"));
    for args in [json!({}), json!({ "path": 7 }), Value::Null, json!([1])] {
        assert_eq!(
            plain.validate_input(&args),
            ValidationResult::Ok,
            "a tool that checks nothing accepts everything, {args} included"
        );
    }
}

#[test]
fn test_ch1_validation_can_be_overridden() {
    let plain: Box<dyn Tool> = Box::new(Plain::named("plain"));
    let strict: Box<dyn Tool> = Box::new(CountLines::default());
    assert_eq!(plain.validate_input(&json!({})), ValidationResult::Ok);
    assert_eq!(
        strict.validate_input(&json!({ "path": "Cargo.toml" })),
        ValidationResult::Ok
    );
    assert_eq!(
        strict.validate_input(&json!({ "path": 7 })),
        ValidationResult::Error {
            message: "`path` must be a string".to_string(),
            code: 1
        },
        "a tool's own check is the one that counts"
    );
}

// 1.9 The Tool trait

#[test]
fn test_ch1_tool_defaults_are_careful() {
    let plain: Box<dyn Tool> = Box::new(Plain::named("plain"));
    assert!(
        !plain.is_read_only(),
        "is_read_only() gave true for a tool that says nothing of itself; the default is false"
    );
    assert!(
        !plain.is_concurrent_safe(),
        "is_concurrent_safe() gave true for a tool that says nothing of itself; the default is false"
    );
    assert!(
        !plain.is_destructive(),
        "is_destructive() gave true for a tool that says nothing of itself; the default is false"
    );
    assert_eq!(
        plain.activity_description(&json!({ "command": "ls", "path": "src" })),
        None,
        "activity_description() has no words by default: None"
    );
}

#[test]
fn test_ch1_tool_summary_shows_each_key() {
    let plain = Plain::named("plain");
    for key in ["command", "path", "question", "pattern"] {
        assert_eq!(
            plain.summary(&json!({ key: "the detail", "other": "not this" })),
            "[plain: the detail]",
            "`{key}` is one of the four arguments shown"
        );
    }
}

#[test]
fn test_ch1_tool_summary_takes_the_first_string() {
    let plain = Plain::named("plain");
    let keys = ["command", "path", "question", "pattern"];
    for first in 0..keys.len() {
        let args: Value = keys[first..]
            .iter()
            .map(|key| (key.to_string(), json!(format!("the {key}"))))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(
            plain.summary(&args),
            format!("[plain: the {}]", keys[first]),
            "of several, the earliest in the order command, path, question, pattern is shown; the arguments were {args}"
        );
    }
    for no_string in [json!(7), json!(null), json!(["ls"]), json!({ "a": "b" })] {
        let args = json!({ "command": no_string, "path": "src/lib.rs" });
        assert_eq!(
            plain.summary(&args),
            "[plain: src/lib.rs]",
            "a value that is no string is passed over and the next key is tried; the arguments were {args}"
        );
    }
}

#[test]
fn test_ch1_tool_summary_without_detail() {
    let plain = Plain::named("plain");
    for args in [
        json!({}),
        json!({ "other": "words" }),
        json!({ "command": 7, "pattern": null }),
        json!(null),
        json!(["command"]),
        json!("command"),
    ] {
        assert_eq!(
            plain.summary(&args),
            "[plain]",
            "without a string to show the name stands alone; the arguments were {args}"
        );
    }
}

#[test]
fn test_ch1_tool_works_across_threads() {
    let tool: Box<dyn Tool> = Box::new(CountLines::default());
    assert_eq!(
        tool.summary(&json!({ "path": "Cargo.toml" })),
        "[count_lines: Cargo.toml]"
    );
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let lines = std::fs::read_to_string(manifest)
        .expect("this package has a Cargo.toml")
        .lines()
        .count();

    let shared: Arc<dyn Tool> = Arc::from(tool);
    let workers: Vec<_> = [manifest, "no/such/file"]
        .into_iter()
        .map(|path| {
            let tool = Arc::clone(&shared);
            thread::spawn(move || {
                let result = block_on(tool.call(json!({ "path": path })));
                (tool.is_read_only(), result.expect("the tool answers"))
            })
        })
        .collect();
    let answers: Vec<_> = workers
        .into_iter()
        .map(|worker| worker.join().expect("a tool panicked on another thread"))
        .collect();

    assert_eq!(answers[0], (true, ToolResult::text(lines.to_string())));
    assert_eq!(
        answers[1],
        (true, ToolResult::error("cannot read no/such/file"))
    );
}

// 1.10 ToolSet

#[test]
fn test_ch1_toolset_empty() {
    for (made_by, set) in [
        ("ToolSet::new()", ToolSet::new()),
        ("ToolSet::default()", ToolSet::default()),
    ] {
        assert!(
            set.is_empty(),
            "is_empty() gave false for {made_by}, which has no tools"
        );
        assert_eq!(set.len(), 0, "len() of {made_by}, which has no tools");
        assert!(
            set.names().is_empty(),
            "names() of {made_by}, which has no tools, gave some"
        );
        assert!(
            set.definitions().is_empty(),
            "definitions() of {made_by}, which has no tools, gave some"
        );
        assert!(
            set.get("bash").is_none(),
            "get() found a tool in {made_by}, which has none"
        );
    }
}

#[test]
fn test_ch1_toolset_push_and_get() {
    let mut set = ToolSet::new();
    set.push(Plain::named("bash"));
    assert!(
        !set.is_empty(),
        "is_empty() gave true for a set with one tool"
    );
    set.push(Plain::named("readFile"));
    assert_eq!(set.len(), 2, "two tools of two names are two entries");
    for name in ["bash", "readFile"] {
        let tool = set.get(name);
        let found = tool.map(|tool| tool.definition().name);
        assert_eq!(
            found,
            Some(name),
            "a tool is found under its definition's name"
        );
    }
    for name in ["Bash", "readfile", "bas", "bash ", "Does as it is told", ""] {
        assert!(
            set.get(name).is_none(),
            "no tool is called {name:?}: only the very name finds it"
        );
    }
}

#[test]
fn test_ch1_toolset_with_chains() {
    let set = ToolSet::new()
        .with(Plain::named("bash"))
        .with(CountLines::default())
        .with(Plain::named("grep"));
    assert_eq!(
        sorted(set.names()),
        ["bash", "count_lines", "grep"],
        "every tool added by with() is kept, whatever its type"
    );
}

#[test]
fn test_ch1_toolset_lists_every_tool() {
    let mut set = ToolSet::new();
    set.push(Plain::named("grep"));
    set.push(CountLines::default());
    set.push(Plain::named("bash"));
    assert_eq!(sorted(set.names()), ["bash", "count_lines", "grep"]);

    let definitions = set.definitions();
    assert_eq!(
        sorted(definitions.iter().map(|definition| definition.name)),
        ["bash", "count_lines", "grep"],
        "definitions() has one definition for each tool"
    );
    let count_lines = definitions
        .iter()
        .find(|definition| definition.name == "count_lines")
        .expect("just listed");
    assert_eq!(
        count_lines.parameters["required"],
        json!(["path"]),
        "a definition comes whole, its parameters included"
    );
}

#[test]
fn test_ch1_toolset_replaces_same_name() {
    let mut set = ToolSet::new();
    set.push(Plain::new("bash", "The old one"));
    set.push(Plain::new("bash", "The new one"));
    assert_eq!(set.len(), 1, "two tools of one name are one entry");
    assert_eq!(set.names(), ["bash"]);
    let tool = set.get("bash").expect("bash was pushed twice");
    assert_eq!(
        tool.definition().description,
        "The new one",
        "the later tool of a name replaces the earlier"
    );
}

// 1.11 TokenUsage and ModelUsage

#[test]
fn test_ch1_token_usage_default() {
    assert_json(
        "a fresh TokenUsage has four counts, all zero",
        &to_json(&TokenUsage::default()),
        &json!({
            "input_tokens": 0, "output_tokens": 0,
            "cache_read_tokens": 0, "cache_creation_tokens": 0
        }),
    );
}

#[test]
fn test_ch1_token_usage_json() {
    let json = json!({
        "input_tokens": 1, "output_tokens": 2,
        "cache_read_tokens": 3, "cache_creation_tokens": 4
    });
    assert_json(
        "each count is read and written under its own name",
        &to_json(&from_json::<TokenUsage>(json.clone())),
        &json,
    );
    let message = json!({
        "type": "Assistant", "id": "m3", "text": "Hi.",
        "tool_calls": [], "stop_reason": "Stop", "usage": json
    });
    assert_round_trip(message);
}

#[test]
fn test_ch1_token_usage_without_cache_fields() {
    let json = json!({ "input_tokens": 1, "output_tokens": 2 });
    assert_json(
        "a provider without a cache leaves its counts out: they are zero",
        &to_json(&from_json::<TokenUsage>(json)),
        &json!({
            "input_tokens": 1, "output_tokens": 2,
            "cache_read_tokens": 0, "cache_creation_tokens": 0
        }),
    );
    for field in ["input_tokens", "output_tokens"] {
        let mut json = json!({ "input_tokens": 1, "output_tokens": 2 });
        json.as_object_mut().expect("an object").remove(field);
        assert!(
            serde_json::from_value::<TokenUsage>(json).is_err(),
            "`{field}` is required: without it nothing is known of the cost"
        );
    }
}

#[test]
fn test_ch1_token_usage_total() {
    let usage: TokenUsage = from_json(json!({
        "input_tokens": 100, "output_tokens": 50,
        "cache_read_tokens": 7000, "cache_creation_tokens": 900
    }));
    assert_eq!(
        usage.total_tokens(),
        150,
        "the total is input and output; the cache counts stay out of it"
    );
}

#[test]
fn test_ch1_model_usage_record() {
    let mut total = ModelUsage::default();
    for (usage, cost) in [
        (
            json!({
                "input_tokens": 100, "output_tokens": 20,
                "cache_read_tokens": 3000, "cache_creation_tokens": 400
            }),
            0.25,
        ),
        (
            json!({
                "input_tokens": 1, "output_tokens": 2,
                "cache_read_tokens": 3, "cache_creation_tokens": 4
            }),
            0.5,
        ),
    ] {
        total.record(&from_json(usage), cost);
    }
    assert_eq!(
        total,
        ModelUsage {
            input_tokens: 101,
            output_tokens: 22,
            cache_read_tokens: 3003,
            cache_creation_tokens: 404,
            cost_usd: 0.75,
            turn_count: 2,
        },
        "every count, the cost and the number of turns add up"
    );
}

// What the tests above are made of.

/// A tool that implements no more than it must.
struct Plain(ToolDefinition);

impl Plain {
    fn named(name: &'static str) -> Self {
        Self::new(name, "Does as it is told")
    }

    /// Made by hand, so that a test of the trait needs none of section 1.6.
    fn new(name: &'static str, description: &'static str) -> Self {
        Self(ToolDefinition {
            name,
            description,
            parameters: json!({ "type": "object", "properties": {}, "required": [] }),
        })
    }
}

#[async_trait]
impl Tool for Plain {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text("done"))
    }
}

/// A tool that does real work: it counts the lines of a file.
struct CountLines(ToolDefinition);

impl Default for CountLines {
    fn default() -> Self {
        Self(ToolDefinition {
            name: "count_lines",
            description: "Count the lines of a file",
            parameters: json!({
                "type": "object",
                "properties": { "path": { "type": "string", "description": "The file" } },
                "required": ["path"]
            }),
        })
    }
}

#[async_trait]
impl Tool for CountLines {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let path = args["path"].as_str().unwrap_or_default();
        Ok(match std::fs::read_to_string(path) {
            Ok(text) => ToolResult::text(text.lines().count().to_string()),
            Err(_) => ToolResult::error(format!("cannot read {path}")),
        })
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        if args["path"].is_string() {
            ValidationResult::Ok
        } else {
            ValidationResult::Error {
                message: "`path` must be a string".to_string(),
                code: 1,
            }
        }
    }

    fn is_read_only(&self) -> bool {
        true
    }
}

fn tool_call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments,
    }
}

fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("the value can be written as JSON")
}

#[track_caller]
fn from_json<T: serde::de::DeserializeOwned>(json: Value) -> T {
    match serde_json::from_value(json.clone()) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {json}\nserde says: {error}"),
    }
}

#[track_caller]
fn load(json: &Value) -> Message {
    match serde_json::from_value(json.clone()) {
        Ok(message) => message,
        Err(error) => panic!("this JSON should load as a Message: {json}\nserde says: {error}"),
    }
}

/// Loads a message and expects it to be written back as `written`.
#[track_caller]
fn assert_loads_as(json: Value, written: Value) {
    let back = to_json(&load(&json));
    assert_json(
        "the message loaded, but is not written back as expected",
        &back,
        &written,
    );
}

/// Compares two JSON values, and on a difference shows both as JSON.
#[track_caller]
fn assert_json(why: &str, left: &Value, right: &Value) {
    assert!(
        left == right,
        "{why}\n      got: {left}\n expected: {right}"
    );
}

#[track_caller]
fn assert_round_trip(json: Value) {
    assert_loads_as(json.clone(), json);
}

#[track_caller]
fn assert_is_new_id(id: &str) {
    assert!(
        uuid::Uuid::parse_str(id).is_ok(),
        "a constructor takes the message's id from new_id(); this one set {id:?}"
    );
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    names
}

/// Runs a future to its end on this thread. Chapter 2 brings a real runtime.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
