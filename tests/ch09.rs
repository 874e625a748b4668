//! Chapter 9, The Tool Registry.
//!
//! Tools are small and made by hand. What an API thinks of a tool is asked of the offline
//! model's server, which reads the three formats as strictly as the real ones.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::MockProvider;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

// 9.1 One tool in several sets

#[test]
fn test_ch9_a_shared_tool_says_what_its_tool_says() {
    let special = SharedTool::new(Special::default());
    let args = json!({ "path": "x" });
    assert_eq!(
        special.definition().name,
        "special",
        "the definition is the tool's own"
    );
    assert_eq!(
        special.summary(&args),
        "special of x",
        "a tool may word its row for the terminal itself; sharing it must not change that"
    );
    assert_eq!(
        special.activity_description(&args),
        Some("Being special...".to_string()),
        "what is shown while it runs is the tool's to say"
    );
    assert_eq!(
        special.validate_input(&json!({ "path": "bad" })),
        refusal(),
        "what the tool refuses, the shared tool refuses: a default in its place lets everything through"
    );
    assert_eq!(special.validate_input(&args), ValidationResult::Ok);
}

#[test]
fn test_ch9_a_shared_tool_has_the_flags_of_its_tool() {
    let flags = |tool: &dyn Tool| {
        [
            tool.is_read_only(),
            tool.is_concurrent_safe(),
            tool.is_destructive(),
        ]
    };
    for which in 0..3 {
        let mut expected = [false; 3];
        expected[which] = true;
        let tool = Special {
            flags: expected,
            ..Special::default()
        };
        assert_eq!(
            flags(&SharedTool::new(tool)),
            expected,
            "read-only, concurrent-safe and destructive, each as the tool says of itself"
        );
    }
}

#[tokio::test]
async fn test_ch9_clones_are_the_same_tool() {
    let tool = Special::default();
    let runs = tool.runs.clone();
    let one = SharedTool::new(tool);
    let other = one.clone();
    for shared in [&one, &other] {
        let result = shared.call(json!({ "path": "x" })).await;
        assert_eq!(
            result.expect("the tool answers"),
            ToolResult::text(r#"{"path":"x"}"#),
            "the tool gets the arguments as they are, and its answer comes back"
        );
    }
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "both calls reached the one tool"
    );
    let failed = one.call(json!({ "path": "broken" })).await;
    assert!(failed.is_err(), "an `Err` of the tool comes back as one");
}

// 9.2 What every API takes

#[test]
fn test_ch9_good_definitions_are_admissible() {
    let longest = "x".repeat(MAX_NAME);
    for name in [
        "a",
        "list",
        "multi_edit",
        "mcp__git__log-2",
        "R2D2",
        &longest,
    ] {
        assert_admissible(name, object(json!({})));
    }
    for schema in [
        json!({ "type": "object" }),
        object(json!({ "path": { "type": "string" } })),
        // Further down, every keyword is welcome.
        object(json!({ "when": { "anyOf": [{ "type": "string" }, { "type": "null" }] } })),
        object(json!({ "anyOf": { "type": "string" }, "not": { "enum": [1, 2] } })),
        json!({ "type": "object", "$defs": { "one": { "allOf": [true] } } }),
    ] {
        assert_admissible("tool", schema);
    }
}

#[test]
fn test_ch9_names_that_no_api_takes() {
    let too_long = "x".repeat(MAX_NAME + 1);
    for name in [
        "",
        "web search",
        "fs.read",
        "git/log",
        "run!",
        "größe",
        "list\n",
        &too_long,
    ] {
        let said = refused(name, object(json!({})));
        assert!(
            said.contains(&format!("{name:?}")) && said.contains("64"),
            "the error names the tool {name:?} and says which names will do; it says: {said}"
        );
    }
}

#[test]
fn test_ch9_schemas_that_no_api_takes() {
    for schema in [
        json!({}),
        json!(true),
        json!(null),
        json!({ "type": "string" }),
        json!({ "type": ["object", "null"] }),
        json!({ "properties": { "path": { "type": "string" } } }),
    ] {
        let said = refused("odd", schema.clone());
        assert!(
            said.contains("odd") && said.contains("type") && said.contains("object"),
            "the schema {schema} is none of an object; the error names the tool and says so; it says: {said}"
        );
    }
    for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
        let mut schema = object(json!({ "path": { "type": "string" } }));
        schema[keyword] = match keyword {
            "not" => json!({ "required": ["path"] }),
            "enum" => json!([{}]),
            _ => json!([{ "required": ["path"] }]),
        };
        let said = refused("odd", schema);
        // In quotes of some kind: "cannot" has a `not` in it too.
        let quoted = ['`', '"', '\''].map(|quote| format!("{quote}{keyword}{quote}"));
        assert!(
            said.contains("odd") && quoted.iter().any(|it| said.contains(it)),
            "`{keyword}` at the top level is refused by an API; the error names tool and keyword; it says: {said}"
        );
    }
}

