//! Resuming a session in another process.

use claw_offline::{Reply, Script};
use serde_json::{Value, json};

use crate::support::{ScriptedServer, Workspace, messages};

#[test]
fn a_resumed_session_sends_the_whole_conversation() {
    let workspace = Workspace::new();
    let server = ScriptedServer::replies(["Nice to meet you, Ada.", "You are Ada."]);
    let first = workspace.claw(&["-p", "I am Ada."]).asks(&server).run();
    first.succeeds();
    let second = workspace.claw(&["--resume", "-p", "Who am I?"]);
    let second = second.asks(&server).run();
    assert_eq!(second.stdout, "You are Ada.\n", "{second:?}");
    let expected = [
        ("user", "I am Ada."),
        ("assistant", "Nice to meet you, Ada."),
        ("user", "Who am I?"),
    ];
    let expected = expected.map(|(role, text)| (role.to_string(), text.to_string()));
    assert_eq!(messages(&server.last_body()), expected);
}

#[test]
fn without_the_option_resume_a_session_is_new() {
    let workspace = Workspace::new();
    let server = ScriptedServer::replies(["One.", "Two."]);
    for prompt in ["first", "second"] {
        let claw = workspace.claw(&["-p", prompt]);
        claw.asks(&server).run().succeeds();
    }
    let sent = messages(&server.last_body());
    assert_eq!(sent, [("user".to_string(), "second".to_string())]);
}

#[test]
fn a_resumed_session_sends_the_same_messages_as_before() {
    for (api, field) in [
        ("completions", "messages"),
        ("responses", "input"),
        ("messages", "messages"),
    ] {
        let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
        let server = ScriptedServer::new(tool_call_script());
        for arguments in [&["-p", "read none.txt"][..], &["--resume", "-p", "sure?"]] {
            let arguments = [&["--api", api], arguments].concat();
            workspace.claw(&arguments).asks(&server).run().succeeds();
        }
        let [before, after] = [1, 2].map(|index| sent(&server.body(index)[field]));
        // The instructions of Chat Completions contain the date.
        let is_same = before[1..].iter().eq(&after[1..before.len()]);
        assert!(is_same, "{api}: {before:#?}, and then {after:#?}");
        let has_thinking = before.iter().any(|it| it.to_string().contains("mark"));
        assert_eq!(has_thinking, api != "completions", "{api}: {before:#?}");
    }
}

/// Two tool calls with thinking, then two replies.
fn tool_call_script() -> Script {
    let calls = [
        ("a", "list", json!({})),
        ("b", "read", json!({ "path": "none.txt" })),
    ];
    let thoughtful = Reply::text("I look.").thinking("Hm.", "mark");
    let thoughtful = thoughtful.redacted_thinking("DATA").and_tool_calls(calls);
    Script::new()
        .reply(thoughtful)
        .reply(Reply::text("One is missing."))
        .reply(Reply::text("Still."))
}

/// The messages without the marks of the prompt cache, which move from request to request.
fn sent(messages: &Value) -> Vec<Value> {
    let mut messages = messages.clone();
    remove_cache_marks(&mut messages);
    messages.as_array().expect("messages").clone()
}

fn remove_cache_marks(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(remove_cache_marks),
        Value::Object(fields) => {
            fields.remove("cache_control");
            fields.values_mut().for_each(remove_cache_marks);
        }
        _ => {}
    }
}

#[test]
fn a_resumed_session_knows_which_calls_failed() {
    let (same, none) = (json!("error: x"), Value::Null);
    for (api, calls, bare) in [
        ("completions", "/messages", false),
        ("responses", "/input", false),
        ("messages", "/messages", true),
    ] {
        let workspace = Workspace::with(&[("f", "error: x")]);
        workspace.ask("run cat f");
        workspace
            .claw(&["--offline", "--resume", "-p", "read none.txt"])
            .run()
            .succeeds();
        let server = ScriptedServer::replies(["Hello."]);
        let claw = workspace.claw(&["--api", api, "--resume", "-p", "hello"]);
        claw.asks(&server).run().succeeds();
        let body = server.last_body();
        let results = results(body.pointer(calls).expect("messages"));
        let prefix = if bare { "" } else { "error: " };
        let failure = json!(format!("{prefix}there is no `none.txt` in the root folder"));
        let flag = if bare { json!(true) } else { Value::Null };
        assert_eq!(
            results,
            [(same.clone(), none.clone()), (failure, flag)],
            "{api}: {body:#}"
        );
    }
}

/// The content of each tool result in a request, and the field that says that it failed.
fn results(messages: &Value) -> Vec<(Value, Value)> {
    let messages = messages.as_array().expect("messages").iter();
    let inner = messages.flat_map(|it| match it["content"].as_array() {
        Some(blocks) => blocks.clone(),
        None => vec![it.clone()],
    });
    let results = inner.filter_map(|it| {
        let content = match it["type"].as_str() {
            Some("tool_result") => &it["content"],
            Some("function_call_output") => &it["output"],
            None if it["role"] == "tool" => &it["content"],
            _ => return None,
        };
        Some((content.clone(), it["is_error"].clone()))
    });
    results.collect()
}

#[test]
fn a_session_is_resumed_by_the_beginning_of_its_id() {
    let workspace = Workspace::new();
    let server = ScriptedServer::rules();
    for prompt in ["the first", "the second"] {
        let claw = workspace.claw(&["-p", prompt]);
        claw.asks(&server).run().succeeds();
    }
    let list = workspace.claw(&["sessions"]).run().stdout;
    let row = list.lines().find(|row| row.ends_with("the first"));
    let id = &row.expect("a row")[..8];
    let claw = workspace.claw(&["--resume", id, "-p", "and the third"]);
    claw.asks(&server).run().succeeds();
    assert_eq!(messages(&server.last_body())[0].1, "the first");
}

#[test]
fn an_unknown_id_is_an_error() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let arguments = ["--offline", "--resume", "zzz", "-p", "hello"];
    let run = workspace.claw(&arguments).run();
    run.fails(2, "begins with `zzz`; `claw sessions` lists them");
}

#[test]
fn a_resumed_conversation_begins_with_a_summary() {
    let workspace = Workspace::new();
    let lines = "hello\nlist the files here\n";
    workspace.claw(&["--offline"]).run_with(lines).succeeds();
    let text = workspace.claw(&["--offline", "--resume"]).run().stdout;
    for part in ["6 messages since", "\n> list the files here\n"] {
        assert!(text.contains(part), "{part:?}: {text}");
    }
}
