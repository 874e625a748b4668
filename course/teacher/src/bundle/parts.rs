//! What is added to the clone: the crates, the runner and the book.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use course::cargo;
use course::cargo_config;
use course::repo::Repo;

use super::shown_command::run_shown;

/// Copies the sources of the crates of all workspaces, and tells cargo to use them.
pub(super) fn vendor(room: &Path) -> Result<()> {
    let mut command = cargo::cargo();
    command
        .current_dir(room)
        // The names with versions tell `cargo course fetch` which crates are there.
        .args(["vendor", "--quiet", "--locked", "--versioned-dirs"])
        .args(["--manifest-path", "claw-code/Cargo.toml"])
        .args(["--sync", "claw-code/course/Cargo.toml", "vendor"])
        // It prints the configuration.
        .stdout(Stdio::null());
    run_shown(&mut command, "copy the sources of the crates")?;
    let config = room.join(".cargo/config.toml");
    fs::create_dir_all(room.join(".cargo"))
        .and_then(|()| fs::write(&config, CONFIG))
        .with_context(|| format!("cannot write {}", config.display()))
}

/// The clone is below the folder, so that cargo finds this file, and the clone has no changed file.
const CONFIG: &str = "\
[source.crates-io]
replace-with = \"room\"

[source.room]
directory = \"vendor\"

[net]
offline = true
";

/// Builds the runner of the clone in the folder `build`, and copies the program into the clone.
pub(super) fn runner(room: &Path, build: &Path) -> Result<()> {
    let clone = room.join("claw-code");
    // Otherwise, messages of panics contain the maker's folders.
    let mut flags = format!("--remap-path-prefix={}=room", room.display());
    if let Some(home) = cargo_config::home() {
        flags += &format!("\u{1f}--remap-path-prefix={}=cargo", home.display());
    }
    let mut command = cargo::cargo();
    command
        .current_dir(&clone)
        .args(["build", "--quiet", "--locked", "--offline"])
        .args([
            "--package",
            "course",
            "--manifest-path",
            "course/Cargo.toml",
        ])
        .arg("--target-dir")
        .arg(build)
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .env("CARGO_PROFILE_DEV_STRIP", "symbols")
        .env("CARGO_INCREMENTAL", "0");
    run_shown(&mut command, "build the runner")?;
    let program = format!("course{}", env::consts::EXE_SUFFIX);
    let built = built(build, &program)?;
    let folder = clone.join("target/runner/debug");
    let copy = || -> std::io::Result<()> {
        fs::create_dir_all(&folder)?;
        fs::copy(built, folder.join(&program))?;
        File::create(clone.join("target/runner/built"))?;
        Ok(())
    };
    copy().context("cannot copy the runner")
}

/// Builds the clone's book with the maker's book builder.
pub(super) fn book(repo: &Repo, room: &Path) -> Result<()> {
    let target = repo.root().join("target/runner");
    let mut command = cargo::cargo();
    // Not in the clone, where cargo would compile the builder again from the copied crates.
    command
        .current_dir(repo.root())
        .args(["build", "--quiet", "--package", "course-book"])
        .args(["--manifest-path", "course/Cargo.toml", "--target-dir"])
        .arg(&target);
    run_shown(&mut command, "build the book builder")?;
    let program = format!("course-book{}", env::consts::EXE_SUFFIX);
    let mut command = Command::new(built(&target, &program)?);
    command
        .current_dir(room.join("claw-code"))
        .args(["build", "--dest"])
        .arg(room.join("book"))
        .stdout(Stdio::null());
    run_shown(&mut command, "build the book")
}

/// The program that cargo has built last in the folder `target`. If its configuration sets
/// `build.target`, it builds into a folder with the name of the target.
fn built(target: &Path, program: &str) -> Result<PathBuf> {
    let folders = fs::read_dir(target).into_iter().flatten().flatten();
    let folders = folders.map(|folder| folder.path().join("debug"));
    let programs = folders
        .chain([target.join("debug")])
        .map(|it| it.join(program));
    let built = programs.filter_map(|it| Some((fs::metadata(&it).ok()?.modified().ok()?, it)));
    let (_, newest) = built
        .max()
        .with_context(|| format!("cargo built no {program}"))?;
    Ok(newest)
}
