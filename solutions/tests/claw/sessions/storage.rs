//! What is saved, and where.

use std::fs;
use std::path::Path;

use claw_code_solutions::session::SessionHistory;
use claw_offline::{Reply, Script};

use crate::support::{ScriptedServer, Workspace};

#[test]
fn a_conversation_is_saved_as_one_session() {
    let workspace = Workspace::new();
    let lines = "hello\nlist the files here\n";
    workspace.claw(&["--offline"]).run_with(lines).succeeds();
    let history = SessionHistory::open(workspace.database()).expect("a history");
    let [session] = history.list().expect("a list").try_into().expect("one");
    assert_eq!(session.messages, 6, "{session:?}");
}

#[test]
fn the_end_and_the_cost_of_a_conversation_are_saved() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let history = SessionHistory::open(workspace.database()).expect("a history");
    let id = history.latest().expect("a history").expect("a session");
    let (session, _) = history.resume(&id).expect("a session");
    assert!(session.ended_at.is_some(), "{session:?}");
    assert!(session.usage.is_some(), "{session:?}");
}

#[test]
fn a_session_that_resumes_itself_keeps_its_cost() {
    let workspace = Workspace::new();
    let script = Script::new()
        .reply(Reply::text("One.").usage(10, 1))
        .reply(Reply::text("Two.").usage(20, 2));
    let server = ScriptedServer::new(script);
    let claw = workspace.claw(&[]).asks(&server);
    claw.run_with("first\n/resume\nsecond\n").succeeds();
    let history = SessionHistory::open(workspace.database()).expect("a history");
    let id = history.latest().expect("a history").expect("a session");
    let (session, _) = history.resume(&id).expect("a session");
    assert_eq!(session.total_usage().output, 3, "{session:?}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_has_access_to_the_sessions() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new();
    workspace.ask("hello");
    let folder = workspace.home().join("sessions");
    let mode = fs::metadata(folder).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

#[test]
fn the_option_no_session_saves_nothing() {
    let workspace = Workspace::new();
    let arguments = ["--offline", "--no-session", "-p", "hello"];
    workspace.claw(&arguments).run().succeeds();
    assert!(workspace.databases().is_empty());
}

#[test]
fn without_a_prompt_nothing_is_saved() {
    let workspace = Workspace::new();
    for arguments in [&["--version"][..], &["sessions"]] {
        workspace.claw(arguments).run().succeeds();
    }
    workspace
        .claw(&["--offline"])
        .run_with("/help\n")
        .succeeds();
    assert!(workspace.databases().is_empty());
}

#[test]
fn sessions_are_saved_in_the_users_data_folder() {
    assert_saved_in("data", "data/claw");
}

#[test]
fn a_data_folder_with_a_relative_path_is_ignored() {
    assert_saved_in("", "user/.local/share/claw");
}

/// Asserts in which folder a session is saved if `XDG_DATA_HOME` is the folder `data`, or, if
/// that is empty, a relative path.
#[track_caller]
fn assert_saved_in(data: &str, expected: &str) {
    let workspace = Workspace::new();
    let data = match data {
        "" => Path::new("not/absolute").to_path_buf(),
        data => workspace.path().join(data),
    };
    let mut claw = workspace.claw(&["--offline", "-p", "hello"]);
    claw.command.env_remove("CLAW_HOME");
    let claw = claw.env("HOME", workspace.path().join("user"));
    claw.env("XDG_DATA_HOME", data).run().succeeds();
    let saved = fs::read_dir(workspace.path().join(expected).join("sessions"));
    assert_eq!(saved.expect("a folder").count(), 1);
}
