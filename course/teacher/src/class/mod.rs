//! `cargo course class`: shows a class's progress from the reports that learners hand in.

mod hand_in;
mod page;
mod server;
mod source;

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use course::loopback;
use course::repo::Repo;

use source::Source;

const FIRST_PORT: u16 = 3100;

/// Serves a page about a class on this machine, from the files that its learners hand in.
///
/// A learner hands in with `cargo course report --class otter.json`. The name of the file is the
/// learner's nickname. The output of `cargo course status --json` works, too.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The folder with the files, or a git remote that is fetched again and again
    #[arg(value_name = "FOLDER|GIT-URL")]
    pub source: String,
    /// The port; 0 for any free one (default: 3100, or the next free one)
    #[arg(long)]
    pub port: Option<u16>,
}

/// Serves the page until Ctrl-C.
pub fn run(repo: &Repo, arguments: &Arguments) -> Result<ExitCode> {
    let listener = loopback::listen(arguments.port, FIRST_PORT)?;
    let source = Source::open(repo, &arguments.source, listener.local_addr()?.port())?;
    server::serve(listener, source)?;
    Ok(ExitCode::SUCCESS)
}
