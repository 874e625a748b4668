//! Which calls run without a question, where no user can answer.

use std::fs;

use claw_offline::{Reply, Script};
use serde_json::json;

use crate::support::{ScriptedServer, Workspace};

/// The option for the mode that users get without any option.
const DEFAULT: [&str; 2] = ["--permission-mode", "default"];

#[test]
fn a_call_that_needs_a_question_is_refused_outside_a_terminal() {
    let workspace = Workspace::new();
    let run = workspace
        .claw(&[&DEFAULT[..], &["--offline", "-p", "run touch made"]].concat())
        .run()
        .fails(3, "--allow 'bash(touch made)'");
    assert!(
        !workspace.path().join("made").exists(),
        "nothing ran: {run:?}"
    );
    assert!(
        run.stdout.contains("can't ask"),
        "the model was told: {run:?}"
    );
}

#[test]
fn no_rule_is_offered_for_what_a_rule_can_not_say() {
    let workspace = Workspace::new();
    let prompt = ["--offline", "-p", "run touch made; touch other"];
    let run = workspace.claw(&[&DEFAULT[..], &prompt].concat()).run();
    let run = run.fails(
        3,
        "No rule allows only this; to be asked, run claw in a terminal",
    );
    assert!(!run.stderr.contains("--allow"), "{run:?}");
}

/// The start of the call shows its diff, but opening a named pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn a_write_to_a_named_pipe_is_refused_at_once() {
    let write = json!({ "path": "fifo", "content": "x" });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "write", write)]))
        .reply(Reply::text("Done."));
    let server = ScriptedServer::new(script);
    let workspace = Workspace::new();
    let fifo = workspace.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.is_ok_and(|it| it.success()), "every Unix has `mkfifo`");
    let claw = workspace.claw(&["--permission-mode", "default", "-p", "go"]);
    claw.asks(&server).run().fails(3, "nobody can be asked");
}

#[test]
fn a_read_only_tool_runs_without_a_question() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let arguments = [&DEFAULT[..], &["--offline", "-p", "read notes.txt"]].concat();
    let run = workspace.claw(&arguments).run().succeeds();
    assert!(run.stdout.contains("alpha"), "{run:?}");
}

#[test]
fn a_rule_allows_its_calls_and_no_others() {
    let workspace = Workspace::new();
    let ask = |prompt| {
        let rule = ["--allow", "bash(touch made *)", "--offline", "-p", prompt];
        workspace.claw(&[&DEFAULT[..], &rule].concat()).run()
    };
    ask("run touch made").succeeds();
    assert!(workspace.path().join("made").exists(), "the rule allows it");
    ask("run touch made; touch other").fails(3, "nobody can be asked");
    assert!(
        !workspace.path().join("other").exists(),
        "two commands are not one"
    );
}

#[test]
fn a_denied_call_does_not_run_in_any_mode_but_bypass() {
    for mode in ["default", "auto", "plan", "dont-ask"] {
        let workspace = Workspace::new();
        let options = ["--allow", "bash", "--deny", "bash(touch *)", "--offline"];
        let mode_options = ["--permission-mode", mode];
        let prompt = ["-p", "run touch made"];
        let run = workspace
            .claw(&[&mode_options[..], &options, &prompt].concat())
            .run();
        assert!(!workspace.path().join("made").exists(), "{mode}: {run:?}");
        assert_eq!(run.code, Some(0), "no question was needed: {run:?}");
    }
}

#[test]
fn auto_mode_edits_and_asks_about_commands() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let auto = ["--permission-mode", "auto", "--offline", "-p"];
    let prompt = "change alpha to beta in notes.txt";
    workspace
        .claw(&[&auto[..], &[prompt]].concat())
        .run()
        .succeeds();
    let text = fs::read_to_string(workspace.path().join("notes.txt")).expect("the file");
    assert_eq!(text, "beta\n", "an edit can be undone");
    let run = workspace.claw(&[&auto[..], &["run make"]].concat()).run();
    run.fails(3, "Allow [bash: make]?");
}

#[test]
fn plan_mode_changes_nothing() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let plan = [
        "--permission-mode",
        "plan",
        "--allow",
        "edit",
        "--offline",
        "-p",
    ];
    let prompt = "change alpha to beta in notes.txt";
    let run = workspace.claw(&[&plan[..], &[prompt]].concat()).run();
    let text = fs::read_to_string(workspace.path().join("notes.txt")).expect("the file");
    assert_eq!(text, "alpha\n", "{run:?}");
    assert!(
        run.stdout.contains("plan mode"),
        "the model was told: {run:?}"
    );
}

#[test]
fn invalid_rules_and_modes_are_errors() {
    let workspace = Workspace::new();
    let run = |option, value| {
        let arguments = [option, value, "--offline", "-p", "read x"];
        workspace.claw(&arguments).run()
    };
    run("--allow", "bash(ls").fails(2, "`bash(ls`");
    run("--deny", "").fails(2, "is not a pattern");
    run("--permission-mode", "yolo").fails(2, "expected default, auto, plan, dont-ask or bypass");
}

/// What `claw permissions explain` prints.
fn explain(arguments: &[&str]) -> String {
    let command = ["permissions", "explain"];
    let claw = Workspace::new().claw(&[&command[..], arguments].concat());
    claw.run().succeeds().stdout
}

#[test]
fn explain_says_what_would_happen_and_why() {
    assert_eq!(
        explain(&["bash", "cargo test"]),
        "The call runs if you agree: no rule matches, and mode `default` allows only read-only \
         tools.\nTo run it without a question: --allow 'bash(cargo test)'\n"
    );
    assert_eq!(
        explain(&["bash", "git push", "--deny", "bash(git push *)"]),
        "The call does not run: the rule `bash(git push *)` denies it.\n"
    );
    let edit = explain(&["edit", "src/main.rs"]);
    assert!(edit.ends_with("--allow 'edit(src/main.rs)'\n"), "{edit}");
    let two = explain(&["bash", "make; rm x"]);
    assert!(!two.contains("--allow"), "no rule allows only this: {two}");
    assert_eq!(
        explain(&["read", "src/main.rs"]),
        "The call runs: no rule matches, and mode `default` allows only read-only tools.\n"
    );
}

#[cfg(all(unix, feature = "ch11"))]
#[test]
fn explain_shows_what_a_safety_check_has_found() {
    let asks = explain(&["bash", "rm -rf x"]);
    let question = "The question: Allow [bash: rm -rf x]? it may delete data or stop programs";
    assert!(asks.contains(question), "{asks}");
    let denies = explain(&["edit", "../x"]);
    let reason = "The reason: `../x` leads out of the workspace";
    assert!(denies.contains(reason), "{denies}");
}

#[test]
fn a_rule_for_a_tool_that_does_not_exist_is_reported() {
    let workspace = Workspace::new();
    let rules = [
        "--deny",
        "Bash(rm *)",
        "--allow",
        "mcp__*",
        "--deny",
        "bash (rm *)",
    ];
    let run = workspace
        .claw(&[&rules[..], &["--offline", "-p", "hello"]].concat())
        .run();
    let message = "the rule `Bash(rm *)` has no effect: there is no tool `Bash`";
    assert!(run.stderr.contains(message), "{run:?}");
    assert_eq!(run.stderr.matches("has no effect").count(), 1, "{run:?}");
}

#[test]
fn explain_names_the_tools_for_an_unknown_one() {
    let run = Workspace::new()
        .claw(&["permissions", "explain", "rm"])
        .run();
    run.fails(2, "there is no tool `rm`; the tools are bash, ");
}
