//! Plan mode and the todo list, where no user can answer.

use std::fs;

use claw_offline::{Reply, Script};
use serde_json::json;

use crate::support::{ScriptedServer, Workspace, prompts};

const PLAN: [&str; 3] = ["--permission-mode", "plan", "--offline"];

/// The content of `notes.txt`.
fn notes(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.path().join("notes.txt")).expect("the file")
}

#[test]
fn a_plan_that_nobody_reviews_is_printed_and_the_exit_code_is_3() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let prompt = "plan to change alpha to beta in notes.txt, then run cat notes.txt";
    let run = workspace.claw(&[&PLAN[..], &["-p", prompt]].concat()).run();
    let run = run.fails(3, "the plan is not approved, since nobody can be asked");
    let plan = "The plan:\n1. edit `notes.txt`\n2. run `cat notes.txt`\n";
    assert!(run.stdout.contains(plan), "{run:?}");
    assert_eq!(notes(&workspace), "alpha\n", "nothing has changed");
}

#[test]
fn no_rule_lets_a_call_run_in_plan_mode() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let rules = ["--allow", "bash", "--allow", "edit", "-p"];
    for prompt in [
        "run touch made",
        "run cat notes.txt",
        "change alpha to beta in notes.txt",
    ] {
        let run = workspace.claw(&[&PLAN[..], &rules, &[prompt]].concat());
        let run = run.run().succeeds();
        assert!(run.stdout.contains("plan mode is on"), "{prompt}: {run:?}");
    }
    assert!(!workspace.path().join("made").exists(), "no command ran");
    assert_eq!(notes(&workspace), "alpha\n", "no edit was made");
}

#[test]
fn plan_mode_reads() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let run = workspace.claw(&[&PLAN[..], &["-p", "read notes.txt"]].concat());
    let run = run.run().succeeds();
    assert!(run.stdout.contains("alpha"), "{run:?}");
}

#[test]
fn a_plan_outside_of_plan_mode_is_an_error_for_the_model() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let run = workspace.claw(&["--offline", "-p", "plan to read notes.txt"]);
    let run = run.run().succeeds();
    assert!(run.stdout.contains("plan mode is off"), "{run:?}");
    assert!(!run.stdout.contains("The plan:"), "{run:?}");
}

#[test]
fn the_model_reads_that_plan_mode_is_on_and_that_it_is_over() {
    let server = ScriptedServer::replies(["one", "two", "three", "four"]);
    let workspace = Workspace::new();
    let claw = workspace.claw(&["--permission-mode", "plan"]).asks(&server);
    let run = claw.run_with("first\nsecond\n/plan off\nthird\nfourth\n");
    run.succeeds();
    let sent = prompts(&server.last_body());
    let [first, second, third, fourth] = sent.as_slice() else {
        panic!("four prompts: {sent:?}");
    };
    for prompt in [first, second] {
        assert!(prompt.contains("\n\nPlan mode is on: "), "{prompt}");
    }
    assert!(third.starts_with("third\n\nPlan mode is over: "), "{third}");
    assert_eq!(fourth, "fourth", "it is said once");
}

#[test]
fn a_line_begins_and_ends_plan_mode() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let claw = workspace.claw(&["--offline"]);
    let input = "/plan\nrun touch one\n/plan off\nrun touch two\n";
    let run = claw.run_with(input).succeeds();
    assert!(!workspace.path().join("one").exists(), "{run:?}");
    assert!(
        workspace.path().join("two").exists(),
        "the mode is that of before, which runs everything: {run:?}"
    );
}

/// A script that writes a list, and then lists the folder this often.
fn list_script(lists: usize) -> Script {
    let items = json!([
        { "content": "read\nthe code", "status": "in_progress" },
        { "content": "write tests", "status": "pending" },
    ]);
    let calls = json!({ "items": items });
    let mut script = Script::new().reply(Reply::tool_calls([("t", "todo", calls)]));
    for _ in 0..lists {
        script = script.reply(Reply::tool_calls([("l", "list", json!({}))]));
    }
    script.reply(Reply::text("Done."))
}

#[test]
fn the_list_is_shown_when_it_changes_and_on_request() {
    let server = ScriptedServer::new(list_script(0));
    let workspace = Workspace::new();
    let claw = workspace.claw(&["--permission-mode", "default"]);
    let run = claw
        .asks(&server)
        .run_with("/todos\nwork\n/todos\n")
        .succeeds();
    let list = "  [>] read the code\n  [ ] write tests\n";
    assert_eq!(run.stdout.matches(list).count(), 2, "{run:?}");
    assert!(run.stdout.contains("(no todos)"), "at first: {run:?}");
}

#[test]
fn a_forgotten_list_is_in_the_result_of_the_tenth_call() {
    let server = ScriptedServer::new(list_script(11));
    let workspace = Workspace::new();
    let claw = workspace.claw(&["-p", "work"]).asks(&server);
    claw.run().succeeds();
    let body = server.last_body();
    let messages = body["messages"].as_array().expect("messages").iter();
    let results = messages.filter(|it| it["role"] == "tool");
    let results: Vec<bool> = results
        .map(|it| it["content"].as_str().expect("text").contains("Reminder: "))
        .collect();
    let reminded: Vec<usize> = (0..results.len()).filter(|at| results[*at]).collect();
    assert_eq!(reminded, [10], "the list is result 0: {results:?}");
}
