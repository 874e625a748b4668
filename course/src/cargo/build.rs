//! Test programs: one, as the learner's edit leaves it, or the verifier's many, built by one
//! command and run one by one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;

use super::messages::{Message, Messages, package_name};
use super::process::follow;
use super::{Diagnostic, MESSAGES, Request, Run, cargo, cargo_words, ran};

/// What building the tests of a whole workspace came to.
#[derive(Debug)]
pub struct Built {
    /// Each package's test program.
    pub programs: BTreeMap<String, Program>,
    /// What the compiler had to say of each package, warnings and errors alike.
    pub diagnostics: BTreeMap<String, Vec<Diagnostic>>,
    /// What cargo said on its own behalf, if it failed.
    pub cargo: Option<String>,
}

/// Builds every package's tests in the workspace at `dir`, side by side.
pub fn build_tests(dir: &Path, target: &Path) -> Result<Built> {
    let mut command = cargo();
    command
        .current_dir(dir)
        // Nothing of it is ever built a second time.
        .env("CARGO_INCREMENTAL", "0")
        .args(["build", "--workspace", "--tests", "--keep-going"])
        .args(["--message-format", MESSAGES, "--target-dir"])
        .arg(target);
    let output = follow(&mut command, None, &mut |_| {})?;
    let messages = Messages::read(&output.stdout);
    let mut built = Built {
        programs: BTreeMap::new(),
        diagnostics: BTreeMap::new(),
        cargo: (!messages.built).then(|| cargo_words(&output.stderr)),
    };
    for mut message in messages.all {
        let package = package_name(&message.package_id);
        if let Some((path, dir)) = message.take_program() {
            let program = Program {
                path,
                dir,
                warnings: Vec::new(),
            };
            built.programs.insert(package, program);
        } else if let Some(said) = message.message
            && said.is_about_code()
        {
            let heard = built.diagnostics.entry(package).or_default();
            heard.push(said.into());
        }
    }
    Ok(built)
}

/// A test program that was built.
#[derive(Debug, Clone)]
pub struct Program {
    /// Where it is.
    path: PathBuf,
    /// The folder of its package, in which it runs.
    dir: PathBuf,
    /// The compiler's warnings.
    pub warnings: Vec<Diagnostic>,
}

impl Program {
    /// The command that runs the tests whose paths contain one of `filters` and none of
    /// `skip`, in the folder and with the words that `cargo test` would run them.
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

    /// Runs it to its end.
    pub fn run(
        &self,
        filters: &[String],
        env: &[(&str, String)],
        patience: Duration,
    ) -> Result<Run> {
        let mut command = self.command(filters, &[]);
        command.envs(env.iter().map(|(key, value)| (key, value)));
        let output = follow(&mut command, Some(patience), &mut |_| {})?;
        Ok(ran(self.warnings.clone(), &output))
    }
}

/// Builds the test program that a request asks for. The inner `Err` is what the learner is
/// told where it can't be built.
pub fn build(request: &Request) -> Result<Result<Program, Run>> {
    let mut command = cargo();
    command
        .current_dir(request.dir)
        // What `cargo test` builds, with room for words to the compiler about this one crate.
        .args(["rustc", "--profile", "test"])
        .args(request.select)
        .args(["--message-format", MESSAGES, "--"])
        .args(request.without.iter().flat_map(leave_out));
    let output = follow(&mut command, None, &mut |_| {})?;
    let mut messages = Messages::read(&output.stdout);
    let program = messages.all.iter_mut().find_map(Message::take_program);
    Ok(match program.filter(|_| messages.built) {
        Some((path, dir)) => Ok(Program {
            path,
            dir,
            warnings: messages.of("warning"),
        }),
        None => Err(Run::NotBuilt {
            errors: messages.of("error"),
            cargo: cargo_words(&output.stderr),
        }),
    })
}

/// The compiler's flag that leaves a suite out of `tests/main.rs`.
fn leave_out(feature: &String) -> [String; 2] {
    ["--cfg".to_string(), format!("without={feature:?}")]
}
