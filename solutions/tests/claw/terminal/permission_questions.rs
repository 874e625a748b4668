//! The question about a call, and its answers.

use std::fs;

use claw_offline::{Reply, Script};
use serde_json::{Value, json};

use crate::support::{ScriptedServer, Terminal, Workspace};

/// `claw` with the offline model, in a terminal and in mode `default`.
fn claw(files: &[(&str, &str)]) -> Option<(Workspace, Terminal)> {
    let workspace = Workspace::with(files);
    let terminal = Terminal::claw(&workspace, "--permission-mode default --offline")?;
    Some((workspace, terminal))
}

/// `claw` in mode `default`, prompted with a model that makes these calls and then says `Done.`
fn scripted_claw<const N: usize>(
    calls: [(&str, &str, Value); N],
) -> Option<(Workspace, ScriptedServer, Terminal)> {
    let script = Script::new()
        .reply(Reply::tool_calls(calls))
        .reply(Reply::text("Done."));
    let server = ScriptedServer::new(script);
    let workspace = Workspace::new();
    let url = server.base_url();
    let options = format!("--permission-mode default --base-url {url} --model m");
    let terminal = Terminal::claw(&workspace, &options)?;
    terminal.line("go");
    Some((workspace, server, terminal))
}

/// The text of a file.
fn text(workspace: &Workspace, name: &str) -> String {
    fs::read_to_string(workspace.path().join(name)).unwrap_or_default()
}

#[test]
fn yes_runs_the_call_once() {
    let Some((workspace, terminal)) = claw(&[]) else {
        return;
    };
    terminal.line("run echo one >> log");
    terminal.wait_for("Allow [bash: echo one >> log]?");
    assert_eq!(
        text(&workspace, "log"),
        "",
        "nothing runs before the answer"
    );
    terminal.line("y");
    workspace.wait_for("log", "one");
    terminal.wait_for("ran and printed nothing");
    terminal.line("run echo two >> log");
    terminal.wait_for("Allow [bash: echo two >> log]?");
    terminal.line("n");
    terminal.wait_for("the user refused");
    assert_eq!(
        text(&workspace, "log"),
        "one\n",
        "the second call was refused"
    );
}

#[test]
fn always_shows_its_rule_and_covers_it() {
    let Some((workspace, terminal)) = claw(&[]) else {
        return;
    };
    terminal.line("run sh -c \"echo one >> log\"");
    terminal.wait_for("always in this session: exactly this call");
    terminal.line("n");
    terminal.wait_for("the user refused");
    terminal.line("run mkdir first");
    terminal.wait_for("always in this session: calls that match bash(mkdir first)");
    terminal.line("a");
    terminal.wait_for("└ (no output)");
    fs::remove_dir(workspace.path().join("first")).expect("the folder");
    terminal.line("run mkdir first");
    crate::support::wait_until(|| workspace.path().join("first").exists());
}

#[cfg(feature = "ch12")]
#[test]
fn a_hook_is_notified_of_the_question() {
    let hook = r#"{"hooks": {"Notification": [{"matcher": "permission_prompt",
        "hooks": [{"type": "command", "command": "cat > note"}]}]}}"#;
    let workspace = Workspace::with(&[("hooks.json", hook)]);
    let options = "--permission-mode default --offline --hooks hooks.json";
    let Some(terminal) = Terminal::claw(&workspace, options) else {
        return;
    };
    terminal.line("run touch x");
    workspace.wait_for("note", "Allow [bash: touch x]?");
    // The hook runs before the question, which does not take what is typed before it.
    terminal.wait_for("Allow [bash: touch x]?");
    terminal.line("y");
    crate::support::wait_until(|| workspace.path().join("x").exists());
}

#[test]
fn a_reason_reaches_the_model() {
    let Some((_workspace, terminal)) = claw(&[]) else {
        return;
    };
    terminal.line("run touch x");
    terminal.wait_for("Allow [bash: touch x]?");
    terminal.line("n use touch y");
    terminal.wait_for("the user refused this call: use touch y");
}

#[test]
fn an_edit_shows_its_diff() {
    let Some((workspace, terminal)) = claw(&[("notes.txt", "alpha\n")]) else {
        return;
    };
    terminal.line("read notes.txt");
    terminal.wait_for("● [read: notes.txt]");
    terminal.line("change alpha to beta in notes.txt");
    terminal.wait_for("Allow [edit: notes.txt]?");
    let screen = terminal.screen();
    assert!(screen.contains("  -alpha\n  +beta\n"), "the diff: {screen}");
    terminal.line("y");
    workspace.wait_for("notes.txt", "beta");
}

