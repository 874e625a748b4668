//! Turns the output of cargo or of a test program into a [`Run`].

use super::libtest;
use super::process::Output;
use super::run::{Diagnostic, Run};

/// The run that a test program's output describes.
pub fn ran(warnings: Vec<Diagnostic>, output: &Output) -> Run {
    let complete = output.stdout.contains("\ntest result: ");
    let cut_short = match (complete, output.hung) {
        (true, _) => None,
        (false, true) => Some(HUNG.to_string()),
        (false, false) => Some(format!(
            "the test program ended early ({}): {}",
            output.status,
            first_lines(&output.stderr)
        )),
    };
    Run::Ran {
        warnings,
        tests: libtest::parse(&output.stdout),
        cut_short,
    }
}

/// Cargo's error message, without its progress and without rustc's closing line.
pub fn cargo_error(stderr: &str) -> String {
    let lines: Vec<&str> = stderr
        .lines()
        .skip_while(|line| !line.starts_with("error"))
        .filter(|line| !line.starts_with("error: could not compile"))
        .filter(|line| !line.contains("build failed, waiting"))
        .collect();
    lines.join("\n").trim().to_string()
}

/// The first four lines of `stderr` that are not blank, as one line.
fn first_lines(stderr: &str) -> String {
    let lines: Vec<&str> = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(4)
        .collect();
    lines.join(" ")
}

/// The failure message of a test that hangs.
pub const HUNG: &str = "the test did not finish and was stopped: look for a loop that never exits, or a lock that is never released";
