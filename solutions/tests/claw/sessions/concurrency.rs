//! Several processes that use one database.

use claw_offline::{Reply, Script};
use rusqlite::Connection;
use serde_json::json;

use crate::support::{ScriptedServer, Workspace};

/// Waits for the file `go`.
const WAIT_FOR_GO: &str = "until [ -e go ]; do sleep 0.02; done";

#[test]
fn a_session_that_two_processes_continue_becomes_two() {
    let workspace = Workspace::new();
    workspace.ask("the beginning");
    let wait = json!({ "command": format!("echo now > here; {WAIT_FOR_GO}") });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "bash", wait)]))
        .reply(Reply::text("That took long."));
    let server = ScriptedServer::new(script);
    let slow = workspace.claw(&["--resume", "-p", "the slow way"]);
    let slow = slow.asks(&server).start();
    workspace.wait_for("here", "now");
    let quick = ["--offline", "--resume", "-p", "the quick way"];
    workspace.claw(&quick).run().succeeds();
    workspace.write("go", "");
    let slow = slow.finish().succeeds();
    let message = "another process continues this session";
    assert!(slow.stderr.contains(message), "{slow:?}");
    let list = workspace.claw(&["sessions"]).run().stdout;
    assert_eq!(list.matches("the beginning").count(), 2, "{list}");
}

/// Locks the database against other writers, until the connection is dropped.
fn lock(workspace: &Workspace) -> Connection {
    let connection = Connection::open(workspace.database()).expect("a database");
    let begun = connection.execute_batch("BEGIN IMMEDIATE");
    begun.expect("no other writer");
    connection
}

#[test]
fn a_conversation_beside_another_writer_reports_that_it_is_not_saved() {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    workspace.ask("hello");
    let lock = lock(&workspace);
    let claw = workspace.claw(&["--offline", "-p", "list the files here"]);
    let run = claw.run();
    assert!(run.stdout.contains("notes.txt"), "{run:?}");
    assert_eq!(run.code, Some(1), "{run:?}");
    let name = workspace.database().display().to_string();
    let expected = format!(
        "claw: not saved yet: another process is writing to {name}\n\
         claw: this conversation is not saved: another process is writing to {name}\n"
    );
    assert_eq!(run.stderr, expected);
    drop(lock);
    let list = workspace.claw(&["sessions"]).run().stdout;
    assert_eq!(list.lines().count(), 2, "{list}");
}

#[test]
fn messages_that_waited_for_another_writer_are_saved_later() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let lock = lock(&workspace);
    let prompt = format!("run {WAIT_FOR_GO}");
    let claw = workspace.claw(&["--offline", "-p", &prompt]);
    let running = claw.stderr_to("messages").start();
    workspace.wait_for("messages", "not saved yet");
    drop(lock);
    workspace.write("go", "");
    running.finish().succeeds();
    assert_eq!(workspace.read("messages").lines().count(), 1);
    let list = workspace.claw(&["sessions"]).run().stdout;
    assert!(list.contains("4 messages  run until"), "{list}");
}
