//! Builds test programs: one from the learner's sources, or many for the verifier with one
//! cargo command.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use cargo_metadata::diagnostic::DiagnosticLevel;

use super::command::{at_low_priority, cargo};
use super::json_messages::{BuildMessages, BuiltProgram};
use super::limits::Limits;
use super::outcome::cargo_error;
use super::process::{self, INTERRUPTED, Output};
use super::progress::Step;
use super::run::{Diagnostic, Request, Run};
use super::supervisor::supervised;
use super::test_program::Program;

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
        .args([subcommand, "--tests", "--keep-going"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(["--message-format", MESSAGES, "--target-dir"])
        .arg(target);
    let output = process::run(&mut command, None, |_| {})?;
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
            limits: None,
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

/// The compiler's flags for a test program without the tests of some chapters, which are given by
/// their features. The tests of one chapter compile much faster than all of them.
pub fn leave_out(features: impl IntoIterator<Item = String>) -> Vec<String> {
    let cfg = |feature| ["--cfg".to_string(), format!("without={feature:?}")];
    features.into_iter().flat_map(cfg).collect()
}

/// Builds the test program for a request. Calls `on_progress` with each step. The inner `Err` is
/// the result to show to the learner if the build fails.
pub fn build(
    request: &Request,
    on_progress: &mut impl FnMut(Step),
) -> Result<Result<Program, Run>> {
    let output = run(command(request), request.limits, on_progress)?;
    let mut messages = BuildMessages::read(&output.stdout);
    let program = messages.programs.pop().filter(|_| messages.built);
    Ok(match program {
        Some(BuiltProgram { path, dir, .. }) => Ok(Program {
            path,
            dir: match request.manifest {
                Some(_) => request.dir.to_path_buf(),
                None => dir,
            },
            warnings: messages.of(DiagnosticLevel::Warning),
            limits: request.limits.cloned(),
        }),
        None if output.hung => Err(Run::NotBuilt {
            errors: Vec::new(),
            cargo: TOO_SLOW.to_string(),
        }),
        None => Err(Run::NotBuilt {
            errors: messages.of(DiagnosticLevel::Error),
            cargo: cargo_error(&output.stderr),
        }),
    })
}

/// Builds the program that cargo's arguments `select`, and returns its file. Calls `on_progress`
/// with each step. The inner `Err` has the compiler's errors and cargo's if the build fails.
pub fn build_program(
    select: &[&str],
    mut on_progress: impl FnMut(Step),
) -> Result<Result<PathBuf, (Vec<Diagnostic>, String)>> {
    let mut command = cargo();
    command
        .arg("build")
        .args(select)
        .args(["--message-format", MESSAGES]);
    let output = run(command, None, &mut on_progress)?;
    let messages = BuildMessages::read(&output.stdout);
    if let Some(program) = messages.executables.last()
        && messages.built
    {
        return Ok(Ok(program.clone()));
    }
    let errors = messages.of(DiagnosticLevel::Error);
    Ok(Err((errors, cargo_error(&output.stderr))))
}

/// Runs cargo within `limits`, and calls `on_progress` with each step.
fn run(
    mut command: Command,
    limits: Option<&Limits>,
    on_progress: &mut impl FnMut(Step),
) -> Result<Output> {
    command
        // Cargo shows its progress only in a terminal, unless it is told how wide that is.
        .env("CARGO_TERM_PROGRESS_WHEN", "always")
        .env("CARGO_TERM_PROGRESS_WIDTH", "120");
    if let Some(limits) = limits {
        command = supervised(&command, Some(limits), &[]);
    }
    let end = limits.and_then(|limits| limits.end);
    // A part can end inside a line, which then continues in the next part.
    let mut unread = String::new();
    process::run(&mut command, end, |part| {
        unread.push_str(part);
        Step::in_stderr(&unread)
            .into_iter()
            .for_each(&mut *on_progress);
        let line_start = unread.rfind(['\r', '\n']).map_or(0, |at| at + 1);
        unread.drain(..line_start);
    })
}

/// Builds the test program for a request with the lowest priority. An `Err` if
/// [`kill_running`](super::kill_running) was called since the request.
pub fn build_ahead(request: &Request) -> Result<()> {
    ensure!(process::kills() == request.kills, INTERRUPTED);
    process::run(&mut at_low_priority(&command(request)), None, |_| {})?;
    ensure!(process::kills() == request.kills, INTERRUPTED);
    Ok(())
}

/// Builds the same as `cargo test`, but takes compiler flags for the test program alone.
fn command(request: &Request) -> Command {
    let manifest = request.manifest.into_iter();
    let mut command = cargo();
    command
        .current_dir(request.dir)
        .args(["rustc", "--profile", "test"])
        .args(manifest.flat_map(|path| [OsStr::new("--manifest-path"), path.as_os_str()]))
        .args(request.select)
        .args(["--message-format", MESSAGES, "--"])
        .args(request.flags)
        .args(request.without_lines.then_some("-Cdebuginfo=0"));
    command
}

const TOO_SLOW: &str = "the build did not finish within the time limit";

/// One JSON object a line; compiler messages are rendered as a terminal shows them.
const MESSAGES: &str = "json-diagnostic-rendered-ansi";
