//! Finds the test that hung or crashed the test program.

use anyhow::Result;

use super::libtest;
use super::outcome::HUNG;
use super::process::{Output, follow};
use super::run::{Failure, Request, Test};
use super::test_program::Program;

/// The test that kept a run from finishing: its path and its failure. `None` if it cannot
/// be identified.
pub fn find_culprit(
    program: &Program,
    request: &Request,
    skip: &[&str],
    output: &Output,
) -> Result<Option<(String, Test)>> {
    let (path, message) = if output.hung {
        (first_unfinished(program, request, skip, output)?, HUNG)
    } else if let Some(path) = overflowed(&output.stderr) {
        (Some(path), OVERFLOWED)
    } else if output.stderr.contains("memory allocation of ") {
        (crashed(program, request, skip)?, OUT_OF_MEMORY)
    } else {
        (crashed(program, request, skip)?, CRASHED)
    };
    Ok(path.map(|path| {
        let name = path.rsplit("::").next().unwrap_or(&path).to_string();
        let failure = Failure {
            message: message.to_string(),
            ..Failure::default()
        };
        let test = Test {
            name,
            failure: Some(failure),
        };
        (path, test)
    }))
}

/// `thread 'ch1::test_x' (123) has overflowed its stack`.
fn overflowed(stderr: &str) -> Option<String> {
    let line = stderr
        .lines()
        .find(|line| line.contains("has overflowed its stack"))?;
    let path = line.split('\'').nth(1)?;
    path.contains("::").then(|| path.to_string())
}

/// Tests start in the order of their paths, so the first one without a result was running.
fn first_unfinished(
    program: &Program,
    request: &Request,
    skip: &[&str],
    output: &Output,
) -> Result<Option<String>> {
    let mut command = program.command(request.filters, skip);
    let list = follow(command.arg("--list"), None, &mut |_| {})?;
    let ended = libtest::parse(&output.stdout);
    let mut paths = list
        .stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    let unfinished = paths.find(|path| {
        let name = path.rsplit("::").next();
        !ended.iter().any(|test| Some(test.name.as_str()) == name)
    });
    Ok(unfinished.map(str::to_string))
}

/// Runs the tests one at a time. Each is announced before it starts, so the last one
/// announced is the one that crashed.
fn crashed(program: &Program, request: &Request, skip: &[&str]) -> Result<Option<String>> {
    let mut command = program.command(request.filters, skip);
    command.arg("--test-threads=1");
    let output = follow(&mut command, Some(request.timeout), &mut |_| {})?;
    let last = output
        .stdout
        .lines()
        .rfind(|line| line.starts_with("test "));
    let path = last
        .and_then(|line| line.strip_prefix("test ")?.split_once(" ... "))
        .filter(|(_, outcome)| !matches!(*outcome, "ok" | "FAILED" | "ignored"))
        .map(|(path, _)| path.to_string());
    Ok(path)
}

const OVERFLOWED: &str = "the stack overflowed: look for a function that calls itself, or two that call each other, and never stop";
const OUT_OF_MEMORY: &str =
    "the test ran out of memory: look for a loop that adds to a collection and never exits";
const CRASHED: &str =
    "the test ended the whole test program: look for an exit or abort in the code that it calls";
