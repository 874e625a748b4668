//! What a single prompt prints for scripts.

use claw_offline::{Fault, Reply, Script};
use serde_json::{Value, json};

use crate::support::{Run, ScriptedServer, Workspace};

/// The lines of standard output, each of which is JSON.
fn lines(run: &Run) -> Vec<Value> {
    let lines = run.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {run:?}")))
        .collect()
}

#[test]
fn json_is_one_object_with_the_result() {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    let arguments = [
        "--offline",
        "--output-format",
        "json",
        "-p",
        "read notes.txt",
    ];
    let run = workspace.claw(&arguments).run().succeeds();
    let [mut result] = lines(&run).try_into().expect("one line");
    let fields = result.as_object_mut().expect("an object");
    let session = fields.remove("session_id").expect("a field");
    let usage = fields.remove("usage").expect("a field");
    assert!(fields.remove("duration_ms").is_some_and(|it| it.is_u64()));
    let text = fields.remove("result").expect("a field");
    assert!(
        text.as_str().is_some_and(|it| it.contains("milk")),
        "{text}"
    );
    let rest = json!({
        "type": "result", "is_error": false, "error": null, "stop_reason": "stop",
        "lacked_permission": false,
    });
    assert_eq!(result, rest);
    assert!(usage["output"].as_u64().is_some_and(|it| it > 0), "{usage}");
    let session = session.as_str().expect("an id");
    let shown = workspace.claw(&["sessions", "--show", session]).run();
    assert!(shown.succeeds().stdout.contains("read notes.txt"));
}

#[test]
fn stream_json_has_every_event_and_then_the_result() {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    let arguments = [
        "--offline",
        "--output-format",
        "stream-json",
        "-p",
        "read notes.txt",
    ];
    let run = workspace.claw(&arguments).run().succeeds();
    let lines = lines(&run);
    let types: Vec<&str> = lines.iter().filter_map(|it| it["type"].as_str()).collect();
    assert_eq!(types.first(), Some(&"AgentStart"), "{types:?}");
    assert_eq!(
        &types[types.len() - 2..],
        ["AgentEnd", "result"],
        "{types:?}"
    );
    assert!(types.contains(&"ToolExecutionEnd"), "{types:?}");
    assert!(!types.contains(&"MessageUpdate"), "{types:?}");
}

#[test]
fn a_failure_is_in_the_object_and_in_the_exit_code() {
    let refused = Fault::Status {
        status: 401,
        retry_after: None,
        body: "no".into(),
    };
    let script = Script::new().fault(refused);
    let server = ScriptedServer::new(script);
    let arguments = ["--no-session", "--output-format", "json", "-p", "go"];
    let run = Workspace::new().claw(&arguments).asks(&server).run();
    let [result] = lines(&run).try_into().expect("one line");
    assert_eq!(result["is_error"], true, "{result}");
    assert_eq!(result["session_id"], Value::Null, "{result}");
    assert!(result["error"].is_string(), "{result}");
    assert_eq!(run.code, Some(1), "{run:?}");
}

#[test]
fn a_refused_call_is_in_the_object() {
    let calls = [("a", "bash", json!({ "command": "touch x" }))];
    let script = Script::new()
        .reply(Reply::tool_calls(calls))
        .reply(Reply::text("Refused."));
    let server = ScriptedServer::new(script);
    let arguments = [
        "--permission-mode",
        "default",
        "--output-format",
        "json",
        "-p",
        "go",
    ];
    let run = Workspace::new().claw(&arguments).asks(&server).run();
    let [result] = lines(&run).try_into().expect("one line");
    assert_eq!(result["lacked_permission"], true, "{result}");
    assert_eq!(result["result"], "Refused.", "{result}");
    assert_eq!(run.code, Some(3), "{run:?}");
}

#[test]
fn a_conversation_has_no_output_format() {
    let run = Workspace::new()
        .claw(&["--offline", "--output-format", "json"])
        .run();
    run.fails(2, "--prompt");
}

#[cfg(unix)]
#[test]
fn a_prompt_that_a_hook_blocks_says_so() {
    let hook = json!({ "type": "command", "command": "echo no >&2; exit 2" });
    let settings = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [hook] }] } });
    let workspace = Workspace::with(&[("hooks.json", &settings.to_string())]);
    let arguments = [
        "--offline",
        "--hooks",
        "hooks.json",
        "--output-format",
        "json",
        "-p",
        "go",
    ];
    let run = workspace.claw(&arguments).run();
    let [result] = lines(&run).try_into().expect("one line");
    assert_eq!(result["error"], "a hook blocked the prompt", "{result}");
    assert_eq!(run.code, Some(1), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_prompt_that_is_interrupted_says_so() {
    let server = ScriptedServer::new(Script::new().fault(Fault::StallBeforeHeaders));
    let arguments = ["--no-session", "--output-format", "json", "-p", "go"];
    let running = Workspace::new().claw(&arguments).asks(&server).start();
    crate::support::wait_until(|| server.requests().len() == 1);
    running.interrupt();
    let run = running.finish();
    let [result] = lines(&run).try_into().expect("one line");
    assert_eq!(result["error"], "the prompt was stopped", "{result}");
    assert_eq!(
        run.code,
        Some(130),
        "128 plus the number of SIGINT: {run:?}"
    );
}