#[test]
fn test_ch9_schemas_that_are_broken() {
    for (schema, reason) in [
        (
            json!({ "type": "object", "properties": { "n": { "type": "int" } } }),
            "/properties/n/type",
        ),
        (json!({ "type": "object", "required": "path" }), "/required"),
        (
            json!({ "type": "object", "properties": { "n": { "$ref": "https://example.com/n.json" } } }),
            "example.com",
        ),
    ] {
        let said = refused("odd", schema.clone());
        assert!(
            said.contains("odd") && said.contains(reason),
            "no arguments would ever fit {schema}: the error names the tool, `odd`, and says what `mismatches` finds wrong, which has {reason:?} in it; the error says: {said}"
        );
    }
}

// 9.3 The registry

#[test]
fn test_ch9_the_order_is_that_of_the_names() {
    let expected = ["ask", "bash", "glob", "mcp__git__log", "read", "write"];
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
        let mut registry = Registry::new();
        for index in order {
            add(&mut registry, noop(expected[index]));
        }
        assert_eq!(
            registry.names(),
            expected,
            "the order is that of the names, whoever was added first"
        );
        let definitions: Vec<&str> = registry.definitions().iter().map(|d| d.name).collect();
        assert_eq!(definitions, expected, "definitions come in the same order");
    }
    assert_eq!(
        format!("{:?}", registry(&["read", "bash"])),
        r#"{"bash", "read"}"#,
        "in an error message a registry shows its names"
    );
}

#[test]
fn test_ch9_a_registry_finds_its_tools() {
    let registry = registry(&["bash", "read"]);
    assert!(
        Registry::new().is_empty() && !registry.is_empty(),
        "a new registry is empty, and one with two tools is not"
    );
    let read = registry.get("read").expect("`read` was added");
    assert_eq!(read.definition().name, "read");
    for name in ["write", "Read", "rea", ""] {
        assert!(
            registry.get(name).is_none(),
            "no tool has the name {name:?}"
        );
    }
}

#[tokio::test]
async fn test_ch9_a_name_is_given_once() {
    let mut registry = registry(&["read"]);
    add(&mut registry, answering("bash", "the real one"));
    let Err(error) = registry.add(answering("bash", "the impostor")) else {
        panic!("a second tool `bash` must be refused: whose would a call be?");
    };
    assert!(
        error.to_string().contains("bash"),
        "the error names the tool; it says: {error}"
    );
    assert_eq!(registry.names(), ["bash", "read"], "nothing else changed");
    let bash = registry.get("bash").expect("the first stays");
    let result = bash.call(json!({})).await.expect("it answers");
    assert_eq!(
        result.content, "the real one",
        "the first of a name stays: a later one may come from anywhere"
    );
}

#[test]
fn test_ch9_a_bad_tool_changes_nothing() {
    let mut registry = registry(&["read"]);
    let Err(error) = registry.add(noop("web search")) else {
        panic!("an API refuses the name \"web search\", and with it the whole request");
    };
    assert!(
        error.to_string().contains("web search"),
        "the error is that of `admissible`; it says: {error}"
    );
    assert_eq!(registry.names(), ["read"]);
}

#[tokio::test]
async fn test_ch9_a_tool_set_has_the_same_tools() {
    let special = Special::default();
    let runs = special.runs.clone();
    let mut registry = registry(&["read"]);
    add(&mut registry, special);
    let first = registry.tool_set();
    let second = registry.tool_set();
    for set in [&first, &second] {
        let mut names = set.names();
        names.sort_unstable();
        assert_eq!(names, ["read", "special"], "every tool is in the set");
        let call = ToolCall {
            id: "a".into(),
            name: "special".into(),
            arguments: json!({ "path": "x" }),
        };
        let result = execute(set, &call).await;
        assert_eq!(result.content, r#"{"path":"x"}"#, "and can be called there");
    }
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "both sets, and the registry, hold the same tool: what it remembers must not be split in two"
    );
    assert_eq!(registry.len(), 2, "the registry still has its tools");
}

// 9.4 Tools made at run time

#[test]
fn test_ch9_equal_texts_are_kept_once() {
    let text = format!("made at run time, {}", 40 + 2);
    let one = intern(&text);
    let other = intern(&text.clone());
    assert_eq!(one, text, "the text itself");
    assert!(
        std::ptr::eq(one, other),
        "the second time it must be the very same text: leaked once, not once a call"
    );
    assert_ne!(intern("another text"), one);
    assert_eq!(intern(""), "", "an empty text is a text");
    let ends = intern("made at run time, 42!");
    assert_eq!(
        ends, "made at run time, 42!",
        "whole, and no part of another"
    );
}

#[test]
fn test_ch9_texts_are_kept_once_from_many_threads() {
    assert_eq!(intern("one thread"), "one thread");
    let threads: Vec<_> = (0..8)
        .map(|_| std::thread::spawn(|| intern(&["many", "threads"].join(" ")).as_ptr() as usize))
        .collect();
    let places: HashSet<usize> = threads
        .into_iter()
        .map(|thread| thread.join().expect("no thread panics"))
        .collect();
    assert_eq!(places.len(), 1, "eight threads, one text");
}

