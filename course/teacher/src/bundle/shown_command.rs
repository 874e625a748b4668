//! Runs the programs that make the parts of the archive.

use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Runs a command and shows its output. `what` completes the error "cannot …".
pub(super) fn run_shown(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status();
    let status = status.with_context(|| format!("cannot {what}"))?;
    ensure!(status.success(), "cannot {what}; see the message above");
    Ok(())
}
