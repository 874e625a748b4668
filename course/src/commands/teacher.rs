//! The commands for teachers, which are a program of their own.

use std::ffi::OsString;

use anyhow::Result;

use super::{Outcome, start};
use crate::cargo;
use crate::repo::Repo;

/// Builds the teachers' program and starts its command `name` in the current folder.
pub fn teacher(repo: &Repo, name: &str, arguments: &[OsString]) -> Result<Outcome> {
    let mut command = cargo::cargo();
    command
        .args(["run", "--quiet", "--package", "course-teacher"])
        .arg("--manifest-path")
        .arg(repo.root().join("course/Cargo.toml"))
        .arg("--target-dir")
        .arg(repo.root().join("target/runner"))
        .args(["--", name])
        .args(arguments);
    start(&mut command)
}