#[tokio::test]
async fn test_ch9_a_dynamic_tool_is_a_tool() {
    let name = ["mcp", "clock", "now"].join("__");
    let zone = object(json!({ "zone": { "type": "string" } }));
    let tool = DynamicTool::new(&name, "The time.", zone.clone(), |args| async move {
        match args["zone"].as_str() {
            Some(zone) => Ok(ToolResult::text(format!("noon in {zone}"))),
            None => anyhow::bail!("the clock has stopped"),
        }
    });
    drop(name);
    assert_eq!(
        *tool.definition(),
        ToolDefinition {
            name: "mcp__clock__now",
            description: "The time.",
            parameters: zone,
        },
        "the definition is what `new` was given"
    );
    for _ in 0..2 {
        let result = tool.call(json!({ "zone": "Oslo" })).await;
        assert_eq!(
            result.expect("the handler answers"),
            ToolResult::text("noon in Oslo"),
            "each call asks the handler, with the call's arguments"
        );
    }
    let failed = tool.call(json!({})).await;
    assert!(failed.is_err(), "an `Err` of the handler comes back as one");
    let flags = [
        tool.is_read_only(),
        tool.is_concurrent_safe(),
        tool.is_destructive(),
    ];
    assert_eq!(
        flags, [false; 3],
        "nothing was said, so the careful answers"
    );
}

#[tokio::test]
async fn test_ch9_a_dynamic_tool_waits_for_its_handler() {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let receiver = Arc::new(tokio::sync::Mutex::new(Some(receiver)));
    let tool = DynamicTool::new("wait", "Waits.", object(json!({})), move |_| {
        let receiver = receiver.clone();
        async move {
            let receiver = receiver.lock().await.take().expect("called once");
            Ok(ToolResult::text(receiver.await.unwrap_or("nobody sent")))
        }
    })
    .read_only()
    .concurrent_safe()
    .destructive();
    let flags = [
        tool.is_read_only(),
        tool.is_concurrent_safe(),
        tool.is_destructive(),
    ];
    assert_eq!(flags, [true; 3], "what the methods said");
    let sending = async { sender.send("sent while it waits") };
    let (result, _) = tokio::join!(tool.call(json!({})), sending);
    assert_eq!(
        result.expect("the handler answers").content,
        "sent while it waits",
        "a handler may wait; the thread does other work meanwhile"
    );
}

// 9.5 Held to the schema

#[test]
fn test_ch9_strict_schemas() {
    for schema in [
        closed_object(json!({})),
        json!({ "type": "object", "additionalProperties": false }),
        closed_object(json!({ "path": { "type": "string", "description": "A path." } })),
        closed_object(json!({
            "mode": { "type": ["string", "null"], "enum": ["a", "b", null], "title": "Mode" },
            "edits": { "type": "array", "items": closed_object(json!({ "old": { "type": "string" } })) },
            "when": { "anyOf": [{ "type": "string" }, closed_object(json!({ "n": { "type": "integer" } }))] },
        })),
        // Names of properties are no keywords.
        closed_object(json!({ "pattern": { "type": "string" }, "anyOf": { "type": "string" } })),
    ] {
        assert!(
            is_strict(&schema),
            "the API holds a model to this: {schema}"
        );
    }
}

#[test]
fn test_ch9_an_optional_parameter_is_not_strict() {
    let mut schema = closed_object(json!({ "a": { "type": "string" }, "b": { "type": "string" } }));
    schema["required"] = json!(["a"]);
    assert_not_strict(&schema, "`b` may be left out");
    schema["required"] = json!([]);
    assert_not_strict(&schema, "both may be left out");
    schema["required"] = json!(["a", "a"]);
    assert_not_strict(&schema, "two names are required, and `b` is not among them");
    schema["required"] = json!(["a", "b", "c"]);
    assert_not_strict(&schema, "`c` is required and unknown");
    schema
        .as_object_mut()
        .expect("an object")
        .remove("required");
    assert_not_strict(&schema, "without `required`, everything may be left out");
}

#[test]
fn test_ch9_an_open_object_is_not_strict() {
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    for open in [json!(true), json!({ "type": "string" }), json!(null)] {
        schema["additionalProperties"] = open.clone();
        assert_not_strict(&schema, &format!("`additionalProperties` is {open}"));
    }
    assert_not_strict(
        &object(json!({ "a": { "type": "string" } })),
        "other names are welcome unless it is said that they are not",
    );
}

#[test]
fn test_ch9_strict_all_the_way_down() {
    let open = object(json!({ "a": { "type": "string" } }));
    for (place, inside) in [
        ("a property", open.clone()),
        ("an item", json!({ "type": "array", "items": open.clone() })),
        (
            "a form",
            json!({ "anyOf": [{ "type": "string" }, open.clone()] }),
        ),
        (
            "one that may be null",
            json!({ "type": ["object", "null"] }),
        ),
        (
            "one that only lists properties",
            json!({ "properties": {} }),
        ),
        ("a schema that fits all", json!(true)),
        (
            "an array whose items are a list",
            json!({ "type": "array", "items": [] }),
        ),
        ("no schema", json!({ "anyOf": "none" })),
    ] {
        let schema = closed_object(json!({ "inside": inside }));
        assert_not_strict(&schema, &format!("{place} is not strict"));
    }
}

