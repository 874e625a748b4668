//! A `claw` that is killed, and the session that it leaves.

use claw_offline::{Fault, Reply, Script};
use serde_json::json;

use crate::support::{ScriptedServer, Workspace, messages, prompts};

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
