//! `cargo course fetch`: downloads what the whole course needs.

use anyhow::{Result, ensure};

use super::Outcome;
use crate::cargo;
use crate::crate_cache::{CrateCache, WORKSPACES};
use crate::messages::Style;
use crate::repo::Repo;
use crate::verdict_cache::VerdictCache;

/// Downloads the crates of every chapter, of the demo and of the book, and shows cargo's progress.
pub fn fetch(repo: &Repo, style: &Style) -> Result<Outcome> {
    let crates = CrateCache::load(repo)?;
    eprintln!(
        "{} of the {} crates that the course uses are not on this machine.",
        crates.missing(),
        crates.count()
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
    let mut lines =
        vec![style.green(
            "Everything is here: all chapters, the demo and the book build without a network.",
        )];
    // None in an archive of `cargo course bundle`, which has the sources of the crates.
    let bytes = CrateCache::load(repo)?.bytes();
    if bytes > 0 {
        lines.push(style.dim(&format!(
            "{} MB of crates, in cargo's home folder.",
            bytes.div_ceil(1_000_000)
        )));
    }
    Ok(lines.into())
}

/// The offer to download everything. `None` if it is all there, or if there are verdicts, so that this
/// is not the first run.
pub fn fetch_offer(repo: &Repo, verdicts: &VerdictCache) -> Result<Option<String>> {
    if !verdicts.is_empty() {
        return Ok(None);
    }
    Ok(match CrateCache::load(repo)?.missing() {
        0 => None,
        count => Some(format!(
            "Later chapters, the demo and the book need {count} more crates. `cargo course fetch` downloads them all now; after that, no network is needed."
        )),
    })
}
