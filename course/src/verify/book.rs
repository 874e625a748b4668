//! The book is true: every directive, link and name in it resolves, and every command
//! it gives is one that the runner takes.

use anyhow::{Context as _, Result};
use clap::Parser;

use super::{Context, Finding};
use crate::cargo;
use crate::cli::Cli;
use crate::commands::book_command;

/// Lets the book's builder check its pages, and parses the commands they give.
pub fn check(context: &Context) -> Result<Finding> {
    let repo = &context.progress.repo;
    let output = book_command(repo)
        .arg("check")
        .output()
        .map_err(cargo::not_started)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut problems: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("problem: "))
        .map(str::to_string)
        .collect();
    let checked = text.lines().find_map(|line| line.strip_prefix("checked: "));
    let Some(checked) = checked else {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        problems.push(format!("the book could not be checked:\n{words}"));
        return Ok(Finding {
            count: "could not be checked".to_string(),
            problems,
        });
    };
    let listed = book_command(repo)
        .arg("commands")
        .output()
        .context("cannot list the book's commands")?;
    let mut commands = 0;
    for command in String::from_utf8_lossy(&listed.stdout).lines() {
        commands += 1;
        if let Err(error) = parse(command) {
            problems.push(format!("`{command}` is no command of the runner: {error}"));
        }
    }
    Ok(Finding {
        count: format!("{checked}, {commands} commands"),
        problems,
    })
}

/// A command as a page gives it; `N`, `N.S`, `K`, `P` and `FILE` stand for values.
fn parse(command: &str) -> Result<()> {
    let words = command.split_whitespace().skip(1).map(|word| match word {
        "N" => "1",
        "N.S" => "1.1",
        "K" | "P" => "1",
        word => word,
    });
    Cli::try_parse_from(words)?;
    Ok(())
}
