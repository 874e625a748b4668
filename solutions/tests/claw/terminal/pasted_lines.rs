//! Which lines are one prompt.

use super::{claw, claw_in, last_prompt};
use crate::support::{ScriptedServer, Terminal, Workspace};

/// `claw` in a terminal without a cursor, where no line is edited.
fn dumb_claw(server: &ScriptedServer) -> Option<(Workspace, Terminal)> {
    claw_in(server, 100, "TERM=dumb")
}

#[test]
fn a_paste_is_part_of_the_prompt_until_enter() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.paste("fix this:\n\n  one \\\n  /exit\n");
    terminal.wait_for("  /exit");
    assert_eq!(server.requests().len(), 0, "a paste is not sent");
    terminal.line("now");
    terminal.wait_for("One.\n\n>");
    let expected = "fix this:\n\n  one \\\n  /exit\nnow";
    assert_eq!(last_prompt(&server), expected);
}

#[test]
fn a_paste_has_no_length_limit() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    let long = "x".repeat(6009);
    terminal.paste(&long);
    terminal.key("Enter");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), long);
}

#[test]
fn lines_pasted_into_a_dumb_terminal_are_one_prompt() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = dumb_claw(&server) else {
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
    terminal.line("second");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "first \nsecond");
}

#[test]
fn a_backslash_continues_the_line_of_a_dumb_terminal() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = dumb_claw(&server) else {
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
    terminal.text("too");
    terminal.wait_for("too");
    terminal.key("C-c");
    terminal.wait_for("\n(Ctrl-D ends claw)");
    terminal.line("kept");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "kept");
}

#[test]
fn a_command_pasted_before_a_prompt_is_not_part_of_it() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = dumb_claw(&server) else {
        return;
    };
    terminal.paste("/help\nhello\n");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "hello");
}

#[test]
fn a_line_that_the_terminal_cuts_off_is_not_sent() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = dumb_claw(&server) else {
        return;
    };
    terminal.line(&"x".repeat(6009));
    terminal.wait_for("a terminal takes 4095 bytes a line");
    terminal.line("hello");
    terminal.wait_for("One.\n\n>");
    assert_eq!(server.requests().len(), 1);
    assert_eq!(last_prompt(&server), "hello");
}