#[test]
fn test_ch9_what_is_in_doubt_is_not_strict() {
    for keyword in [
        "pattern",
        "format",
        "allOf",
        "not",
        "if",
        "minLength",
        "$ref",
        "x-made-up",
    ] {
        let schema = closed_object(json!({ "a": { "type": "string", keyword: [] } }));
        assert_not_strict(&schema, &format!("`{keyword}` is not on the list"));
    }
    for anything in [json!({}), json!({ "description": "Anything." })] {
        let schema = closed_object(json!({ "a": anything }));
        assert_not_strict(&schema, "without `type`, `a` may be anything");
    }
    let mut schema = closed_object(json!({ "a": { "type": "string" } }));
    schema["anyOf"] = json!([]);
    assert_not_strict(&schema, "`anyOf` stands at the top");
    for other in [
        json!({ "type": "string" }),
        json!(true),
        json!(null),
        json!({}),
    ] {
        assert_not_strict(&other, "it is no object schema");
    }
}

#[test]
fn test_ch9_strict_schemas_are_not_deep() {
    let nested = |depth: usize| {
        let innermost = json!({ "type": "string" });
        (1..depth).fold(innermost, |inside, _| {
            closed_object(json!({ "inside": inside }))
        })
    };
    assert!(
        is_strict(&nested(MAX_NESTING)),
        "{MAX_NESTING} schemas inside one another, the outermost counted, are fine"
    );
    assert_not_strict(&nested(MAX_NESTING + 1), "one more is one too many");
    // A strict schema of a tool of tomorrow must not end the program of today.
    assert_not_strict(&nested(100), "and a hundred are");
}

// 9.6 Three forms

#[test]
fn test_ch9_a_tool_for_each_api() {
    let tool =
        ToolDefinition::new("list", "Lists a folder.").param("path", "string", "Which.", false);
    let parameters = &tool.parameters;
    assert_eq!(
        tool_schema(Api::ChatCompletions, &tool),
        json!({
            "type": "function",
            "function": { "name": "list", "description": "Lists a folder.", "parameters": parameters },
        }),
        "Chat Completions has the tool inside of `function`"
    );
    assert_eq!(
        tool_schema(Api::Responses, &tool),
        json!({
            "type": "function",
            "name": "list",
            "description": "Lists a folder.",
            "parameters": parameters,
            "strict": false,
        }),
        "Responses has it beside `type`, and wants `strict` said: `path` may be left out, so `false`"
    );
    assert_eq!(
        tool_schema(Api::Messages, &tool),
        json!({ "name": "list", "description": "Lists a folder.", "input_schema": parameters }),
        "Messages has no `type`, and its own word for the schema"
    );
}

#[test]
fn test_ch9_strict_is_said_where_it_can_be() {
    let tool = ToolDefinition {
        name: "t",
        description: "",
        parameters: closed_object(json!({ "path": { "type": "string" } })),
    };
    assert_eq!(
        tool_schema(Api::Responses, &tool)["strict"],
        json!(true),
        "this schema is one that the API can hold a model to"
    );
}

#[test]
fn test_ch9_schemas_come_in_one_order() {
    let none = Registry::new().schemas(Api::Messages);
    assert_eq!(none, Vec::<Value>::new(), "without tools, no schemas");
    let registry = registry(&["write", "bash", "read"]);
    let names = |api| {
        let schemas = registry.schemas(api);
        let name = |one: &Value| {
            one.pointer("/function/name")
                .unwrap_or(&one["name"])
                .clone()
        };
        schemas.iter().map(name).collect::<Vec<_>>()
    };
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        assert_eq!(
            names(api),
            ["bash", "read", "write"],
            "all tools, in the order of the names, for {api:?}"
        );
    }
    let engine = QueryEngine::builder(MockProvider::new([])).tools(registry.tool_set());
    let sent: Vec<&str> = engine.definitions().iter().map(|d| d.name).collect();
    assert_eq!(
        sent,
        registry.names(),
        "the engine of chapter 4 sends them in the registry's order"
    );
}

#[tokio::test]
async fn test_ch9_the_offline_server_takes_all_three() {
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        let (status, said) = ask(api, &Registry::new().schemas(api)).await;
        assert_eq!(
            status, 200,
            "no tools are fine too; the server says: {said}"
        );
    }
    let mut registry = registry(&["bash", "list"]);
    let strict = closed_object(json!({ "url": { "type": "string" } }));
    add(
        &mut registry,
        DynamicTool::new("mcp__web__fetch", "Fetches.", strict, |_| async {
            Ok(ToolResult::text(""))
        }),
    );
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        let answer = ask(api, &registry.schemas(api)).await;
        assert_eq!(
            answer.0, 200,
            "the server takes the tools of {api:?}; it says: {}",
            answer.1
        );
        assert!(
            answer.1.to_string().contains(r#""list""#),
            "and the model calls `list`, which it was offered; it says: {}",
            answer.1
        );
    }
}

