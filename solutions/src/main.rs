//! `claw`, the agent in a terminal.

use std::process::ExitCode;

use clap::Parser;
use claw_code_solutions::claw::{self, Options};

fn main() -> ExitCode {
    claw::main(Options::parse())
}
