//! `cargo course book`: build the book and serve it, with nothing to install.

use std::process::Command;

use anyhow::{Result, ensure};

use super::Outcome;
use crate::cargo;
use crate::repo::Repo;

/// Serves the book until it is interrupted.
pub fn book(repo: &Repo, open: bool, port: Option<u16>) -> Result<Outcome> {
    eprintln!("Building the book; the first time, its builder is built too, in a minute or two.");
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
        "the book could not be served; its own words stand above"
    );
    Ok(Outcome::default())
}

/// The command that runs the book's builder. Like the runner it is built apart from
/// the learner's crate, so that a first build keeps no test waiting.
pub fn book_command(repo: &Repo) -> Command {
    let mut command = cargo::cargo();
    command
        .current_dir(repo.root())
        .args([
            "run",
            "--manifest-path",
            "course/Cargo.toml",
            "--package",
            "course-book",
        ])
        .args(["--quiet", "--target-dir", "target/runner", "--"]);
    command
}
