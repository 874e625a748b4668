//! Checks that a page shows each recorded trace.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use course::book::{Problem, directives};
use course::repo::Repo;

use crate::page::Page;

/// The traces that no page shows.
pub(super) fn unused(repo: &Repo, pages: &[Page]) -> Result<Vec<Problem>> {
    let folder = repo.traces();
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let shown: BTreeSet<&str> = pages
        .iter()
        .flat_map(|page| directives(&page.text))
        .filter(|directive| directive.name == "trace")
        .map(|directive| directive.argument)
        .collect();
    let mut problems = Vec::new();
    for entry in fs::read_dir(&folder).context("cannot list the traces")? {
        let path = entry.context("cannot list the traces")?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !shown.contains(name.as_ref()) {
            problems.push(Problem {
                page: repo.relative(&path),
                line: 1,
                message: format!(
                    "no page shows this trace; add `{{{{#trace {name}}}}}` or delete the file"
                ),
            });
        }
    }
    Ok(problems)
}
