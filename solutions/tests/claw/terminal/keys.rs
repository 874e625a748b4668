//! Ctrl-C and Ctrl-D.

use claw_offline::{Fault, Reply, Script};

use super::claw;
use crate::support::ScriptedServer;

#[test]
fn control_c_and_escape_stop_the_turn_and_the_conversation_goes_on() {
    for key in ["C-c", "Escape"] {
        assert_stops_the_turn(key);
    }
}

#[track_caller]
fn assert_stops_the_turn(key: &str) {
    let long = "All work and no play makes a dull model. ".repeat(40);
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 1500 }, Reply::text(long))
        .reply(Reply::text("The second answer is complete."));
    let server = ScriptedServer::new(script);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("say something long");
    terminal.wait_for("no play makes");
    terminal.key(key);
    terminal.wait_for("(stopped)");
    terminal.line("and now something short");
    terminal.wait_for("The second answer is complete.\n\n>");
    let body = server.last_body().to_string();
    for prompt in ["say something long", "and now something short"] {
        assert!(body.contains(prompt), "{prompt}: {body}");
    }
}

#[test]
fn control_c_at_the_prompt_says_how_to_end() {
    let server = ScriptedServer::rules();
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.key("C-c");
    terminal.wait_for("\n(Ctrl-D ends claw)");
    terminal.key("C-d");
    terminal.wait_for("code-0");
}

#[test]
fn a_line_that_was_not_entered_is_not_sent() {
    let server = ScriptedServer::replies(["Never asked."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("remove all \\");
    terminal.text("half a li");
    terminal.wait_for("half a li");
    terminal.key("C-d");
    terminal.wait_for("half a li");
    terminal.key("C-c");
    terminal.wait_for("(Ctrl-D ends claw)");
    terminal.key("C-d");
    terminal.wait_for("code-0");
    assert_eq!(server.requests().len(), 0);
}
