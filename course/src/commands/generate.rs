//! `cargo course generate`: writes the stubs and the lists of chapters.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{Outcome, backed_up};
use crate::backups;
use crate::generated::{self, with_modules};
use crate::messages::Style;
use crate::progress::Progress;
use crate::repo;

/// Makes `src/` the stubs of the reference and nothing else, and writes the lists of
/// chapters for both crates: features, modules, test files.
pub fn generate(progress: &Progress, style: &Style) -> Result<Outcome> {
    let (repo, course) = (&progress.repo, &progress.course);
    let mut changes = BTreeMap::new();
    for path in repo::rust_files(&repo.src())? {
        changes.insert(path, None);
    }
    for (path, text) in generated::lists(repo, course)? {
        changes.insert(path, Some(text.into_bytes()));
    }
    let stubs = progress.solution()?.stubs();
    let count = stubs.len();
    for (file, mut text) in stubs {
        if file == "lib.rs" {
            text = with_modules(repo, course, &text)?;
        }
        changes.insert(repo.src().join(file), Some(text.into_bytes()));
    }
    let backup = backups::overwrite(repo, "generate", &changes)?;
    // Left by a run that was killed.
    for dir in [repo.src(), repo.tests(), repo.root().join("solutions")] {
        repo::remove_temporary_files(&dir)?;
    }
    Ok(match backup {
        Some(backup) => {
            let mut lines = vec![format!(
                "src/ and the lists of chapters are generated: {count} stubs."
            )];
            lines.extend(backed_up(style, &backup));
            lines
        }
        None => vec![format!(
            "src/ and the lists of chapters were current already: {count} stubs."
        )],
    }
    .into())
}
