//! `cargo course fetch`: downloads what the whole course needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use toml_edit::DocumentMut;

use super::Outcome;
use crate::cargo;
use crate::messages::Style;
use crate::repo::Repo;

/// The workspaces, by their manifests: the learner's crate with the reference and the offline
/// model, and the runner with the book builder.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "course/Cargo.toml"];

/// Downloads the crates of every chapter, of the demo and of the book, and shows cargo's progress.
pub fn fetch(repo: &Repo, style: &Style) -> Result<Outcome> {
    let missing = missing(repo)?.len();
    eprintln!(
        "{missing} of the {} crates that the course uses are not on this machine.",
        crates(repo)?.len()
    );
    for workspace in WORKSPACES {
        let manifest = repo.root().join(workspace);
        if !manifest.exists() {
            continue;
        }
        let mut command = cargo::cargo();
        command
            .args(["fetch", "--locked", "--manifest-path"])
            .arg(manifest);
        let status = command.status().map_err(cargo::not_started)?;
        ensure!(
            status.success(),
            "not everything could be downloaded; see the message above, and run `cargo course fetch` again"
        );
    }
    let bytes: u64 = crates(repo)?
        .iter()
        .filter_map(|file| archive(file))
        .map(|(_, size)| size)
        .sum();
    Ok(vec![
        style.green(
            "Everything is here: all chapters, the demo and the book build without a network.",
        ),
        style.dim(&format!(
            "{} MB of crates, in cargo's home folder.",
            bytes.div_ceil(1_000_000)
        )),
    ]
    .into())
}

/// The offer to download everything, for the first run. Nothing if it is all there.
pub(super) fn offer(repo: &Repo) -> Result<Vec<String>> {
    Ok(match missing(repo)?.len() {
        0 => Vec::new(),
        count => vec![format!(
            "Later chapters, the demo and the book need {count} more crates. `cargo course fetch` downloads them all now; after that, no network is needed."
        )],
    })
}

/// The crates that have not been downloaded, as the names of their archives.
fn missing(repo: &Repo) -> Result<Vec<String>> {
    let crates = crates(repo)?.into_iter();
    Ok(crates.filter(|file| archive(file).is_none()).collect())
}

/// The archives of all crates in the lock files, such as `serde-1.0.0.crate`. Crates that only
/// other systems need are among them.
fn crates(repo: &Repo) -> Result<BTreeSet<String>> {
    let mut crates = BTreeSet::new();
    for workspace in WORKSPACES {
        let path = repo.root().join(workspace).with_file_name("Cargo.lock");
        if !path.exists() {
            continue;
        }
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let lock: DocumentMut = text.parse().context("Cargo.lock is broken")?;
        let packages = lock.get("package").and_then(|it| it.as_array_of_tables());
        for package in packages.into_iter().flatten() {
            let text = |key: &str| package.get(key).and_then(|value| value.as_str());
            if let (Some(name), Some(version), Some(_)) =
                (text("name"), text("version"), text("source"))
            {
                crates.insert(format!("{name}-{version}.crate"));
            }
        }
    }
    Ok(crates)
}

/// The path and size of an archive in cargo's home folder.
fn archive(file: &str) -> Option<(PathBuf, u64)> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    let registries = fs::read_dir(home.join("registry/cache")).ok()?;
    registries.flatten().find_map(|registry| {
        let path = registry.path().join(file);
        let size = fs::metadata(&path).ok()?.len();
        Some((path, size))
    })
}