// 9.7 The nearest name

#[test]
fn test_ch9_names_are_folded() {
    for (name, expected) in [
        ("read", "read"),
        ("Read", "read"),
        ("multi_edit", "multiedit"),
        ("MultiEdit", "multiedit"),
        ("multi-edit ", "multiedit"),
        ("functions.Multi Edit", "multiedit"),
        ("default_api:read", "read"),
        ("tools/read", "read"),
        ("mcp__git__log2", "mcpgitlog2"),
        ("GRÖSSE", "grösse"),
        ("read.", ""),
        ("", ""),
    ] {
        assert_eq!(
            folded(name),
            expected,
            "{name:?}, folded: letters and digits behind the last `.`, `:` or `/`, in lower case"
        );
    }
}

#[test]
fn test_ch9_slips_are_counted() {
    for (one, other, expected) in [
        ("read", "read", Some(0)),
        ("lst", "list", Some(1)),
        ("lisst", "list", Some(1)),
        ("lost", "list", Some(1)),
        ("edti", "edit", Some(1)),
        ("multiedt", "multiedit", Some(1)),
        ("mlutiedt", "multiedit", Some(2)),
        // More than a third of the longer one: another word.
        ("rd", "read", None),
        ("bush", "grep", None),
        ("cat", "bash", None),
        ("ls", "list", None),
        ("a", "b", None),
        ("", "", Some(0)),
        ("größe", "grösse", Some(2)),
    ] {
        assert_eq!(slips(one, other), expected, "from {one:?} to {other:?}");
        assert_eq!(
            slips(other, one),
            expected,
            "from {other:?} to {one:?} are as many as back"
        );
    }
    let endless = "read".repeat(250_000);
    assert_eq!(
        slips(&endless, "read"),
        None,
        "a million letters are not four; the lengths alone say so"
    );
}

#[test]
fn test_ch9_the_nearest_name() {
    for (name, expected) in [
        ("Read", Some("read")),
        ("READ", Some("read")),
        ("multi-edit", Some("multi_edit")),
        ("MultiEdit", Some("multi_edit")),
        ("functions.grep", Some("grep")),
        ("lst", Some("list")),
        ("gerp", Some("grep")),
        ("globb", Some("glob")),
        ("wirte", Some("write")),
        ("read_fil", None),
        ("deploy", None),
        ("", None),
        ("!?", None),
    ] {
        assert_eq!(nearest(name, &STANDARD), expected, "what {name:?} may mean");
    }
    assert_eq!(nearest("read", &[]), None, "without tools, nothing is near");
}

#[test]
fn test_ch9_aliases_are_understood() {
    for (name, expected) in [
        ("shell", Some("bash")),
        ("run", Some("bash")),
        ("Run_Command", Some("bash")),
        ("cat", Some("read")),
        ("open", Some("read")),
        ("ReadFile", Some("read")),
        ("ls", Some("list")),
        ("rg", Some("grep")),
        ("str_replace", Some("edit")),
        ("functions.create_file", Some("write")),
        ("find", Some("glob")),
    ] {
        assert_eq!(
            nearest(name, &STANDARD),
            expected,
            "what {name:?} is elsewhere"
        );
    }
    assert_eq!(
        nearest("shell", &["read", "write"]),
        None,
        "a tool that is not there is no suggestion"
    );
    assert_eq!(
        nearest("shell", &["bash", "shelf"]),
        Some("bash"),
        "an alias is a word that was meant, a slip only looks like one"
    );
    assert_eq!(
        nearest("Shell", &["bash", "shell"]),
        Some("shell"),
        "but a tool that has the very name is nearer than any alias"
    );
    assert_eq!(
        nearest("shell", &["read", "shelf"]),
        Some("shelf"),
        "where the alias's tool is missing, slips count"
    );
}

#[test]
fn test_ch9_the_nearest_does_not_depend_on_the_order() {
    for known in [["lint", "list"], ["list", "lint"]] {
        assert_eq!(
            nearest("lixt", &known),
            Some("lint"),
            "both are one slip away; the first by name is taken, in whatever order they are known: {known:?}"
        );
    }
    for known in [["read_file", "read"], ["read", "read_file"]] {
        assert_eq!(
            nearest("readfile", &known),
            Some("read_file"),
            "equal once folded comes before everything else, in {known:?}"
        );
        assert_eq!(nearest("reed", &known), Some("read"), "in {known:?}");
    }
}

// 9.8 Some of the tools

#[test]
fn test_ch9_the_read_only_tools() {
    assert_eq!(
        Registry::new().read_only().names(),
        [""; 0],
        "of no tools, none"
    );
    let mut registry = Registry::new();
    for (name, flags) in [
        ("bash", [false, false, true]),
        ("grep", [true, true, false]),
        ("list", [true, false, false]),
        ("write", [false, true, false]),
    ] {
        let parameters = object(json!({}));
        let tool = DynamicTool::new(name, "", parameters, |_| async { Ok(ToolResult::text("")) });
        let tool = if flags[0] { tool.read_only() } else { tool };
        let tool = if flags[1] {
            tool.concurrent_safe()
        } else {
            tool
        };
        let tool = if flags[2] { tool.destructive() } else { tool };
        add(&mut registry, tool);
    }
    assert_eq!(
        registry.read_only().names(),
        ["grep", "list"],
        "those that say of themselves that they change nothing; `write` is concurrent-safe, which is something else"
    );
    assert_eq!(registry.len(), 4, "the registry itself stays as it is");
}

