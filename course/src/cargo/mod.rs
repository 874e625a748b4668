//! Builds test programs with the real cargo, runs them and reads what they say. There is
//! no truth here that a plain `cargo test` in another window would contradict.

mod blame;
mod build;
mod libtest;
mod messages;
mod process;

pub use build::{Built, Program, build_tests};
pub use process::kill_running;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use process::{Output, follow};

/// What one run of the tests came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Run {
    /// The code does not compile, or cargo itself failed.
    NotBuilt {
        /// The compiler's errors, first to last. Empty when cargo failed.
        errors: Vec<Diagnostic>,
        /// What cargo said on its own behalf.
        cargo: String,
    },
    /// The tests ran.
    Ran {
        /// The compiler's warnings.
        warnings: Vec<Diagnostic>,
        /// Each test that was reported, in the order reported.
        tests: Vec<Test>,
        /// Why some tests have no outcome, if the run did not come to its end.
        cut_short: Option<String>,
    },
}

impl Run {
    /// The part of it that is about the tests called `names`. It is cut short only
    /// where one of them has no outcome.
    pub fn about(&self, names: &[&str]) -> Self {
        let Self::Ran {
            warnings,
            tests,
            cut_short,
        } = self
        else {
            return self.clone();
        };
        let is_meant = |test: &&Test| names.contains(&test.name.as_str());
        let tests: Vec<Test> = tests.iter().filter(is_meant).cloned().collect();
        let complete = tests.len() == names.len();
        Self::Ran {
            warnings: warnings.clone(),
            tests,
            cut_short: cut_short.clone().filter(|_| !complete),
        }
    }

    /// Whether cargo failed before the compiler had a say.
    pub fn is_cargo_failure(&self) -> bool {
        matches!(self, Self::NotBuilt { errors, .. } if errors.is_empty())
    }
}

/// A message of the compiler's, ready to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// As rustc renders it, colours included.
    pub rendered: String,
    /// The file, relative to the workspace.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// One test's outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The function's name, without its module.
    pub name: String,
    /// Why it failed; `None` when it passed.
    pub failure: Option<Failure>,
}

/// Why a test failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The panic's message.
    pub message: String,
    /// What the test printed before.
    #[serde(default)]
    pub printed: String,
    /// The file in which it panicked.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// What to run.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The folder whose `Cargo.toml` is meant.
    pub dir: &'a Path,
    /// Arguments that choose the package and the test target.
    pub select: &'a [&'a str],
    /// The features whose suites are left out of the build. The compiler's work after an
    /// edit grows with the suites, and the suite of one chapter is a small part of them.
    pub without: &'a [String],
    /// Only tests whose path contains one of these.
    pub filters: &'a [String],
    /// How long no test may end before the run is taken to hang.
    pub patience: Duration,
}

/// A `cargo` command: the very cargo that started the runner, where it was cargo.
///
/// It is told nothing of the package that the runner belongs to. Crates such as `ring` are
/// built anew when the name of such a package changes, and plain `cargo test` names none.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let of_a_package = |name: &str| OF_A_PACKAGE.iter().any(|it| name.starts_with(it));
        if name.to_str().is_some_and(of_a_package) {
            command.env_remove(name);
        }
    }
    command
}

/// The error for a `cargo` that could not be started.
pub fn not_started(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!(
            "`cargo` was not found; install Rust with rustup, open a new terminal and try again"
        ),
        _ => anyhow!("cannot start cargo: {error}"),
    }
}

/// Builds and runs tests.
///
/// `news` is told how many tests have ended so far. A build error or a failing test
/// is an outcome, not an `Err`. A test that hangs or brings the whole program down is
/// found out, counted as failed, and the others are run without it.
pub fn test(request: &Request, mut news: impl FnMut(usize)) -> Result<Run> {
    let kills = process::kills();
    let program = match build::build(request)? {
        Ok(program) => program,
        Err(not_built) => return Ok(not_built),
    };
    ensure!(process::kills() == kills, "the run was broken off");
    let mut blamed: Vec<(String, Test)> = Vec::new();
    loop {
        let skip: Vec<&str> = blamed.iter().map(|(path, _)| path.as_str()).collect();
        let output = follow(
            &mut program.command(request.filters, &skip),
            Some(request.patience),
            &mut news,
        )?;
        let mut run = ran(program.warnings.clone(), &output);
        let Run::Ran {
            tests, cut_short, ..
        } = &mut run
        else {
            return Ok(run);
        };
        let most = if output.hung { MOST_HUNG } else { MOST_CRASHED };
        if cut_short.is_some()
            && blamed.len() < most
            && let Some(culprit) = blame::culprit(&program, request, &skip, &output)?
        {
            blamed.push(culprit);
            continue;
        }
        tests.extend(blamed.into_iter().map(|(_, test)| test));
        return Ok(run);
    }
}

/// What the test harness reported, and whether it came to its end.
fn ran(warnings: Vec<Diagnostic>, output: &Output) -> Run {
    let complete = output.stdout.contains("\ntest result: ");
    let cut_short = match (complete, output.hung) {
        (true, _) => None,
        (false, true) => Some(blame::HUNG.to_string()),
        (false, false) => Some(format!(
            "the test program ended early ({}): {}",
            output.status,
            last_words(&output.stderr)
        )),
    };
    Run::Ran {
        warnings,
        tests: libtest::parse(&output.stdout),
        cut_short,
    }
}

/// What cargo said, without its progress and without rustc's closing line.
fn cargo_words(stderr: &str) -> String {
    let kept: Vec<&str> = stderr
        .lines()
        .skip_while(|line| !line.starts_with("error"))
        .filter(|line| !line.starts_with("error: could not compile"))
        .filter(|line| !line.contains("build failed, waiting"))
        .collect();
    kept.join("\n").trim().to_string()
}

fn last_words(stderr: &str) -> String {
    let kept: Vec<&str> = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(4)
        .collect();
    kept.join(" ")
}

/// After so many tests that hang, the rest is left without an outcome: each of them
/// costs the whole of the patience.
const MOST_HUNG: usize = 2;
/// The same for tests that crash, which is soon found out.
const MOST_CRASHED: usize = 24;

/// One JSON object a line, and in it rustc's words as a terminal would show them.
const MESSAGES: &str = "json-diagnostic-rendered-ansi";

/// How the variables begin by which `cargo run` tells a program of its package.
const OF_A_PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];
