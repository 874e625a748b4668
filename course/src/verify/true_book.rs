//! Every directive, link and name in the book resolves, and the runner accepts every command
//! on its pages.

use std::process::{Child, Stdio};

use anyhow::{Context as _, Result};
use clap::Parser;

use super::context::{Context, Finding};
use crate::cargo;
use crate::cli::Cli;
use crate::commands::book_command;
use crate::repo::Repo;

/// Starts the book builder's check of the pages. It keeps one core busy, and the first of the other
/// checks mostly use one, too.
pub fn start(repo: &Repo) -> Result<Child> {
    book_command(repo)
        .arg("check")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cargo::not_started)
}

/// Waits for the book builder's check of the pages, and parses the commands on them.
pub fn check(context: &Context) -> Result<Finding> {
    let repo = &context.progress.repo;
    let book = context.book.take();
    let book = book.map_or_else(|| start(repo), Ok)?;
    let output = book
        .wait_with_output()
        .context("cannot read the output of the book builder")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut problems: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("problem: "))
        .map(str::to_string)
        .collect();
    let checked = text.lines().find_map(|line| line.strip_prefix("checked: "));
    let Some(checked) = checked else {
        let error = String::from_utf8_lossy(&output.stderr);
        problems.push(format!("the book could not be checked:\n{error}"));
        return Ok(Finding {
            count: "the check itself failed".to_string(),
            problems,
        });
    };
    let listed = book_command(repo)
        .arg("commands")
        .output()
        .map_err(cargo::not_started)?;
    if !listed.status.success() {
        let error = String::from_utf8_lossy(&listed.stderr);
        problems.push(format!("the book's commands cannot be listed:\n{error}"));
    }
    let mut commands = 0;
    for command in String::from_utf8_lossy(&listed.stdout).lines() {
        commands += 1;
        if let Err(error) = parse(command) {
            problems.push(format!(
                "`{command}` is not a command of the runner: {error}"
            ));
        }
    }
    Ok(Finding {
        count: format!("{checked}, {commands} commands"),
        problems,
    })
}

/// Parses a command, in which the book builder has replaced the placeholders.
fn parse(command: &str) -> Result<()> {
    Cli::try_parse_from(command.split_whitespace().skip(1))?;
    Ok(())
}