#[test]
fn test_ch9_patterns_choose() {
    for (patterns, expected) in [
        (&["read"] as &[&str], &["read"] as &[&str]),
        (&["write", "read"], &["read", "write"]),
        (&["mcp__*"], &["mcp__git__log", "mcp__web__fetch"]),
        (&["mcp__git__*", "bash"], &["bash", "mcp__git__log"]),
        (&["*rite", "r?ad"], &["read", "write"]),
        (&["{read,write}"], &["read", "write"]),
        (&[" read ", "\tbash"], &["bash", "read"]),
        (&["read", "read"], &["read"]),
        (
            &["*"],
            &["bash", "mcp__git__log", "mcp__web__fetch", "read", "write"],
        ),
    ] {
        assert_eq!(chosen(patterns), expected, "chosen by {patterns:?}");
    }
    assert_eq!(
        chosen(&[]),
        [""; 0],
        "no pattern names no tool: whoever gives no list gets no tools by accident"
    );
}

#[test]
fn test_ch9_patterns_take_away() {
    for (patterns, expected) in [
        (
            &["!bash"] as &[&str],
            &["mcp__git__log", "mcp__web__fetch", "read", "write"] as &[&str],
        ),
        (&["!mcp__*", "!bash"], &["read", "write"]),
        (&["*", "!mcp__*"], &["bash", "read", "write"]),
        (&["! bash", "!  mcp__*"], &["read", "write"]),
        // The last one that matches decides.
        (
            &["!mcp__*", "mcp__git__log"],
            &["bash", "mcp__git__log", "read", "write"],
        ),
        (&["mcp__*", "!mcp__web__*"], &["mcp__git__log"]),
        (&["bash", "!bash"], &[]),
        (&["bash", "!bash", "!read"], &[]),
        (
            &["!bash", "bash"],
            &["bash", "mcp__git__log", "mcp__web__fetch", "read", "write"],
        ),
        (&["read", "!bash"], &["read"]),
    ] {
        assert_eq!(chosen(patterns), expected, "chosen by {patterns:?}");
    }
}

#[test]
fn test_ch9_a_pattern_that_matches_nothing_is_an_error() {
    for (pattern, hint) in [
        ("wriet", "did you mean `write`?"),
        ("Bash", "did you mean `bash`?"),
        ("!bsh", "did you mean `bash`?"),
        ("shell", "did you mean `bash`?"),
        ("mpc__*", ""),
        ("", ""),
        ("!", ""),
    ] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "without tools, {pattern:?} matches nothing"
        );
        for patterns in [vec![pattern], vec!["read", pattern], vec![pattern, "read"]] {
            let Err(error) = mixed().matching(&patterns) else {
                panic!("{pattern:?} matches no tool, and {patterns:?} was taken all the same");
            };
            let said = error.to_string();
            let bare = pattern.trim_start_matches('!');
            assert!(
                said.contains(bare) && said.contains(hint),
                "the error names the pattern {bare:?} and says {hint:?}; it says: {said}"
            );
            assert!(
                said.contains("mcp__web__fetch") && said.contains("write"),
                "the error lists the tools that there are; it says: {said}"
            );
        }
    }
}

#[test]
fn test_ch9_a_pattern_that_is_none_is_an_error() {
    for pattern in ["[", "{read", "![a-"] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "{pattern:?} is no glob, whatever the tools"
        );
        let Err(error) = mixed().matching(&[pattern]) else {
            panic!("{pattern:?} is no glob, and was taken all the same");
        };
        let said = format!("{error:#}");
        assert!(
            said.contains(&format!("`{}`", pattern.trim_start_matches('!'))),
            "the error names the pattern {pattern:?}; it says: {said}"
        );
    }
}

// 9.9 A word to the model

#[tokio::test]
async fn test_ch9_a_wrong_name_gets_a_hint() {
    for (name, hint) in [
        ("Read", "did you mean `read`?"),
        ("shell", "did you mean `bash`?"),
        ("raed", "did you mean `read`?"),
    ] {
        let said = answer_to(name).await;
        assert!(
            said.starts_with("error: there is no tool") && said.contains("bash, list, read"),
            "first what chapter 3 says of {name:?}; the model reads: {said}"
        );
        assert!(
            said.ends_with(&format!("\n\n{hint}")),
            "and behind it, as a note, {hint:?}; the model reads: {said}"
        );
    }
}

#[tokio::test]
async fn test_ch9_without_a_near_name_there_is_no_hint() {
    for name in ["deploy", "", "write"] {
        let said = answer_to(name).await;
        assert!(
            said.starts_with("error: there is no tool") && !said.contains("did you mean"),
            "no tool there comes near {name:?}, and a bad hint is worse than none; the model reads: {said}"
        );
    }
}

