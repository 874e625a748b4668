//! The review of a plan, and its answers.

use std::fs;

use crate::support::{Terminal, Workspace, wait_until};

/// `claw` with the offline model, in a terminal and in plan mode, which has proposed a plan.
fn proposed() -> Option<(Workspace, Terminal)> {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let terminal = Terminal::claw(&workspace, "--permission-mode plan --offline")?;
    terminal.line("plan to read notes.txt, then change alpha to beta in notes.txt");
    terminal.wait_for("Carry out this plan?");
    let screen = terminal.screen();
    let plan = "1. read `notes.txt`\n2. edit `notes.txt`";
    assert!(screen.contains(plan), "the plan is shown: {screen}");
    Some((workspace, terminal))
}

/// The content of `notes.txt`.
fn notes(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.path().join("notes.txt")).expect("the file")
}

#[test]
fn an_approved_plan_is_carried_out_with_the_permissions_of_before() {
    let Some((workspace, terminal)) = proposed() else {
        return;
    };
    terminal.line("y");
    terminal.wait_for("[>] read `notes.txt`");
    terminal.wait_for("Allow [edit: notes.txt]?");
    assert_eq!(notes(&workspace), "alpha\n", "mode `default` asks first");
    terminal.line("y");
    workspace.wait_for("notes.txt", "beta");
    terminal.wait_for("[x] edit `notes.txt`");
}

#[test]
fn a_rejected_plan_keeps_plan_mode_and_its_reason_reaches_the_model() {
    let Some((workspace, terminal)) = proposed() else {
        return;
    };
    terminal.line("n leave the notes alone");
    terminal.wait_for("the user rejected the plan: leave the notes alone");
    terminal.line("run touch made");
    terminal.wait_for("plan mode is on, and only these tools may run");
    assert!(!workspace.path().join("made").exists(), "no command ran");
}

#[test]
fn an_edited_plan_is_the_approved_one() {
    let Some((_workspace, terminal)) = proposed() else {
        return;
    };
    terminal.line("e");
    terminal.wait_for("approve the plan in the file");
    let screen = terminal.screen();
    let path = screen.split("The plan is in ").nth(1).expect("a path");
    let path = path.split(". Edit").next().expect("its end");
    let shown = fs::read_to_string(path).expect("the plan's file");
    assert!(shown.starts_with("1. read"), "{shown}");
    fs::write(path, "1. only read it").expect("the user's editor");
    terminal.key("Enter");
    terminal.wait_for("The user approved this plan of 15 bytes.");
}

#[test]
fn another_text_is_asked_again() {
    let Some((_workspace, terminal)) = proposed() else {
        return;
    };
    terminal.line("perhaps");
    wait_until(|| terminal.screen().matches("Carry out this plan?").count() == 2);
}

#[test]
fn ctrl_c_at_the_review_approves_nothing() {
    let Some((workspace, terminal)) = proposed() else {
        return;
    };
    terminal.key("C-c");
    terminal.wait_for("(stopped)");
    terminal.line("run touch made");
    terminal.wait_for("plan mode is on, and only these tools may run");
    assert!(!workspace.path().join("made").exists(), "no command ran");
}

#[test]
fn the_end_of_the_input_approves_nothing() {
    let Some((workspace, terminal)) = proposed() else {
        return;
    };
    terminal.key("C-d");
    terminal.wait_for("code-0");
    assert_eq!(notes(&workspace), "alpha\n", "nobody agreed");
}

#[cfg(feature = "ch20")]
#[test]
fn plan_mode_that_begins_during_a_turn_holds_for_its_next_call() {
    use claw_offline::{Reply, Script};
    use serde_json::json;

    let write = json!({ "path": "made", "content": "x" });
    let script = Script::new()
        .reply(Reply::tool_calls([(
            "a",
            "bash",
            json!({ "command": "cat fifo" }),
        )]))
        .reply(Reply::tool_calls([("a", "write", write)]))
        .reply(Reply::text("Done."));
    let server = crate::support::ScriptedServer::new(script);
    let Some((workspace, terminal)) = super::claw(&server) else {
        return;
    };
    let fifo = workspace.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.is_ok_and(|it| it.success()), "every Unix has `mkfifo`");
    terminal.line("work");
    terminal.wait_for("● [bash: cat fifo]");
    terminal.line("/plan");
    terminal.wait_for("(plan mode is on");
    fs::write(fifo, "now\n").expect("`cat` reads it");
    terminal.wait_for("plan mode is on, and only these tools may run");
    terminal.wait_for("Done.");
    assert!(
        !workspace.path().join("made").exists(),
        "nothing was written"
    );
}
