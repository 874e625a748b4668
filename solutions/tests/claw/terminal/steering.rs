//! Lines that are typed while a turn runs.

use claw_offline::{Fault, Reply, Script};
use serde_json::json;

use super::claw;
use crate::support::{ScriptedServer, Terminal, Workspace, prompts};

/// A turn whose first tool call waits for the file `go`, before a second one. The replies
/// after it are these.
fn waiting_turn(replies: &[&str]) -> Option<(Workspace, ScriptedServer, Terminal)> {
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.02; done" });
    let calls = [("a", "bash", wait), ("b", "list", json!({}))];
    let script = Script::new().reply(Reply::tool_calls(calls));
    let script = replies
        .iter()
        .fold(script, |script, text| script.reply(Reply::text(text)));
    let server = ScriptedServer::new(script);
    let (workspace, terminal) = claw(&server)?;
    terminal.line("paint it red");
    terminal.wait_for("[bash: until");
    Some((workspace, server, terminal))
}

#[test]
fn a_line_is_sent_at_the_next_tool_boundary() {
    let Some((workspace, server, terminal)) = waiting_turn(&["In blue, then."]) else {
        return;
    };
    terminal.line("no, blue");
    terminal.wait_for("(queued, for the next step: no, blue)");
    workspace.write("go", "");
    terminal.wait_for("> no, blue\nIn blue, then.\n");
    let body = server.body(1);
    assert_eq!(prompts(&body), ["paint it red", "no, blue"]);
    let skipped = "Skipped due to queued user message";
    assert!(body.to_string().contains(skipped), "{body:#}");
}

#[test]
fn a_line_after_then_is_sent_when_the_turn_is_done() {
    let replies = ["In red.", "And tested."];
    let Some((workspace, server, terminal)) = waiting_turn(&replies) else {
        return;
    };
    terminal.line("/then test it");
    terminal.wait_for("(queued, for when this is done: test it)");
    workspace.write("go", "");
    terminal.wait_for("In red.\n> test it\nAnd tested.\n");
    assert_eq!(prompts(&server.body(1)), ["paint it red"]);
    assert_eq!(prompts(&server.body(2)), ["paint it red", "test it"]);
}

#[test]
fn a_line_is_sent_before_one_after_then() {
    let replies = ["In blue, then.", "And tested."];
    let Some((workspace, server, terminal)) = waiting_turn(&replies) else {
        return;
    };
    terminal.line("/then test it");
    terminal.wait_for("(queued, for when this is done: test it)");
    terminal.line("no, blue");
    terminal.wait_for("(queued, for the next step: no, blue)");
    workspace.write("go", "");
    terminal.wait_for("> no, blue\nIn blue, then.\n> test it\nAnd tested.\n");
    let expected = ["paint it red", "no, blue", "test it"];
    assert_eq!(prompts(&server.body(2)), expected);
}

#[test]
fn queued_lines_are_dropped_when_the_turn_is_stopped() {
    let long = Reply::text("word ".repeat(400));
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 4000 }, long)
        .reply(Reply::text("Never asked."));
    let server = ScriptedServer::new(script);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("speak");
    terminal.wait_for("word word");
    terminal.line("shorter, please");
    terminal.wait_for("(queued, for the next step: shorter, please)");
    terminal.key("C-c");
    terminal.wait_for("(not sent: shorter, please)");
    terminal.wait_for("(stopped)");
    terminal.line("/exit");
    terminal.wait_for("code-0");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn control_d_during_a_turn_ends_claw_after_it() {
    let Some((workspace, _server, terminal)) = waiting_turn(&["All done."]) else {
        return;
    };
    terminal.key("C-d");
    terminal.wait_for("(claw ends when this is done; Ctrl-C stops it)");
    workspace.write("go", "");
    terminal.wait_for("All done.");
    terminal.wait_for("code-0");
}

#[test]
fn exit_during_a_turn_ends_claw_after_it() {
    let Some((workspace, _server, terminal)) = waiting_turn(&["All done."]) else {
        return;
    };
    terminal.line("/exit");
    terminal.wait_for("(claw ends when this is done; Ctrl-C stops it)");
    workspace.write("go", "");
    terminal.wait_for("All done.");
    terminal.wait_for("code-0");
}

#[test]
fn the_end_of_a_conversation_says_how_to_resume_it() {
    let server = ScriptedServer::replies(["Hello."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("hello");
    terminal.wait_for("Hello.\n\n>");
    terminal.key("C-d");
    terminal.wait_for("continues this conversation.");
}

#[test]
fn a_prompt_that_is_not_sent_is_shown_in_full() {
    let Some((_workspace, _server, terminal)) = waiting_turn(&[]) else {
        return;
    };
    let long = format!("shorter, please: {}the-very-end", "word ".repeat(40));
    terminal.line(&long);
    terminal.wait_for("(queued,");
    terminal.key("C-c");
    terminal.wait_for("(stopped)");
    terminal.wait_for("the-very-end)");
}

#[test]
fn a_line_that_is_sent_in_plan_mode_says_so() {
    let Some((workspace, server, terminal)) = waiting_turn(&["I only look."]) else {
        return;
    };
    terminal.line("/plan");
    terminal.wait_for("(plan mode is on");
    terminal.line("look first");
    terminal.wait_for("(queued, for the next step: look first)");
    workspace.write("go", "");
    terminal.wait_for("I only look.");
    let sent = prompts(&server.body(1));
    let prompt = sent.last().expect("a prompt");
    assert!(
        prompt.starts_with("look first\n\nPlan mode is on:"),
        "{sent:?}"
    );
}

#[cfg(unix)]
#[test]
fn esc_stops_the_turn_while_a_hook_reads_a_line() {
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.02; done" });
    let script = Script::new().reply(Reply::tool_calls([("a", "bash", wait)]));
    let server = ScriptedServer::new(script);
    let workspace = Workspace::new();
    let hook = "if [ -e slow ]; then echo x >begun; sleep 1000; fi";
    let hook = json!({ "type": "command", "command": hook, "timeout": 300 });
    let hooks = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [hook] }] } });
    workspace.write("hooks.json", hooks.to_string());
    let url = server.base_url();
    let options = format!("--hooks hooks.json --base-url {url} --model scripted");
    let Some(terminal) = Terminal::claw(&workspace, &options) else {
        return;
    };
    terminal.line("work");
    terminal.wait_for("[bash: until");
    workspace.write("slow", "");
    terminal.line("no, blue");
    workspace.wait_for("begun", "x");
    terminal.key("Escape");
    terminal.wait_for("(stopped)");
}
