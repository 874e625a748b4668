//! `cargo course demo`: runs the agent on a copy of a small project.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Outcome, build_and_start};
use crate::cargo_config;
use crate::messages::Style;
use crate::open_chapter::open_chapter;
use crate::repo::Repo;

/// Copies the demo project to a temporary folder and starts the reference's `claw` there, or
/// the learner's with `yours`. With a `prompt`, `claw` answers it and exits.
///
/// `claw` stores the conversation next to the temporary folder, not with the user's sessions.
pub fn demo(repo: &Repo, style: &Style, yours: bool, prompt: &[String]) -> Result<Outcome> {
    let project = tempfile::Builder::new()
        .prefix("claw-demo-")
        .tempdir()
        .context("cannot make a temporary folder")?;
    copy(&repo.root().join("course/demo"), project.path())?;
    let project = project.keep();
    eprintln!("Project folder: {}", project.display());
    if prompt.is_empty() {
        eprintln!("{}", style.dim(SUGGESTION));
    }
    let program = format!("debug/claw{}", std::env::consts::EXE_SUFFIX);
    if !cargo_config::target_dir(repo.root()).join(program).exists() {
        eprintln!("{}", style.dim(BUILDING));
    }
    let manifest = repo.cargo_toml();
    let text = fs::read_to_string(&manifest).unwrap_or_default();
    let has_permissions = !yours || open_chapter(&text).is_ok_and(|open| open >= 10);
    let [option, package] = match yours {
        true => ["--features", "claw"],
        false => ["--package", "claw-code-solutions"],
    };
    let manifest = manifest.to_string_lossy();
    let select = [
        "--manifest-path",
        &manifest,
        option,
        package,
        "--bin",
        "claw",
    ];
    build_and_start(style, &select, |command| {
        command
            .current_dir(&project)
            .env("CLAW_HOME", project.with_extension("home"))
            .arg("--offline");
        // Chapter 10 adds permissions. The project is a copy, and the offline model runs only its
        // tests.
        if has_permissions {
            command.args(["--permission-mode", "bypass"]);
        }
        if !prompt.is_empty() {
            command.arg("--prompt").arg(prompt.join(" "));
        }
    })
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let missing = || {
        let from = from.display();
        format!("cannot copy {from}; `git status` shows what is missing")
    };
    fs::create_dir_all(to).with_context(missing)?;
    for entry in fs::read_dir(from).with_context(missing)? {
        let entry = entry.with_context(missing)?;
        let target = to.join(entry.file_name());
        match entry.file_type().with_context(missing)?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target).with_context(missing)?),
        }
    }
    Ok(())
}

const SUGGESTION: &str = "\
Its tests fail. Ask for anything, such as: make the tests pass.";
const BUILDING: &str = "Building claw. The first time, this takes about a minute.";
