//! Which lines are one prompt.

use super::claw;
use crate::support::{ScriptedServer, prompts};

/// The prompt that the server was sent last.
fn last_prompt(server: &ScriptedServer) -> String {
    let prompts = prompts(&server.last_body());
    prompts.into_iter().next_back().expect("a prompt")
}

#[test]
fn lines_pasted_together_are_one_prompt() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.paste("fix this:\n\n  one \\\n  /exit\n");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "fix this:\n\n  one \\\n  /exit");
}

#[test]
fn a_backslash_continues_the_line() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("first \\");
    terminal.wait_for("> first \\\n…");
    terminal.line("second");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "first \nsecond");
}

#[test]
fn control_c_discards_an_unfinished_prompt() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("dropped \\");
    terminal.wait_for("> dropped \\\n…");
    terminal.key("C-c");
    terminal.wait_for("\n(Ctrl-D ends claw)");
    terminal.line("kept");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "kept");
}

#[test]
fn a_command_pasted_before_a_prompt_is_not_part_of_it() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.paste("/help\nhello\n");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "hello");
}

#[test]
fn a_line_that_the_terminal_cuts_off_is_not_sent() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line(&"x".repeat(6009));
    terminal.wait_for("a terminal takes 4095 bytes a line");
    terminal.line("hello");
    terminal.wait_for("One.\n\n>");
    assert_eq!(server.requests().len(), 1);
    assert_eq!(last_prompt(&server), "hello");
}
