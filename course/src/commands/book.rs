//! `cargo course book`: builds the book and serves it.

use std::process::Command;

use anyhow::{Result, ensure};

use super::Outcome;
use crate::cargo;
use crate::repo::Repo;

/// Serves the book until Ctrl-C.
pub fn book(repo: &Repo, open: bool, port: Option<u16>) -> Result<Outcome> {
    eprintln!(
        "Building the book. The first time also compiles its builder, which takes a minute or two."
    );
    let mut command = book_command(repo);
    command.arg("serve");
    if open {
        command.arg("--open");
    }
    if let Some(port) = port {
        command.args(["--port", &port.to_string()]);
    }
    let status = command.status().map_err(cargo::not_started)?;
    ensure!(
        status.success(),
        "the book could not be served; see the message above (`cargo course fetch` downloads what it needs)"
    );
    Ok(Outcome::default())
}

/// The command that runs the book builder. Its target folder is the runner's, so that building
/// it does not block the tests.
pub fn book_command(repo: &Repo) -> Command {
    let target = "target/runner";
    let program = format!("{target}/debug/course-book{}", std::env::consts::EXE_SUFFIX);
    let mut command = cargo::cargo();
    command
        .current_dir(repo.root())
        .args(["run", "--target-dir", target])
        .args(["--manifest-path", "course/Cargo.toml"])
        .args(["--package", "course-book"]);
    // Cargo's messages show that the first build goes on.
    if repo.root().join(program).exists() {
        command.arg("--quiet");
    }
    command.arg("--");
    command
}
