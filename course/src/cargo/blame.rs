//! Finds the test that hung, or that brought the whole test program down.

use anyhow::Result;

use super::libtest;
use super::process::{Output, follow};
use super::{Failure, Program, Request, Test};

/// The test to blame for a run that did not come to its end, by its path, and how it
/// failed. `None` where none can be named.
pub fn culprit(
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

/// Tests start in the order of their names, so of those without an outcome the first
/// has been running.
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

/// One at a time, each test is announced before it runs: the last one announced is
/// the one that never came back.
fn crashed(program: &Program, request: &Request, skip: &[&str]) -> Result<Option<String>> {
    let mut command = program.command(request.filters, skip);
    command.arg("--test-threads=1");
    let output = follow(&mut command, Some(request.patience), &mut |_| {})?;
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

/// What is said of a test that does not come to its end.
pub const HUNG: &str = "the test did not come to an end and was stopped: look for a loop that never ends, or a lock that is never released";
const OVERFLOWED: &str = "the stack overflowed: look for a function that calls itself, or two that call each other, without end";
const OUT_OF_MEMORY: &str = "the test asked for more memory than there is for it: look for a loop that adds to a collection and never ends";
const CRASHED: &str =
    "the test brought the whole program down: look for an exit or abort in what it calls";