#[tokio::test]
async fn test_ch9_a_guess_is_not_run() {
    let special = Special::default();
    let runs = special.runs.clone();
    let tools = ToolSet::new().with(special);
    let said = dispatched(tools, "Special").await;
    assert!(said.contains("did you mean `special`?"), "{said}");
    assert_eq!(
        runs.load(Ordering::SeqCst),
        0,
        "the hint is for the model to act on: nothing runs on a guess"
    );
}

// 9.10 The standard tools

#[test]
fn test_ch9_the_standard_tools() {
    let folder = Folder::new(&[]);
    let registry = standard(&folder);
    assert_eq!(
        registry.names(),
        STANDARD,
        "the tools of chapters 3, 6, 7 and 8"
    );
    assert_eq!(
        registry.read_only().names(),
        ["glob", "grep", "list", "read"],
        "those that only look"
    );
}

#[tokio::test]
async fn test_ch9_the_standard_tools_work_in_the_folder() {
    let folder = Folder::new(&["notes.txt"]);
    let tools = standard(&folder).tool_set();
    let run = async |name: &str, arguments: Value| {
        let call = ToolCall {
            id: "a".into(),
            name: name.into(),
            arguments,
        };
        execute(&tools, &call).await.content
    };
    for (name, arguments) in [
        ("list", json!({})),
        ("glob", json!({ "pattern": "*.txt" })),
        ("bash", json!({ "command": "ls" })),
    ] {
        let said = run(name, arguments).await;
        assert!(
            said.contains("notes.txt"),
            "`{name}` works in the folder that `standard` was given; it says: {said}"
        );
    }
    let said = run("grep", json!({ "pattern": "in notes" })).await;
    assert!(said.contains("notes.txt"), "`grep` looks there too: {said}");
}

#[tokio::test]
async fn test_ch9_the_file_tools_share_what_was_read() {
    let folder = Folder::new(&["notes.txt"]);
    let tools = standard(&folder).tool_set();
    let run = async |name: &str, arguments: Value| {
        let call = ToolCall {
            id: "a".into(),
            name: name.into(),
            arguments,
        };
        execute(&tools, &call).await.content
    };
    let edit =
        json!({ "path": "notes.txt", "old_string": "in notes", "new_string": "out of notes" });
    let read = run("read", json!({ "path": "notes.txt" })).await;
    assert!(read.contains("in notes.txt"), "`read` reads: {read}");
    let said = run("edit", edit).await;
    assert!(
        !said.starts_with("error: "),
        "`edit` must know what `read` has read: one workspace for all of them; it says: {said}"
    );
    let edits = json!([{ "old_string": "out of", "new_string": "about" }]);
    let said = run("multi_edit", json!({ "path": "notes.txt", "edits": edits })).await;
    assert!(
        !said.starts_with("error: "),
        "`multi_edit` must know what `edit` has written; it says: {said}"
    );
    let said = run("write", json!({ "path": "notes.txt", "content": "new\n" })).await;
    assert!(
        !said.starts_with("error: "),
        "and so must `write`; it says: {said}"
    );
    let text = std::fs::read_to_string(folder.path().join("notes.txt")).expect("it is there");
    assert_eq!(text, "new\n", "the file on disk");
}

#[tokio::test]
async fn test_ch9_every_api_takes_the_standard_tools() {
    let folder = Folder::new(&[]);
    let registry = standard(&folder);
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        let (status, said) = ask(api, &registry.schemas(api)).await;
        assert_eq!(status, 200, "the tools of {api:?}; the server says: {said}");
    }
}

// Tools

/// The names of the standard tools, in order.
const STANDARD: [&str; 8] = [
    "bash",
    "edit",
    "glob",
    "grep",
    "list",
    "multi_edit",
    "read",
    "write",
];

/// A tool that differs from the defaults in everything.
#[derive(Default)]
struct Special {
    definition: Option<ToolDefinition>,
    flags: [bool; 3],
    runs: Arc<AtomicUsize>,
}

#[async_trait]
impl Tool for Special {
    fn definition(&self) -> &ToolDefinition {
        static SPECIAL: std::sync::LazyLock<ToolDefinition> = std::sync::LazyLock::new(|| {
            ToolDefinition::new("special", "Is special.").param("path", "string", "What.", false)
        });
        self.definition.as_ref().unwrap_or(&SPECIAL)
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        anyhow::ensure!(args["path"] != "broken", "the tool is broken");
        Ok(ToolResult::text(args.to_string()))
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        match args["path"] == "bad" {
            true => refusal(),
            false => ValidationResult::Ok,
        }
    }

    fn is_read_only(&self) -> bool {
        self.flags[0]
    }

    fn is_concurrent_safe(&self) -> bool {
        self.flags[1]
    }

    fn is_destructive(&self) -> bool {
        self.flags[2]
    }

    fn summary(&self, args: &Value) -> String {
        format!("special of {}", args["path"].as_str().unwrap_or("nothing"))
    }

