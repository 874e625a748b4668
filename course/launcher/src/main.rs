//! The program behind the alias `cargo course`. It builds the runner if the runner's sources are
//! newer than the last build, and then runs it.
//!
//! The runner has its own workspace, so that its dependencies and the book builder's stay out of
//! the learner's `Cargo.lock` and do not slow down every `cargo test`. This program has its own,
//! too: cargo looks at each locked package on each run, which costs 60 ms in a workspace of two
//! hundred packages and 20 ms in one without dependencies.

use std::collections::BTreeSet;
use std::ffi::OsString;
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
    // Cargo sets this variable when it runs a program. The path at compile time is wrong once
    // the clone has moved, because cargo does not build the launcher again.
    let launcher = std::env::var_os("CARGO_MANIFEST_DIR");
    let launcher = launcher.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let course = Path::new(&launcher).join("..");
    let target = course.join("../target/runner");
    let runner = built(&target);
    let stamp = target.join("built");
    // An update that was killed has left a mix of old and new sources. The runner of the last build
    // puts the old ones back.
    let unfinished = course.join("../.course/unfinished");
    let is_mixed = runner.exists() && unfinished.exists();
    if !is_mixed && (!runner.exists() || !is_fresh(&course, &stamp)) {
        let start = SystemTime::now();
        if let Some(failed) = build(&course, &target, !runner.exists())? {
            // The last runner can take back the update whose runner cannot be built.
            let is_undo = std::env::args_os().nth(1).is_some_and(|it| it == "undo");
            if !(is_undo && runner.exists()) {
                return Ok(failed);
            }
            return start_runner(&runner);
        }
        // A source saved during the build is newer than its start, so the next run builds it.
        File::create(&stamp)
            .and_then(|file| file.set_modified(start))
            .map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    }
    start_runner(&built(&target))
}

/// The runner that was built last. If cargo's configuration sets `build.target`, cargo builds into
/// a folder with the name of the target.
fn built(target: &Path) -> PathBuf {
    let name = format!("debug/course{}", std::env::consts::EXE_SUFFIX);
    let usual = target.join(&name);
    let folders = fs::read_dir(target).into_iter().flatten().flatten();
    let others = folders.map(|folder| folder.path().join(&name));
    let time = |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
    others
        .chain([usual.clone()])
        .max_by_key(time)
        .unwrap_or(usual)
}

fn start_runner(runner: &Path) -> Result<ExitCode, String> {
    let mut command = Command::new(runner);
    command.args(std::env::args_os().skip(1));
    run(&mut command).map_err(|error| format!("cannot start {}: {error}", runner.display()))
}

/// Builds the runner and shows cargo's progress. Returns an exit code if the build failed.
fn build(course: &Path, target: &Path, first: bool) -> Result<Option<ExitCode>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    if let Some(error) = linker_error(&cargo, course)? {
        eprintln!("course: {error}");
        return Ok(Some(ExitCode::from(2)));
    }
    if first {
        eprintln!("Building the course's runner. This happens once and takes a minute or two.");
    }
    // With the features of the whole workspace, so that the book builder and the tests use the same
    // crates.
    let status = Command::new(cargo)
        .args(["build", "--workspace", "--bin", "course", "--manifest-path"])
        .arg(course.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() {
        return Ok(None);
    }
    eprintln!(
        "course: the runner could not be built. If the error above is about a download, run this once while you are online, and then `cargo course fetch` for all the rest. If it is about course/, `git status` shows what changed there."
    );
    Ok(Some(ExitCode::from(2)))
}

/// Builds the launcher with the linker settings of this machine, if there are any. Returns a line
/// that names the settings, and then cargo's error, if that fails.
fn linker_error(cargo: &OsString, course: &Path) -> Result<Option<String>, String> {
    let settings = linker_settings(course);
    if settings.is_empty() {
        return Ok(None);
    }
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--manifest-path"])
        .arg(course.join("launcher/Cargo.toml"))
        .arg("--target-dir")
        .arg(course.join("../target/launcher/linked"))
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    Ok((!output.status.success()).then(|| {
        format!(
            "the linker failed; check `rustflags` and `linker` in {}. Cargo's error:\n{}",
            settings.join(" and "),
            String::from_utf8_lossy(&output.stderr)
        )
    }))
}

/// The configuration files and variables that set a linker or flags for the compiler, which can be
/// the linker's.
fn linker_settings(course: &Path) -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let folders = course.ancestors().map(|folder| folder.join(".cargo"));
    let files: BTreeSet<PathBuf> = folders
        .chain(home)
        .flat_map(|folder| ["config", "config.toml"].map(|name| folder.join(name)))
        .filter(|file| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let mut lines = text.lines().map(str::trim_start);
            lines.any(|line| line.starts_with("rustflags") || line.starts_with("linker"))
        })
        .collect();
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let variables =
        variables.filter(|name| name.ends_with("RUSTFLAGS") || name.ends_with("_LINKER"));
    let files = files.iter().map(|file| file.display().to_string());
    files.chain(variables).collect()
}

/// Whether every source of the runner is older than its last build.
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

/// Replaces this process with the runner, so that the runner receives signals directly.
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
