//! A test program and its runs.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::libtest;
use super::limits::Limits;
use super::outcome::{Results, TestOutput, results};
use super::process;
use super::progress::Step;
use super::run::Diagnostic;
use super::supervisor::supervised;
use super::witness::{WITNESS, Witness};

/// A test program, ready to run.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub(super) path: PathBuf,
    /// The folder of its package, in which it runs.
    pub(super) dir: PathBuf,
    /// The compiler's warnings.
    pub warnings: Vec<Diagnostic>,
    /// Limits of its runs.
    pub(super) limits: Option<Limits>,
}

/// The tests of a program to run.
#[derive(Debug, Clone, Copy)]
pub enum Tests<'a> {
    /// Those whose paths contain one of these texts.
    Containing(&'a [String]),
    /// The one with this path.
    Exactly(&'a str),
}

impl Program {
    /// The paths of the tests, in the order in which they start. A program that cannot start has
    /// none.
    pub fn list(&self, tests: &Tests) -> Result<Vec<String>> {
        let limits = self.limits.as_ref();
        let sandbox = limits.map_or(&[][..], |limits| &limits.sandbox);
        let mut command = supervised(self.command(tests).arg("--list"), limits, sandbox);
        // Not `limits.end`: after that limit, the list shows which tests have no result.
        let end = Instant::now() + LISTING;
        let list = process::run(&mut command, Some(end), |_| {})?;
        let paths = list
            .stdout
            .lines()
            .filter_map(|line| line.strip_suffix(": test"));
        Ok(paths.map(str::to_string).collect())
    }

    /// Runs tests, with the variables `env` added. Calls `on_progress` with each step. Stops when
    /// none finishes for `budget`.
    pub fn execute(
        &self,
        tests: &Tests,
        env: &[(&str, String)],
        budget: Duration,
        on_progress: &mut dyn FnMut(Step),
    ) -> Result<TestOutput> {
        let limits = self.limits.as_ref();
        let log = match limits {
            Some(limits) => tempfile::NamedTempFile::new_in(&limits.scratch),
            None => tempfile::NamedTempFile::new(),
        };
        let log = log.context("cannot make a temporary file")?;
        let witness = limits
            .map(|limits| Witness::start(&limits.scratch))
            .transpose()?;
        let end = limits.and_then(|limits| limits.end);
        let sandbox = limits.map_or(&[][..], |limits| &limits.sandbox);
        let run = |log_arguments: &[&OsStr], on_progress: &mut dyn FnMut(Step)| {
            let mut command = self.command(tests);
            command.envs(env.iter().map(|(key, value)| (key, value)));
            if let Some(witness) = &witness {
                command.env(WITNESS, witness.variable());
            }
            command.args(log_arguments);
            let mut command = supervised(&command, limits, sandbox);
            let computing = match tests {
                Tests::Containing(_) => COMPUTING,
                Tests::Exactly(_) => COMPUTING_ALONE,
            };
            process::run_tests(
                &mut command,
                log.path(),
                budget,
                computing,
                end,
                on_progress,
            )
        };
        let mut output = run(
            &["--logfile".as_ref(), log.path().as_os_str()],
            &mut *on_progress,
        )?;
        let text = if output.stderr.contains("Unrecognized option: 'logfile'") {
            // The option is deprecated. A version of Rust without it has only the output.
            output = run(&[], on_progress)?;
            libtest::log_in(&output.stdout)
        } else {
            let log = std::fs::read(log.path()).context("cannot read the log of the tests")?;
            String::from_utf8_lossy(&log).into_owned()
        };
        Ok(TestOutput {
            hung: output.hung,
            log: text,
            witnessed: witness.map(Witness::finish),
            output,
        })
    }

    /// The command that runs `tests`, in the same folder and with the same arguments as
    /// `cargo test`.
    fn command(&self, tests: &Tests) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .env("RUST_BACKTRACE", "0")
            .env("CARGO_MANIFEST_DIR", &self.dir)
            .args(["--color", "never"]);
        match tests {
            Tests::Containing(filters) => command
                .args(*filters)
                .args(["--test-threads", &at_once().to_string()]),
            Tests::Exactly(path) => command.args(["--exact", path]),
        };
        command
    }

    /// Runs the tests that match `filters`, with the variables `env` added.
    pub fn run(
        &self,
        filters: &[String],
        env: &[(&str, String)],
        timeout: Duration,
    ) -> Result<Results> {
        let tests = Tests::Containing(filters);
        let ended = self.execute(&tests, env, timeout, &mut |_| {})?;
        let mut results = results(&ended);
        if let Some(message) = &mut results.cut_short {
            let mut unfinished = self.list(&tests)?;
            unfinished.retain(|path| !results.tests.iter().any(|test| test.is_at(path)));
            unfinished.truncate(at_once());
            message.push_str(&format!(" ({})", unfinished.join(", ")));
        }
        Ok(results)
    }
}

/// The most time that a test program gets to list its tests.
const LISTING: Duration = Duration::from_secs(60);

/// How long a test may compute while no other one finishes. The slowest test of the course needs
/// a seventh of it. So an endless loop is found long before the time for which a test may wait, which
/// costs nothing.
const COMPUTING: Duration = Duration::from_secs(3);
/// The same for a test alone.
const COMPUTING_ALONE: Duration = Duration::from_secs(2);

/// The number of tests that run at once: twice as many as there are cores, since many tests wait.
pub fn at_once() -> usize {
    2 * std::thread::available_parallelism().map_or(1, |cores| cores.get())
}
