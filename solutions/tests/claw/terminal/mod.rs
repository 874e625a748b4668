//! `claw` in a real terminal.

mod colors;
mod keys;
mod layout;
mod line_editing;
mod pasted_lines;
#[cfg(feature = "ch10")]
mod permission_questions;
#[cfg(feature = "ch13")]
mod plan_reviews;
#[cfg(feature = "ch20")]
mod steering;

use crate::support::{ScriptedServer, Terminal, Workspace, prompts};

/// `claw` in a terminal, asking a server over Chat Completions.
fn claw(server: &ScriptedServer) -> Option<(Workspace, Terminal)> {
    claw_in(server, 100, "")
}

/// The same in a terminal with this many columns and with these variables.
fn claw_in(
    server: &ScriptedServer,
    columns: usize,
    variables: &str,
) -> Option<(Workspace, Terminal)> {
    let workspace = Workspace::new();
    let terminal = Terminal::with_columns(&workspace, columns)?;
    let arguments = format!("--base-url {} --model scripted", server.base_url());
    terminal.start_claw(variables, &arguments);
    Some((workspace, terminal))
}

/// The prompt that the server was sent last.
fn last_prompt(server: &ScriptedServer) -> String {
    let prompts = prompts(&server.last_body());
    prompts.into_iter().next_back().expect("a prompt")
}
