//! Builds test programs: one from the learner's sources, or many for the verifier with one
//! cargo command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;
use cargo_metadata::diagnostic::DiagnosticLevel;

use super::command::cargo;
use super::json_messages::{BuildMessages, BuiltProgram};
use super::outcome::{cargo_error, ran};
use super::process::follow;
use super::run::{Diagnostic, Request, Run};

/// The test programs of a whole workspace, after a build.
#[derive(Debug)]
pub struct Built {
    /// Each package's test program.
    pub programs: BTreeMap<String, Program>,
    /// Each package's compiler messages, warnings and errors.
    pub diagnostics: BTreeMap<String, Vec<Diagnostic>>,
    /// Cargo's own error message, if it failed.
    pub cargo: Option<String>,
}

/// Builds the tests of every package in the workspace at `dir`, in parallel.
pub fn build_tests(dir: &Path, target: &Path) -> Result<Built> {
    let mut command = cargo();
    command
        .current_dir(dir)
        // These crates are never built a second time.
        .env("CARGO_INCREMENTAL", "0")
        .args(["build", "--workspace", "--tests", "--keep-going"])
        .args(["--message-format", MESSAGES, "--target-dir"])
        .arg(target);
    let output = follow(&mut command, None, &mut |_| {})?;
    let messages = BuildMessages::read(&output.stdout);
    let mut built = Built {
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

impl Program {
    /// The command that runs the tests whose paths contain one of `filters` and none of
    /// `skip`, in the same folder and with the same arguments as `cargo test`.
    pub fn command(&self, filters: &[String], skip: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .env("RUST_BACKTRACE", "0")
            .env("CARGO_MANIFEST_DIR", &self.dir)
            .args(filters)
            .args(["--color", "never"])
            .args(skip.iter().flat_map(|path| ["--skip", path]));
        command
    }

    /// Runs the tests that match `filters`, with the variables `env` added.
    pub fn run(
        &self,
        filters: &[String],
        env: &[(&str, String)],
        timeout: Duration,
    ) -> Result<Run> {
        let mut command = self.command(filters, &[]);
        command.envs(env.iter().map(|(key, value)| (key, value)));
        let output = follow(&mut command, Some(timeout), &mut |_| {})?;
        Ok(ran(self.warnings.clone(), &output))
    }
}

/// Builds the test program for a request. The inner `Err` is the result to show to the
/// learner if the build fails.
pub fn build(request: &Request) -> Result<Result<Program, Run>> {
    let mut command = cargo();
    command
        .current_dir(request.dir)
        // Builds the same as `cargo test`, but takes compiler flags for this one crate.
        .args(["rustc", "--profile", "test"])
        .args(request.select)
        .args(["--message-format", MESSAGES, "--"])
        .args(request.without.iter().flat_map(leave_out));
    let output = follow(&mut command, None, &mut |_| {})?;
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
