//! The line editor of the prompt.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{claw, claw_in, last_prompt};
use crate::support::{ScriptedServer, Terminal, Workspace, prompts};

#[test]
fn keys_edit_the_line() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.text("delay two words");
    for key in ["Home", "C-Right", "BSpace", "End", "C-w"] {
        terminal.key(key);
    }
    terminal.line("lines");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "dela two lines");
}

#[test]
fn wide_characters_are_edited_at_every_width() {
    for columns in [12, 80, 200] {
        let server = ScriptedServer::replies(["One."]);
        let Some((_workspace, terminal)) = claw_in(&server, columns, "") else {
            return;
        };
        terminal.text("日本語のテキストを直すX");
        terminal.key("BSpace");
        for _ in 0..3 {
            terminal.key("Left");
        }
        terminal.line("🍯");
        terminal.wait_for("One.\n\n>");
        let expected = "日本語のテキスト🍯を直す";
        assert_eq!(last_prompt(&server), expected, "{columns} columns");
    }
}

#[test]
fn the_history_lasts_and_is_private() {
    let server = ScriptedServer::replies(["One.", "Two."]);
    let Some((workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("first \\");
    terminal.line("prompt");
    terminal.wait_for("One.\n\n>");
    terminal.key("C-d");
    terminal.wait_for("code-0");
    let file = workspace.home().join("history");
    let history = fs::read_to_string(&file).expect("the history");
    assert_eq!(history, "#V2\nfirst \\nprompt\n");
    let mode = fs::metadata(&file)
        .expect("the history")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "only its owner reads it");
    let terminal = Terminal::with_columns(&workspace, 100).expect("a second terminal");
    terminal.start_claw("", &format!("--base-url {} --model m", server.base_url()));
    terminal.key("Up");
    terminal.key("Enter");
    terminal.wait_for("Two.\n\n>");
    assert_eq!(prompts(&server.last_body()), ["first \nprompt"]);
}

#[cfg(feature = "ch20")]
#[test]
fn an_unsaved_conversation_leaves_no_history() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::claw(&workspace, "--offline --no-session") else {
        return;
    };
    terminal.line("hello");
    terminal.wait_for("Hello.");
    terminal.key("C-d");
    terminal.wait_for("code-0");
    assert!(!workspace.home().join("history").exists());
}

#[test]
fn tab_completes_commands_and_files() {
    let workspace = Workspace::with(&[("notes/plan.txt", "alpha\n")]);
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.text("read @no");
    terminal.key("Tab");
    terminal.wait_for("> read @notes/");
    terminal.key("Tab");
    terminal.wait_for("> read @notes/plan.txt");
    terminal.key("C-u");
    terminal.text("/he");
    terminal.key("Tab");
    terminal.wait_for("> /help");
    terminal.key("Enter");
    terminal.wait_for("Tab completes");
}

#[test]
fn fg_redraws_the_prompt() {
    let server = ScriptedServer::replies(["One."]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.text("half ");
    terminal.wait_for("> half");
    terminal.key("C-z");
    terminal.wait_for("code-");
    terminal.line("clear; echo shell-$((1 + 1)); fg");
    terminal.wait_for("shell-2");
    terminal.wait_for("> half");
    terminal.line("a prompt");
    terminal.wait_for("One.\n\n>");
    assert_eq!(last_prompt(&server), "half a prompt");
}
