//! Builds test programs: one from the learner's sources, or many for the verifier with one
//! cargo command.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use cargo_metadata::diagnostic::DiagnosticLevel;

use super::command::cargo;
use super::json_messages::{BuildMessages, BuiltProgram};
use super::libtest;
use super::outcome::{TestOutput, cargo_error, ran};
use super::process;
use super::progress::Step;
use super::run::{Diagnostic, Request, Run};
use super::supervisor::supervised;

/// The test programs of a whole workspace, after a build.
#[derive(Debug)]
pub struct Built {
    /// The packages whose tests compile.
    pub compiled: BTreeSet<String>,
    /// Each package's test program, if it was built.
    pub programs: BTreeMap<String, Program>,
    /// Each package's compiler messages, warnings and errors.
    pub diagnostics: BTreeMap<String, Vec<Diagnostic>>,
    /// Cargo's own error message, if it failed.
    pub cargo: Option<String>,
}

/// What cargo does with the tests of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compile {
    /// It only looks for errors and warnings, which takes much less time.
    Check,
    /// It makes a program.
    Build,
}

/// Compiles the tests of `packages`, which are in the workspace at `dir`, in parallel.
pub fn compile_tests(
    compile: Compile,
    packages: &[&str],
    dir: &Path,
    target: &Path,
) -> Result<Built> {
    let subcommand = match compile {
        Compile::Check => "check",
        Compile::Build => "build",
    };
    let mut command = cargo();
    command
        .current_dir(dir)
        // These crates are never built a second time.
        .env("CARGO_INCREMENTAL", "0")
        .args([subcommand, "--tests", "--keep-going"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(["--message-format", MESSAGES, "--target-dir"])
        .arg(target);
    let output = process::run(&mut command, |_| {})?;
    let messages = BuildMessages::read(&output.stdout);
    let mut built = Built {
        compiled: messages.compiled.into_iter().collect(),
        programs: BTreeMap::new(),
        diagnostics: BTreeMap::new(),
        cargo: (!messages.built).then(|| cargo_error(&output.stderr)),
    };
    for BuiltProgram { package, path, dir } in messages.programs {
        let program = Program {
            path,
            dir,
            warnings: Vec::new(),
        };
        built.programs.insert(package, program);
    }
    for (package, _, diagnostic) in messages.diagnostics {
        built
            .diagnostics
            .entry(package)
            .or_default()
            .push(diagnostic);
    }
    Ok(built)
}

/// A test program, ready to run.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    path: PathBuf,
    /// The folder of its package, in which it runs.
    dir: PathBuf,
    /// The compiler's warnings.
    pub warnings: Vec<Diagnostic>,
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
    /// The paths of the tests, in the order in which they start.
    pub fn list(&self, tests: &Tests) -> Result<Vec<String>> {
        let list = self.command(tests).arg("--list").output();
        let list = list.with_context(|| format!("cannot start {}", self.path.display()))?;
        let text = String::from_utf8_lossy(&list.stdout);
        let paths = text.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(paths.map(str::to_string).collect())
    }

    /// Runs tests, with the variables `env` added. Stops when none finishes for `budget`.
    pub fn execute(
        &self,
        tests: &Tests,
        env: &[(&str, String)],
        budget: Duration,
        on_progress: &mut dyn FnMut(usize),
    ) -> Result<TestOutput> {
        let log = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
        let mut command = self.command(tests);
        command.envs(env.iter().map(|(key, value)| (key, value)));
        let run = |command: &Command, on_progress: &mut dyn FnMut(usize)| {
            process::run_tests(&mut supervised(command), log.path(), budget, on_progress)
        };
        let mut output = run(command.arg("--logfile").arg(log.path()), on_progress)?;
        let text = if output.stderr.contains("Unrecognized option: 'logfile'") {
            // The option is deprecated. A version of Rust without it has only the output.
            command = self.command(tests);
            command.envs(env.iter().map(|(key, value)| (key, value)));
            output = run(&command, on_progress)?;
            libtest::log_in(&output.stdout)
        } else {
            std::fs::read_to_string(log.path()).context("cannot read the log of the tests")?
        };
        Ok(TestOutput {
            hung: output.hung,
            log: text,
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
                .args(["--test-threads", &cores().to_string()]),
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
    ) -> Result<Run> {
        let tests = Tests::Containing(filters);
        let ended = self.execute(&tests, env, timeout, &mut |_| {})?;
        let mut run = ran(self.warnings.clone(), &ended);
        if let Run::Ran {
            tests: finished,
            cut_short: Some(message),
            ..
        } = &mut run
        {
            let mut unfinished = self.list(&tests)?;
            unfinished.retain(|path| !finished.iter().any(|test| test.is_at(path)));
            unfinished.truncate(cores());
            message.push_str(&format!(" ({})", unfinished.join(", ")));
        }
        Ok(run)
    }
}

/// Builds the test program for a request. Calls `on_progress` with each step. The inner `Err` is
/// the result to show to the learner if the build fails.
pub fn build(
    request: &Request,
    on_progress: &mut impl FnMut(Step),
) -> Result<Result<Program, Run>> {
    let mut command = cargo();
    command
        .current_dir(request.dir)
        // Cargo shows its progress only in a terminal, unless it is told how wide that is.
        .env("CARGO_TERM_PROGRESS_WHEN", "always")
        .env("CARGO_TERM_PROGRESS_WIDTH", "120")
        // Builds the same as `cargo test`, but takes compiler flags for this one crate.
        .args(["rustc", "--profile", "test"])
        .args(request.select)
        .args(["--message-format", MESSAGES, "--"])
        .args(request.without.iter().flat_map(leave_out));
    let output = process::run(&mut command, |part| {
        Step::in_stderr(part)
            .into_iter()
            .for_each(&mut *on_progress);
    })?;
    let mut messages = BuildMessages::read(&output.stdout);
    let program = messages.programs.pop().filter(|_| messages.built);
    Ok(match program {
        Some(BuiltProgram { path, dir, .. }) => Ok(Program {
            path,
            dir,
            warnings: messages.of(DiagnosticLevel::Warning),
        }),
        None => Err(Run::NotBuilt {
            errors: messages.of(DiagnosticLevel::Error),
            cargo: cargo_error(&output.stderr),
        }),
    })
}

/// The compiler flag that leaves a chapter out of `tests/main.rs`.
fn leave_out(feature: &String) -> [String; 2] {
    ["--cfg".to_string(), format!("without={feature:?}")]
}

/// One JSON object a line; compiler messages are rendered as a terminal shows them.
const MESSAGES: &str = "json-diagnostic-rendered-ansi";

/// The number of tests that run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}