#[test]
fn another_text_is_asked_again() {
    let Some((workspace, terminal)) = claw(&[]) else {
        return;
    };
    terminal.line("run touch x");
    terminal.wait_for("Allow [bash: touch x]?");
    terminal.line("perhaps");
    crate::support::wait_until(|| terminal.screen().matches("Allow [bash: touch x]?").count() == 2);
    assert!(
        !workspace.path().join("x").exists(),
        "`perhaps` is not an answer"
    );
}

#[test]
fn ctrl_c_at_the_question_refuses_the_call() {
    let Some((workspace, terminal)) = claw(&[]) else {
        return;
    };
    terminal.line("run touch x");
    terminal.wait_for("Allow [bash: touch x]?");
    terminal.key("C-c");
    terminal.wait_for("(stopped)");
    assert!(
        !workspace.path().join("x").exists(),
        "a cancelled question is a refusal"
    );
}

#[test]
fn the_end_of_the_input_refuses_the_call() {
    let Some((workspace, terminal)) = claw(&[]) else {
        return;
    };
    terminal.line("run touch x");
    terminal.wait_for("Allow [bash: touch x]?");
    terminal.key("C-d");
    terminal.wait_for("code-0");
    assert!(!workspace.path().join("x").exists(), "nobody agreed");
}

#[test]
fn a_paste_that_is_still_arriving_does_not_answer() {
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.02; done" });
    let touch = json!({ "command": "touch x" });
    let calls = [("a", "bash", wait), ("b", "bash", touch)];
    let Some((workspace, _server, terminal)) = scripted_claw(calls) else {
        return;
    };
    terminal.wait_for("reason for the model may follow");
    terminal.line("y");
    terminal.wait_for(" s\n");
    terminal.bytes(b"\x1b[200~one\ny\n");
    workspace.write("go", "");
    terminal.wait_for("(no output)");
    terminal.bytes(b"y\n\x1b[201~");
    terminal.wait_for("Allow [bash: touch x]?");
    terminal.line("n");
    terminal.wait_for("Done.");
    assert!(!workspace.path().join("x").exists(), "nobody agreed");
    terminal.wait_for("> one\n");
}

#[cfg(feature = "ch12")]
#[test]
fn the_question_of_a_hook_has_no_always() {
    let hook = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command",
        "command": "echo '{\"hookSpecificOutput\": {\"hookEventName\": \"PreToolUse\", \"permissionDecision\": \"ask\", \"permissionDecisionReason\": \"Production?\"}}'"}]}]}}"#;
    let workspace = Workspace::with(&[("hooks.json", hook)]);
    let options = "--permission-mode bypass --offline --hooks hooks.json";
    let Some(terminal) = Terminal::claw(&workspace, options) else {
        return;
    };
    terminal.line("run touch x");
    terminal.wait_for("n  no; a reason for the model may follow");
    let screen = terminal.screen();
    assert!(
        screen.contains("Production?") && !screen.contains("always"),
        "the hook asks again each time: {screen}"
    );
    terminal.line("a");
    crate::support::wait_until(|| terminal.screen().matches("Production?").count() == 2);
    terminal.line("y");
    crate::support::wait_until(|| workspace.path().join("x").exists());
}

#[test]
fn a_question_can_be_stopped_with_esc_and_ctrl_c() {
    for key in ["Escape", "C-c"] {
        let Some((workspace, terminal)) = claw(&[]) else {
            return;
        };
        terminal.line("run touch x");
        terminal.wait_for("reason for the model may follow");
        terminal.key(key);
        terminal.wait_for("(stopped)");
        let screen = terminal.screen();
        assert!(!screen.contains("can't ask"), "{key}: {screen}");
        assert!(!workspace.path().join("x").exists(), "{key}: nothing ran");
    }
}

#[test]
fn the_preview_shows_the_end_of_a_command_and_hidden_characters() {
    let echo: String = (0..60).map(|it| format!("echo step {it}\n")).collect();
    let command = format!("{echo}: \u{202e}safe\rrm -rf src");
    let call = json!({ "command": command });
    let Some((_workspace, _server, terminal)) = scripted_claw([("a", "bash", call)]) else {
        return;
    };
    terminal.wait_for("… 21 more lines");
    terminal.wait_for(": \\u{202e}safe\\rrm -rf src");
}
