//! Test programs built by one command and run one by one, as the verifier wants them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;

use super::messages::{Messages, package_name};
use super::process::follow;
use super::{Diagnostic, MESSAGES, Run, cargo, cargo_words, ran};

/// What building the tests of a whole workspace came to.
#[derive(Debug)]
pub struct Built {
    /// Each package's test program.
    pub programs: BTreeMap<String, PathBuf>,
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
    for message in messages.all {
        let package = package_name(&message.package_id);
        if let Some(program) = message.executable {
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

/// Runs a test program that [`build_tests`] has built, in the folder `dir`.
pub fn run_program(
    program: &Path,
    dir: &Path,
    filters: &[String],
    env: &[(&str, String)],
    patience: Duration,
) -> Result<Run> {
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .stdin(Stdio::null())
        .env("RUST_BACKTRACE", "0")
        .env("CARGO_MANIFEST_DIR", dir)
        .args(filters)
        .args(["--color", "never"])
        .envs(env.iter().map(|(key, value)| (key, value)));
    let output = follow(&mut command, Some(patience), &mut |_| {})?;
    Ok(ran(Vec::new(), &output.stdout, &output))
}