    fn activity_description(&self, _args: &Value) -> Option<String> {
        Some("Being special...".into())
    }
}

fn refusal() -> ValidationResult {
    ValidationResult::Error {
        message: "this path is bad".into(),
        code: 77,
    }
}

/// A tool with this name that answers with a fixed text.
struct Fixed {
    definition: ToolDefinition,
    text: &'static str,
}

#[async_trait]
impl Tool for Fixed {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(self.text))
    }
}

fn answering(name: &'static str, text: &'static str) -> Fixed {
    Fixed {
        definition: ToolDefinition::new(name, "Answers."),
        text,
    }
}

fn noop(name: &'static str) -> Fixed {
    answering(name, "")
}

// Schemas

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// An object schema that requires all its properties and admits no other.
fn closed_object(properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().expect("an object").keys().collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}

fn assert_not_strict(schema: &Value, because: &str) {
    assert!(
        !is_strict(schema),
        "{because}, so the API would refuse to hold a model to it: {schema}"
    );
}

fn definition(name: &str, parameters: Value) -> ToolDefinition {
    ToolDefinition {
        name: String::from(name).leak(),
        description: "",
        parameters,
    }
}

fn assert_admissible(name: &str, schema: Value) {
    if let Err(error) = admissible(&definition(name, schema.clone())) {
        panic!("every API takes {name:?} with the schema {schema}, and it was refused: {error:#}");
    }
}

/// What is said of a tool that no API takes.
fn refused(name: &str, schema: Value) -> String {
    match admissible(&definition(name, schema.clone())) {
        Ok(()) => panic!("{name:?} with the schema {schema} fails a whole request, and was taken"),
        Err(error) => format!("{error:#}"),
    }
}

// Registries

fn add(registry: &mut Registry, tool: impl Tool + 'static) {
    if let Err(error) = registry.add(tool) {
        panic!("nothing is wrong with this tool, and it was refused: {error:#}");
    }
}

fn registry(names: &[&'static str]) -> Registry {
    let mut registry = Registry::new();
    names.iter().for_each(|name| add(&mut registry, noop(name)));
    registry
}

fn mixed() -> Registry {
    registry(&["write", "read", "mcp__web__fetch", "mcp__git__log", "bash"])
}

fn chosen(patterns: &[&str]) -> Vec<&'static str> {
    let none = Registry::new().matching(&[""; 0]);
    assert!(none.is_ok(), "of no tools, no pattern chooses none");
    match mixed().matching(patterns) {
        Ok(subset) => subset.names(),
        Err(error) => panic!("{patterns:?} should choose, and is an error: {error:#}"),
    }
}

fn standard(folder: &Folder) -> Registry {
    Registry::standard(folder.path()).expect("every API takes the standard tools")
}

/// What a model reads that calls a tool of this name, with `bash`, `list` and `read` there.
async fn answer_to(name: &str) -> String {
    let tools = ["read", "bash", "list"];
    let tools = tools.into_iter().map(noop);
    dispatched(tools.fold(ToolSet::new(), ToolSet::with), name).await
}

async fn dispatched(tools: ToolSet, name: &str) -> String {
    let dispatcher = Dispatcher {
        tools,
        gates: vec![Box::new(DidYouMean)],
        max_result_bytes: 1000,
        max_concurrent: 1,
    };
    let call = ToolCall {
        id: "a".into(),
        name: name.into(),
        arguments: json!({}),
    };
    let mut open = [OpenCall::new(call)];
    dispatcher.dispatch(&mut open, &Events::nowhere()).await;
    open[0].settle(1000).content
}

// The offline model

/// Sends a request with these tools to the offline server: the status and the body.
async fn ask(api: Api, tools: &[Value]) -> (u16, Value) {
    let server = claw_offline::Server::start()
        .await
        .expect("the offline model starts");
    let messages = json!([{ "role": "user", "content": "list the files here" }]);
    let (path, body) = match api {
        Api::ChatCompletions => ("chat/completions", json!({ "messages": messages })),
        Api::Responses => ("responses", json!({ "input": messages })),
        Api::Messages => (
            "messages",
            json!({ "messages": messages, "max_tokens": 100 }),
        ),
    };
    let mut body = body;
    body["model"] = json!("m");
    body["tools"] = json!(tools);
    let address = server.url().trim_start_matches("http://").to_string();
    let request = format!(
        "POST /v1/{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\nanthropic-version: 2023-06-01\r\n\
         content-length: {}\r\n\r\n{body}",
        body.to_string().len()
    );
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream
            .write_all(request.as_bytes())
            .expect("the server reads");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server answers");
        answer
    });
    let answer = answer.await.expect("the client comes to its end");
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let body = serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {answer}"));
    (status.expect("a status"), body)
}

// Folders

/// A folder of its own, removed when it goes. Each file's text is `in ` and its name.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[&str]) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let name = format!("claw-ch9-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a new folder");
        for file in files {
            std::fs::write(folder.join(file), format!("in {file}\n")).expect("a new file");
        }
        Self(folder)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
