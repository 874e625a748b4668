//! `cargo course generate`: the stubs, made anew.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{Outcome, saved};
use crate::progress::Progress;
use crate::repo;
use crate::saves;
use crate::view::Style;

/// Makes `src/` what the reference and the manifests say: stubs, and nothing else.
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
    let save = saves::overwrite(&progress.repo, "generate", &changes)?;
    Ok(match save {
        Some(save) => {
            let mut lines = vec![format!("src/ is {count} files of stubs.")];
            lines.extend(saved(style, &save));
            lines
        }
        None => vec![format!("src/ was in step already: {count} files.")],
    }
    .into())
}
