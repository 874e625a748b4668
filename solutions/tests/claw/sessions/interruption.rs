//! A `claw` that is killed, and the session that it leaves.

use std::path::Path;
use std::time::{Duration, Instant};

use claw_offline::{Fault, Reply, Script};
use serde_json::json;

use crate::support::{Running, ScriptedServer, Workspace, messages, prompts, wait_until};

/// A workspace whose `claw` was killed while its second tool call of three ran. The server's
/// next reply is `Interrupted, I see.`
fn killed_during_a_tool_call() -> (Workspace, ScriptedServer) {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    let script = Script::new()
        .reply(Reply::text("I look.").and_tool_calls([("a", "list", json!({}))]))
        .reply(Reply::text("And now I wait.").and_tool_calls([
            (
                "b",
                "bash",
                json!({ "command": "echo now > here; sleep 60" }),
            ),
            ("c", "list", json!({})),
        ]))
        .reply(Reply::text("Interrupted, I see."));
    let server = ScriptedServer::new(script);
    let claw = workspace.claw(&["-p", "look and wait"]);
    let running = claw.asks(&server).start();
    workspace.wait_for("here", "now");
    running.kill();
    (workspace, server)
}

#[test]
fn a_kill_during_a_tool_call_loses_no_complete_message() {
    let (workspace, server) = killed_during_a_tool_call();
    let claw = workspace.claw(&["--resume", "-p", "go on"]);
    let run = claw.asks(&server).run();
    assert_eq!(run.stdout, "Interrupted, I see.\n", "{run:?}");
    let sent = messages(&server.last_body());
    let roles: Vec<&str> = sent.iter().map(|(role, _)| role.as_str()).collect();
    let expected = "user assistant tool assistant tool tool user";
    assert_eq!(roles.join(" "), expected, "{sent:#?}");
    assert!(sent[2].1.contains("notes.txt"), "{sent:#?}");
}

#[test]
fn lost_results_get_placeholders() {
    let (workspace, server) = killed_during_a_tool_call();
    let claw = workspace.claw(&["--resume", "-p", "go on"]);
    claw.asks(&server).run().succeeds();
    for (_, text) in &messages(&server.last_body())[4..6] {
        let placeholder = "was lost when the session was interrupted";
        assert!(text.contains(placeholder), "{text}");
    }
}

#[test]
fn the_summary_counts_the_lost_results_once() {
    let (workspace, server) = killed_during_a_tool_call();
    let summary = || workspace.claw(&["--resume"]).asks(&server).run().stdout;
    let first = summary();
    assert!(first.contains("6 messages since"), "{first}");
    assert!(first.contains("2 tool results were lost"), "{first}");
    let second = summary();
    assert!(second.contains("6 messages since"), "{second}");
    assert!(!second.contains("lost"), "{second}");
}

/// A workspace with a database that runs `sql` before it stores a reply with calls.
fn with_trigger_for_calls(sql: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let database = rusqlite::Connection::open(workspace.database()).expect("a database");
    let trigger = format!(
        "CREATE TRIGGER calls BEFORE INSERT ON messages WHEN new.message LIKE '%tool_calls%'
         BEGIN SELECT {sql}; END;"
    );
    database.execute_batch(&trigger).expect("a trigger");
    workspace
}

/// SQL that takes much longer than a tool needs to start.
const SLOW: &str = "count(*) FROM (WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000) SELECT n FROM numbers)";

#[test]
fn a_call_whose_tool_has_started_survives_a_kill_at_any_moment() {
    let workspace = with_trigger_for_calls(SLOW);
    let mut started = 0;
    for round in 0..32 {
        let mark = format!("mark-{round}");
        let command = json!({ "command": format!("echo now > {mark}; sleep 60") });
        let script = Script::new()
            .reply(Reply::tool_calls([("a", "bash", command)]))
            .reply(Reply::text("Interrupted, I see."));
        let server = ScriptedServer::new(script);
        let running = workspace.claw(&["-p", "wait"]).asks(&server).start();
        let mark = workspace.path().join(mark);
        kill_around_the_mark(running, &server, &mark, round);
        if mark.exists() {
            started += 1;
            assert_placeholder_after_resume(&workspace, &server, round);
        }
    }
    assert!(started >= 24, "the tool started in {started} of 32 rounds");
}

/// Kills `claw` when the tool has made its mark. In every fourth round this happens at some
/// moment after the request, which may be earlier. Polls without a pause, so that the kill
/// comes soon after the tool's start.
fn kill_around_the_mark(running: Running, server: &ScriptedServer, mark: &Path, round: usize) {
    wait_until(|| !server.requests().is_empty());
    let deadline = Instant::now() + Duration::from_secs(30);
    let polls = match round % 4 {
        3 => round * 7919 % 100_000,
        _ => usize::MAX,
    };
    for _ in 0..polls {
        if mark.exists() {
            break;
        }
        assert!(Instant::now() < deadline, "the tool never started");
    }
    running.kill();
}

/// Asserts that a resumed conversation sends the model the call and its placeholder result.
#[track_caller]
fn assert_placeholder_after_resume(workspace: &Workspace, server: &ScriptedServer, round: usize) {
    let claw = workspace.claw(&["--resume", "-p", "go on"]);
    claw.asks(server).run().succeeds();
    let sent = messages(&server.last_body());
    let roles: Vec<&str> = sent.iter().map(|(role, _)| role.as_str()).collect();
    let expected = "user assistant tool user";
    assert_eq!(roles.join(" "), expected, "round {round}: {sent:#?}");
    let placeholder = "was lost when the session was interrupted";
    assert!(sent[2].1.contains(placeholder), "round {round}: {sent:#?}");
}

#[test]
fn a_tool_whose_call_cannot_be_saved_starts_after_the_error_message() {
    let slow_error = format!("RAISE(FAIL, 'no calls here') WHERE (SELECT {SLOW}) > 0");
    let workspace = with_trigger_for_calls(&slow_error);
    let claw = workspace.claw(&["--offline", "-p", "run cp errors seen"]);
    claw.stderr_to("errors").run().fails(1, "");
    let seen = workspace.read("seen");
    for part in ["not saved yet", "no calls here"] {
        assert!(seen.contains(part), "{part}: {seen:?}");
    }
}

#[test]
fn a_kill_during_a_reply_keeps_the_prompt() {
    let workspace = Workspace::new();
    let long = Reply::text("word ".repeat(400));
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 4000 }, long)
        .reply(Reply::text("Here I am."));
    let server = ScriptedServer::new(script);
    let claw = workspace.claw(&["-p", "speak"]).asks(&server);
    let running = claw.stdout_to("shown").start();
    workspace.wait_for("shown", "word word");
    running.kill();
    let claw = workspace.claw(&["--resume", "-p", "go on"]);
    let run = claw.asks(&server).run();
    assert_eq!(run.stdout, "Here I am.\n", "{run:?}");
    assert_eq!(messages(&server.last_body()).len(), 2);
    assert_eq!(prompts(&server.last_body()), ["speak", "go on"]);
}
