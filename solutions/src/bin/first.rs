//! `first`, the agent of chapter 0 in a terminal.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use claw_code_solutions::first::{BREAKAGES, OfflineModel, talk};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        [] => talk(&mut OfflineModel::new(), lines(), io::stdout()),
        ["-h" | "--help"] => {
            // Ignores a closed output, such as after `| head`.
            let _ = writeln!(io::stdout(), "{}", usage());
            Ok(())
        }
        ["break", name] if BREAKAGES.iter().any(|it| it.name == *name) => {
            let mut named = BREAKAGES.iter().filter(|it| it.name == *name);
            named.try_for_each(|it| it.play(&mut io::stdout()))
        }
        unknown => {
            eprintln!(
                "first: unknown arguments: {}\n\n{}",
                unknown.join(" "),
                usage()
            );
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("first: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The lines of standard input. In a terminal, each is asked for with a prompt.
fn lines() -> impl Iterator<Item = io::Result<String>> {
    let is_terminal = io::stdin().is_terminal();
    if is_terminal {
        eprintln!("{NOTICE}");
    }
    let mut lines = io::stdin().lines();
    std::iter::from_fn(move || {
        if is_terminal {
            print!("> ");
            let _ = io::stdout().flush();
        }
        let line = lines.next();
        if is_terminal && line.is_none() {
            println!();
        }
        line
    })
}

fn usage() -> String {
    let breakages = BREAKAGES.map(|it| format!("  {:<20}{}\n", it.name, it.about));
    format!("{USAGE}{}", breakages.concat().trim_end())
}

const NOTICE: &str = "\
The agent of chapter 0, with the offline model: a few rules on this machine, no key, no network.
Ask for something, such as: list the files here. Ctrl-D ends the conversation.";

const USAGE: &str = "\
The agent of chapter 0. It reads a message from each line of its input and prints the answers.
It runs what the model asks for at once, in this folder.

Usage: cargo first               talk to the agent
       cargo first break NAME    play one of its failures, in a temporary folder

The failures:
";
