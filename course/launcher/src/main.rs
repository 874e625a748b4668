//! What `cargo course` starts. It builds the runner when its sources are newer than
//! the last build, and then becomes it.
//!
//! The runner is a workspace of its own, so that its dependencies, and the book
//! builder's, weigh neither on the learner's `Cargo.lock` nor on every `cargo test`.
//! So is this program: cargo looks at each locked package on each run, which costs
//! 60 ms in a workspace of two hundred packages, and 20 in one of none.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

fn main() -> ExitCode {
    match launch() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("course: {error}");
            ExitCode::from(2)
        }
    }
}

fn launch() -> Result<ExitCode, String> {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = course.join("../target/runner");
    let runner = target
        .join("debug")
        .join(format!("course{}", std::env::consts::EXE_SUFFIX));
    let stamp = target.join("built");
    if !runner.exists() || !is_fresh(&course, &stamp) {
        let start = SystemTime::now();
        if let Some(failed) = build(&course, &target, !runner.exists())? {
            return Ok(failed);
        }
        // A source saved while the build ran is newer than its start, and built next time.
        File::create(&stamp)
            .and_then(|file| file.set_modified(start))
            .map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    }
    let mut command = Command::new(&runner);
    command.args(std::env::args_os().skip(1));
    run(&mut command).map_err(|error| format!("cannot start {}: {error}", runner.display()))
}

/// Builds the runner, with cargo's progress in sight. A failed build's exit code.
fn build(course: &Path, target: &Path, first: bool) -> Result<Option<ExitCode>, String> {
    if first {
        eprintln!("Building the course's runner. This is done once and takes about half a minute.");
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--package", "course", "--manifest-path"])
        .arg(course.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() {
        return Ok(None);
    }
    eprintln!(
        "course: the runner could not be built. If the messages above speak of a download, run this once with a network; if they speak of course/, `git status` shows what changed there."
    );
    Ok(Some(ExitCode::from(2)))
}

/// Whether no source of the runner is as new as its last build.
fn is_fresh(course: &Path, stamp: &Path) -> bool {
    let Ok(built) = fs::metadata(stamp).and_then(|stamp| stamp.modified()) else {
        return false;
    };
    let sources = [
        course.join("src"),
        course.join("Cargo.toml"),
        course.join("Cargo.lock"),
    ];
    sources
        .into_iter()
        .all(|path| is_older(&path, built).unwrap_or(false))
}

fn is_older(path: &PathBuf, than: SystemTime) -> io::Result<bool> {
    let metadata = fs::metadata(path)?;
    if metadata.modified()? >= than {
        return Ok(false);
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            if !is_older(&entry?.path(), than)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Becomes the runner, so that signals reach it as if it had been started directly.
#[cfg(unix)]
fn run(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> io::Result<ExitCode> {
    let code = command
        .status()?
        .code()
        .and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(2)))
}
