//! The pages of the book.

use std::fs;

use anyhow::{Context, Result};
use course::book::Problem;
use course::repo::Repo;

/// The source of a page.
pub struct Page {
    /// Its path below `book/src`.
    pub name: String,
    /// Its markdown.
    pub text: String,
}

impl Page {
    /// A problem on `line` of this page.
    pub(crate) fn problem(&self, line: usize, message: impl Into<String>) -> Problem {
        Problem {
            page: format!("book/src/{}", self.name),
            line,
            message: message.into(),
        }
    }
}

/// Every page in `book/src`, sorted by name.
pub fn pages(repo: &Repo) -> Result<Vec<Page>> {
    let folder = repo.book();
    let mut pages = Vec::new();
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.context("cannot list the pages")?.path();
        let name = repo.relative(&path).replace("book/src/", "");
        if name.ends_with(".md") && name != "SUMMARY.md" {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            pages.push(Page { name, text });
        }
    }
    pages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(pages)
}
