//! `claw sessions --show`: one session, as text or as JSON Lines.

use claw_code_solutions::session::SessionHistory;

use crate::support::Workspace;

/// A workspace with a session of one tool call.
fn workspace() -> Workspace {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    workspace.ask("list the files here");
    workspace
}

fn show(workspace: &Workspace, arguments: &[&str]) -> String {
    let arguments = [&["sessions", "--show"], arguments].concat();
    workspace.claw(&arguments).run().succeeds().stdout
}

#[test]
fn a_session_is_shown_with_numbered_messages() {
    let shown = show(&workspace(), &[]);
    assert!(shown.starts_with("Session "), "{shown}");
    for part in [
        ", 4 messages since ",
        "\n\n1 user\n  list the files here\n",
        "\n  ● list {",
        "\n3 tool (list)\n  notes.txt\n",
    ] {
        assert!(shown.contains(part), "{part:?}: {shown}");
    }
}

#[test]
fn a_failed_call_is_shown_as_one() {
    let workspace = Workspace::with(&[("f", "error: x\n")]);
    workspace.ask("run cat f");
    assert!(show(&workspace, &[]).contains("\n3 tool (bash)\n  error: x\n"));
    assert!(!show(&workspace, &["--jsonl"]).contains("is_error"));

    workspace.ask("read none.txt");
    let row = "\n3 tool (read)\n  error: there is no `none.txt` in the root folder\n";
    assert!(show(&workspace, &[]).contains(row));
    assert!(show(&workspace, &["--jsonl"]).contains("\"is_error\":true"));
}

#[test]
fn the_numbers_are_those_of_a_search() {
    let workspace = workspace();
    let found = workspace.claw(&["sessions", "notes"]).run().stdout;
    let hit = found.lines().find(|line| line.ends_with("[notes].txt"));
    let number = hit.expect("a hit").split_whitespace().nth(2);
    let heading = format!("\n{} tool (list)\n", number.expect("a number"));
    let shown = show(&workspace, &[]);
    assert!(shown.contains(&heading), "{heading:?}: {shown}");
}

#[test]
fn a_session_is_shown_by_the_beginning_of_its_id() {
    let workspace = workspace();
    let latest = show(&workspace, &[]);
    let id = latest.split(' ').nth(1).expect("an id");
    assert_eq!(show(&workspace, &[&id[..3]]), latest);
}

#[test]
fn an_unknown_id_is_an_error() {
    let run = workspace().claw(&["sessions", "--show", "zz"]).run();
    run.fails(2, "begins with `zz`; `claw sessions` lists them");
}

#[test]
fn control_characters_are_left_out() {
    let workspace = Workspace::new();
    workspace.ask("one\ttwo\nbefore\u{1b}[31mred\rgone");
    let shown = show(&workspace, &[]);
    let text = "\n  one\ttwo\n  before[31mredgone\n";
    assert!(shown.contains(text), "{shown:?}");
    let is_safe = |it: char| !it.is_control() || ['\n', '\t'].contains(&it);
    assert!(shown.chars().all(is_safe), "{shown:?}");
}

#[test]
fn json_lines_are_the_stored_messages() {
    let workspace = workspace();
    let history = SessionHistory::open(workspace.database()).expect("a history");
    let id = history.latest().expect("a history").expect("a session");
    let session = history.load(&id).expect("the session");
    let messages = session.messages.iter();
    let lines = messages.map(|it| serde_json::to_string(it).expect("JSON") + "\n");
    assert_eq!(show(&workspace, &["--jsonl"]), lines.collect::<String>());
}

#[test]
fn claw_convert_reads_the_json_lines() {
    let workspace = workspace();
    let lines = show(&workspace, &["--jsonl"]);
    let claw = workspace.claw(&["convert", "--from", "chat", "--to", "agent"]);
    let converted = claw.run_with(&lines).succeeds();
    assert_eq!(converted.stdout.lines().count(), 4, "{converted:?}");
}

#[test]
fn a_folder_without_sessions_has_nothing_to_show() {
    let run = Workspace::new().claw(&["sessions", "--show", "--jsonl"]);
    run.run().fails(2, "this folder has no sessions yet");
}
