//! The course as published, without anything of the maker's.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use course::git_clone::{cloned_commit, git};
use course::repo::Repo;

use super::shown_command::run_shown;

/// Clones the commit of the course that `repo` was cloned from into the new folder `clone`, and
/// returns its first digits and date. Later commits and changes of files are the maker's own work
/// and stay out; so do the maker's name and paths, which git keeps in its logs.
pub fn clone_course(repo: &Repo, clone: &Path) -> Result<String> {
    let commit = cloned_commit(repo)
        .context("the archive is made from a git clone, and this folder is none")?;
    fs::create_dir_all(clone).with_context(|| format!("cannot make {}", clone.display()))?;
    let source = repo.root().to_str().context("the path is not UTF-8")?;
    let into = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(clone).args(arguments);
        run_shown(&mut command, "clone the course")
    };
    into(&["init", "--quiet", "--template=", "--initial-branch=main"])?;
    let branch = format!("{commit}:refs/remotes/origin/main");
    // A remote of version 2 of the protocol sends any commit.
    into(&[
        "-c",
        "protocol.version=2",
        "fetch",
        "--quiet",
        "--depth=1",
        &format!("file://{source}"),
        &branch,
    ])?;
    into(&[
        "-c",
        "core.autocrlf=false",
        "checkout",
        "--quiet",
        "--no-track",
        "-B",
        "main",
        "refs/remotes/origin/main",
    ])?;
    into(&[
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
    ])?;
    // `cargo course update` looks there, once a learner is online again.
    if let Some(address) = public_address(repo) {
        into(&["remote", "add", "origin", &address])?;
    }
    let git_folder = clone.join(".git");
    let _ = fs::remove_dir_all(git_folder.join("logs"));
    for file in ["FETCH_HEAD", "ORIG_HEAD"] {
        let _ = fs::remove_file(git_folder.join(file));
    }
    let described = git(clone, &["log", "-1", "--format=%h of %cs"]);
    Ok(described.unwrap_or(commit).trim().to_string())
}

/// The address from which the maker cloned, if it is on the web and holds no user name or password.
fn public_address(repo: &Repo) -> Option<String> {
    let address = git(repo.root(), &["remote", "get-url", "origin"])?;
    let address = address.trim();
    let is_public = address.starts_with("https://") && !address.contains('@');
    is_public.then(|| address.to_string())
}
