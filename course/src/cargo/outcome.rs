//! What the output of cargo or of a test program means.

use std::collections::BTreeSet;

use super::libtest;
use super::process::Output;
use super::progress::Step;
use super::run::Test;

/// The output of a test program, and the results in its log.
pub struct TestOutput {
    /// The log: a line such as `ok ch1::test_x` for each test that finished. Unlike the standard
    /// output, it has nothing that the tests print.
    pub log: String,
    /// The tests that were seen to finish, if the test program has a witness.
    pub witnessed: Option<BTreeSet<String>>,
    /// The output.
    pub output: Output,
    /// Whether the tests hung.
    pub hung: bool,
}

impl TestOutput {
    /// The tests that finished, each once. With a witness, the log's word is not enough for a test
    /// that passed: code in the test program can write to the log.
    pub fn tests(&self) -> Vec<Test> {
        let mut tests = libtest::tests(&self.log, &self.output.stdout);
        if let Some(witnessed) = &self.witnessed {
            tests.retain(|test| test.failure.is_some() || witnessed.contains(&test.name));
            let mut seen = BTreeSet::new();
            tests.sort_by_key(|test| test.failure.is_none());
            tests.retain(|test| seen.insert(test.name.clone()));
        }
        tests
    }

    /// Whether `finished` tests are all that the program has announced. Only its own list tells
    /// which are missing, and a witness does not trust the announcement.
    pub fn has_all(&self, finished: usize) -> bool {
        self.witnessed.is_none() && libtest::announced(&self.output.stdout) == Some(finished)
    }
}

/// The results of a test program that was built before.
#[derive(Debug, Default)]
pub struct Results {
    /// The tests that finished, in the order in which they were reported.
    pub tests: Vec<Test>,
    /// Why some tests have no result, if the run did not finish.
    pub cut_short: Option<String>,
}

/// The results that a test program's output describes.
pub fn results(ended: &TestOutput) -> Results {
    let output = &ended.output;
    let complete = output.stdout.contains("\ntest result: ");
    let cut_short = match (complete, ended.hung) {
        (true, _) => None,
        (false, true) => Some(HUNG.to_string()),
        (false, false) => Some(format!(
            "the test program ended early ({}): {}",
            output.status,
            first_lines(&output.stderr)
        )),
    };
    Results {
        tests: ended.tests(),
        cut_short,
    }
}

/// Why a test that ran by itself has no result.
pub fn crash(ended: &TestOutput) -> &'static str {
    let stderr = &ended.output.stderr;
    if ended.hung {
        HUNG
    } else if stderr.contains("has overflowed its stack") {
        OVERFLOWED
    } else if stderr.contains("memory allocation of ") {
        OUT_OF_MEMORY
    } else {
        CRASHED
    }
}

/// Why `count` tests have no result.
pub fn cut_short(count: usize) -> String {
    format!("Too many tests do not finish, so {count} more were not run.")
}

/// Cargo's error message, without its progress and without rustc's closing line.
pub fn cargo_error(stderr: &str) -> String {
    // Cargo draws its progress bar on one line, again and again.
    let text = strip_ansi_escapes::strip_str(stderr.replace('\r', "\n"));
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("error"))
        .filter(|line| !line.starts_with("error: could not compile"))
        .filter(|line| !line.contains("build failed, waiting"))
        .filter(|line| Step::in_stderr(line).is_none())
        .collect();
    lines.join("\n").trim().to_string()
}

/// The first four lines of `stderr` that are not blank, as one line.
fn first_lines(stderr: &str) -> String {
    let lines: Vec<&str> = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("warning: `--logfile`"))
        .take(4)
        .collect();
    lines.join(" ")
}

/// The failure message of a test that hangs.
pub const HUNG: &str = "the test did not finish and was stopped: look for a loop that never exits, or a lock that is never released";
const OVERFLOWED: &str = "the stack overflowed: look for a function that calls itself, or two that call each other, and never stop";
const OUT_OF_MEMORY: &str =
    "the test ran out of memory: look for a loop that adds to a collection and never exits";
const CRASHED: &str =
    "the test ended the whole test program: look for an exit or abort in the code that it calls";
