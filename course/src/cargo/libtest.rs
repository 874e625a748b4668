//! Parses the plain output of libtest, Rust's test harness.

use super::run::{Failure, Test};

/// The results in libtest's log, whose lines are `ok ch1::test_x` or `failed ch1::test_y`, with
/// the failure messages in its output.
pub fn tests(log: &str, output: &str) -> Vec<Test> {
    let mut tests: Vec<Test> = log.lines().filter_map(result).collect();
    for (path, text) in failure_blocks(output) {
        let mut failures = tests.iter_mut().filter(|test| test.is_at(&path));
        if let Some(failure) = failures.find_map(|test| test.failure.as_mut()) {
            let name = path.rsplit("::").next().unwrap_or(&path);
            *failure = parse_panic(name, &text);
        }
    }
    tests
}

fn result(line: &str) -> Option<Test> {
    let (outcome, path) = line.split_once(' ')?;
    let failure = match outcome {
        "ok" => None,
        "failed" => Some(Failure::default()),
        _ => return None,
    };
    let path = path.trim_end_matches(" - should panic");
    let name = path.rsplit("::").next().unwrap_or(path).to_string();
    Some(Test { name, failure })
}

/// The number of tests that the program announces in the first line of its output.
pub fn announced(output: &str) -> Option<usize> {
    let line = output.trim_start().lines().next()?;
    let rest = line.strip_prefix("running ")?;
    rest.split(' ').next()?.parse().ok()
}

/// The lines of libtest's output as its log would have them, for versions without a log.
pub fn log_in(output: &str) -> String {
    let mut log = String::new();
    for line in output.lines() {
        let parts = line
            .strip_prefix("test ")
            .and_then(|rest| rest.split_once(" ... "));
        match parts {
            Some((path, "ok")) => log += &format!("ok {path}\n"),
            Some((path, outcome)) if outcome.starts_with("FAILED") => {
                log += &format!("failed {path}\n");
            }
            _ => {}
        }
    }
    log
}

/// The captured output of each failed test: its path, and the lines between
/// `---- path stdout ----` and the next such line or the summary.
pub fn failure_blocks(report: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in report.lines() {
        let head = line
            .strip_prefix("---- ")
            .and_then(|rest| rest.strip_suffix(" stdout ----"));
        if let Some(path) = head {
            blocks.push((path.to_string(), String::new()));
            inside = true;
        } else if line == "failures:" {
            inside = false;
        } else if inside && let Some((_, text)) = blocks.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    blocks
}

/// The panic that ended the test. That is the last one of the test's own thread, since
/// earlier ones were caught, or the first one if only other threads panicked. A panic of a
/// stub comes first, even if it was caught, because it is the cause of later failures.
fn parse_panic(name: &str, output: &str) -> Failure {
    let lines: Vec<&str> = output.lines().collect();
    let panics: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].starts_with("thread '") && lines[*at].contains(" panicked at "))
        .collect();
    let is_own = |at: &&usize| lines[**at].contains(&format!("::{name}'"));
    let is_stub = |at: &&usize| {
        let message = lines.get(**at + 1);
        message.is_some_and(|line| line.starts_with("not yet implemented: "))
    };
    let own = panics
        .iter()
        .find(|at| is_own(at) && is_stub(at))
        .or_else(|| panics.iter().rfind(is_own))
        .or(panics.first());
    let Some(&at) = own else {
        return Failure {
            message: output.trim().to_string(),
            ..Failure::default()
        };
    };
    let (_, location) = lines[at].split_once(" panicked at ").unwrap_or_default();
    // From the end, since a path on Windows has a colon: `C:\x.rs:6:5:`.
    let mut parts = location.trim_end_matches(':').rsplitn(3, ':').skip(1);
    let line = parts.next().and_then(|line| line.parse().ok()).unwrap_or(0);
    let file = parts.next().map(str::to_string);
    let end = panics
        .iter()
        .copied()
        .find(|next| *next > at)
        .unwrap_or(lines.len());
    let printed = lines[..panics[0]].join("\n").trim_end().to_string();
    let message: Vec<&str> = lines[at + 1..end]
        .iter()
        .copied()
        .filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE"))
        .collect();
    Failure {
        message: message.join("\n").trim().to_string(),
        printed,
        file,
        line,
        cut_short: false,
    }
}
