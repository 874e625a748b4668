//! Colors, and the dimmed text of the model's thinking.

use crate::support::{Terminal, Workspace};

/// The screen, with its styles, after a single prompt under these environment variables.
fn styled_screen(settings: &str) -> Option<String> {
    let terminal = Terminal::open(&Workspace::new())?;
    let claw = env!("CARGO_BIN_EXE_claw");
    let prompt = "--offline -p 'list the files'";
    terminal.line(&format!("clear; {settings} {claw} {prompt}; echo ended"));
    terminal.wait_for("● [list: .]");
    terminal.wait_for("\nended");
    Some(terminal.styled_screen())
}

#[test]
fn a_terminal_gets_colors() {
    if let Some(screen) = styled_screen("") {
        assert!(screen.contains('\u{1b}'), "{screen:?}");
    }
}

#[test]
fn a_dumb_terminal_gets_no_colors() {
    if let Some(screen) = styled_screen("TERM=dumb") {
        assert!(!screen.contains('\u{1b}'), "{screen:?}");
    }
}

#[test]
fn no_color_turns_colors_off() {
    if let Some(screen) = styled_screen("NO_COLOR=1") {
        assert!(!screen.contains('\u{1b}'), "{screen:?}");
    }
}

#[test]
fn only_the_result_of_a_failed_call_is_red() {
    let workspace = Workspace::with(&[("f", "error: x\n")]);
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    for (prompt, row, is_red) in [
        ("run cat f", "└ error: x", false),
        ("read none.txt", "└ error: there is no `none.txt`", true),
    ] {
        terminal.line(prompt);
        terminal.wait_for(row);
        let screen = terminal.styled_screen();
        let shown = screen.lines().find(|line| line.contains(row));
        let shown = shown.expect("it is on the screen");
        assert_eq!(shown.contains("\u{1b}[31m"), is_red, "{shown:?}");
    }
}

#[cfg(feature = "ch20")]
mod thinking {
    use claw_offline::{Reply, Script};

    use super::*;
    use crate::support::ScriptedServer;

    /// A terminal in which the model has answered `Four.` after this thinking.
    fn thought(api: &str, thinking: &str) -> Option<Terminal> {
        let reply = Reply::text("Four.").thinking(thinking, "mark");
        let server = ScriptedServer::new(Script::new().reply(reply));
        let url = server.base_url();
        let arguments = format!("--base-url {url} --model scripted --api {api} --thinking low");
        let terminal = Terminal::claw(&Workspace::new(), &arguments)?;
        terminal.line("2 + 2?");
        terminal.wait_for("Four.");
        Some(terminal)
    }

    #[test]
    fn thinking_is_dimmed_on_lines_of_its_own() {
        for api in ["messages", "responses"] {
            let Some(terminal) = thought(api, "Two and two, hm.") else {
                return;
            };
            let screen = terminal.styled_screen();
            let mut lines = screen.lines();
            let is_dimmed = |line: &str| line.ends_with("\u{1b}[2mTwo and two, hm.");
            assert!(lines.any(is_dimmed), "{api}: {screen:?}");
            let reply = lines.next().unwrap_or_default();
            assert!(reply.starts_with("\u{1b}[0m"), "{api}: {screen:?}");
            assert!(reply.ends_with("Four."), "{api}: {screen:?}");
        }
    }

    #[test]
    fn control_characters_in_thinking_do_not_reach_the_terminal() {
        let thinking = "Two \u{1b}[31mand\u{9b}1m two.";
        if let Some(terminal) = thought("messages", thinking) {
            terminal.wait_for("Two [31mand1m two.\nFour.");
        }
    }

    #[test]
    fn the_offline_models_thinking_is_dimmed() {
        let workspace = Workspace::new();
        let Some(terminal) = Terminal::claw(&workspace, "--offline --thinking low") else {
            return;
        };
        terminal.line("hello");
        terminal.wait_for("a table of rules");
        let screen = terminal.styled_screen();
        assert!(
            screen.contains("\u{1b}[2mI was asked: hello."),
            "{screen:?}"
        );
    }
}
