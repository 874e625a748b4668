//! `claw sessions`: the list of a folder's sessions, and the search in them.

use crate::support::Workspace;

fn sessions(workspace: &Workspace, arguments: &[&str]) -> String {
    let arguments = [&["sessions"], arguments].concat();
    workspace.claw(&arguments).run().succeeds().stdout
}

#[test]
fn the_list_names_the_folder_and_begins_with_the_latest_session() {
    let workspace = Workspace::new();
    workspace.ask("the first");
    workspace.ask("the second");
    let list = sessions(&workspace, &[]);
    let heading = format!("Sessions of {}", workspace.canonical().display());
    assert!(list.starts_with(&heading), "{list}");
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{list}");
    assert!(rows[0].ends_with("2 messages  the second"), "{list}");
    assert!(rows[1].ends_with("2 messages  the first"), "{list}");
}

#[test]
fn the_list_shows_a_prompt_without_the_notice_of_plan_mode() {
    let workspace = Workspace::new();
    let arguments = ["--offline", "--permission-mode", "plan", "-p", "hello"];
    workspace.claw(&arguments).run().succeeds();
    let list = sessions(&workspace, &[]);
    assert!(list.ends_with("2 messages  hello\n"), "{list}");
}

#[test]
fn the_search_finds_messages_in_every_session() {
    let workspace = Workspace::new();
    workspace.ask("the first");
    let continued = ["--offline", "--resume", "-p", "and the third"];
    workspace.claw(&continued).run().succeeds();
    let list = sessions(&workspace, &[]);
    let id = &list.lines().nth(1).expect("a row")[..8];
    let found = sessions(&workspace, &["THIRD"]);
    assert!(found.contains(id), "{found}");
    assert!(found.contains("message    3  and the [third]"), "{found}");
}

#[test]
fn a_search_without_hits_says_so() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let found = sessions(&workspace, &["walnut"]);
    assert!(found.contains("No message of"), "{found}");
}

#[test]
fn a_folder_lists_only_its_own_sessions() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let other = Workspace::new();
    let in_other = |arguments: &[&str]| {
        let claw = other.claw(arguments);
        claw.env("CLAW_HOME", workspace.home()).run()
    };
    let list = in_other(&["sessions"]).succeeds().stdout;
    assert!(list.contains("No sessions of"), "{list}");
    let resumed = in_other(&["--offline", "--resume", "-p", "hi"]);
    resumed.fails(2, "this folder has no sessions yet");
}

const CALLS: [&[&str]; 4] = [
    &["sessions"],
    &["sessions", "hello"],
    &["sessions", "--show"],
    &["sessions", "--show", "--jsonl"],
];

#[test]
fn a_closed_pipe_is_not_an_error() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    for arguments in CALLS {
        let run = workspace.claw(arguments).closed_stdout().run();
        assert_eq!(run.succeeds().stderr, "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let workspace = Workspace::new();
    workspace.ask("hello");
    for arguments in CALLS {
        let run = workspace.claw(arguments).full_stdout().run();
        run.fails(1, "claw: cannot write to standard output: No space left");
    }
}
