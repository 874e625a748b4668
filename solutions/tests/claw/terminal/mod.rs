//! `claw` in a real terminal.

mod colors;
mod keys;
mod pasted_lines;
#[cfg(feature = "ch10")]
mod permission_questions;
#[cfg(feature = "ch13")]
mod plan_reviews;
#[cfg(feature = "ch20")]
mod steering;

use crate::support::{ScriptedServer, Terminal, Workspace};

/// `claw` in a terminal, asking a server over Chat Completions.
fn claw(server: &ScriptedServer) -> Option<(Workspace, Terminal)> {
    let workspace = Workspace::new();
    let arguments = format!("--base-url {} --model scripted", server.base_url());
    let terminal = Terminal::claw(&workspace, &arguments)?;
    Some((workspace, terminal))
}
