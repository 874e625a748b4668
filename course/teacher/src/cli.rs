//! The command line.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use course::repo::Repo;

use crate::{bundle, class, grade};

/// The commands for teachers.
#[derive(Parser)]
#[command(name = "cargo course", bin_name = "cargo course")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make one archive for a room without network
    Bundle(bundle::Arguments),
    /// Show a class's progress, from the files that learners hand in
    Class(class::Arguments),
    /// Grade submissions with the tests of this clone
    Grade(grade::Arguments),
}

/// Parses the command line and runs the command. Interrupting it ends what it has started; grading
/// still writes its results.
pub fn run() -> ExitCode {
    // Tests run under this same program.
    if let Some(code) = course::cargo::supervise_if_asked() {
        return code;
    }
    let handler = ctrlc::set_handler(|| {
        // First, so that a run that is killed does not count as a result.
        let ends_by_itself = grade::stop();
        course::cargo::kill_running();
        if !ends_by_itself {
            std::process::exit(130);
        }
    });
    if let Err(error) = handler {
        eprintln!("course: cannot handle Ctrl-C: {error}");
    }
    match dispatch(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("course: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command) -> Result<ExitCode> {
    let here = std::env::current_dir().context("the current folder does not exist")?;
    let repo = Repo::find(&here)?;
    match command {
        Command::Bundle(arguments) => bundle::run(&repo, &arguments),
        Command::Class(arguments) => class::run(&repo, &arguments),
        Command::Grade(arguments) => grade::run(&repo, &arguments),
    }
}
