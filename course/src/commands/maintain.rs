//! `cargo course generate`: writes the stubs and the lists of test files.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{Outcome, saved};
use crate::progress::Progress;
use crate::repo;
use crate::saves;
use crate::suites;
use crate::view::Style;

/// Makes `src/` the stubs of the reference and nothing else, and writes the lists of test
/// files for both crates.
pub fn generate(progress: &Progress, style: &Style) -> Result<Outcome> {
    let src = progress.repo.src();
    let stubs = progress.solution()?.stubs();
    let count = stubs.len();
    let mut changes = BTreeMap::new();
    for path in repo::rust_files(&src)? {
        changes.insert(path, None);
    }
    for (file, text) in stubs {
        changes.insert(src.join(file), Some(text.into_bytes()));
    }
    for (path, text) in suites::lists(&progress.repo, &progress.course)? {
        changes.insert(path, Some(text.into_bytes()));
    }
    let save = saves::overwrite(&progress.repo, "generate", &changes)?;
    Ok(match save {
        Some(save) => {
            let mut lines = vec![format!(
                "src/ and the lists of tests are generated: {count} stubs."
            )];
            lines.extend(saved(style, &save));
            lines
        }
        None => vec![format!(
            "src/ and the lists of tests were current already: {count} stubs."
        )],
    }
    .into())
}
