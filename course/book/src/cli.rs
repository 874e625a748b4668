//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use course::book::Pages;
use course::repo::Repo;

use crate::preprocess::Directives;
use crate::{build, check, commands, preprocess, serve};

/// Builds, serves and checks the book of the course.
#[derive(Parser)]
#[command(name = "course-book")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the book
    Build {
        /// The destination [default: target/book]
        #[arg(long, value_name = "DIR")]
        dest: Option<PathBuf>,
    },
    /// Serve the book on this machine and rebuild it after changes
    Serve {
        /// The port; 0 for any free one [default: 3000, or the next free one]
        #[arg(long)]
        port: Option<u16>,
        /// Open it in the browser
        #[arg(long)]
        open: bool,
    },
    /// Expand the directives; an installed mdbook calls this
    Preprocess {
        #[command(subcommand)]
        question: Option<Question>,
    },
    /// Find dead links and other errors in the book
    Check,
    /// List the `cargo course` commands that the book mentions
    Commands,
}

#[derive(Subcommand)]
enum Question {
    /// Exit with 0 if this renderer is supported
    Supports {
        /// Such as html
        renderer: String,
    },
}

/// Parses the command line and runs the command.
pub fn run() -> ExitCode {
    match dispatch(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> Result<ExitCode> {
    match command {
        Command::Build { dest } => {
            let repo = repo()?;
            let dest = dest.unwrap_or_else(|| repo.root().join("target/book"));
            for warning in build::build(&repo, &dest, Directives::new(Pages::load(&repo)?))? {
                eprintln!("warning: {warning}");
            }
            println!("{}", dest.join("index.html").display());
        }
        Command::Serve { port, open } => serve::run(&repo()?, port, open)?,
        Command::Preprocess { question: None } => preprocess::run()?,
        Command::Preprocess {
            question: Some(Question::Supports { renderer }),
        } => return Ok(code(preprocess::supports(&renderer))),
        Command::Check => {
            let report = check::check(&repo()?)?;
            print!("{report}");
            return Ok(code(report.problems.is_empty()));
        }
        Command::Commands => {
            for command in commands::commands(&repo()?)? {
                println!("{command}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn repo() -> Result<Repo> {
    let here = std::env::current_dir()
        .context("the current folder does not exist; change to another one")?;
    Repo::find(&here)
}

fn code(is_good: bool) -> ExitCode {
    if is_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
