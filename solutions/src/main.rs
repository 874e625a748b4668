//! `claw`, the agent in a terminal.

use std::process::ExitCode;

use claw_code_solutions::claw::{self, Options};

fn main() -> ExitCode {
    claw::main(Options::read().unwrap_or_else(|error| error.exit()))
}
