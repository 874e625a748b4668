//! Whether the book is true: what it links to, names and counts is there.

mod chapter;
mod html;
mod names;

use std::collections::BTreeSet;
use std::fmt;
use std::fs;

use anyhow::{Context, Result};
use course::book::{Pages, Problem, directives};
use course::repo::Repo;

use crate::build;
use crate::preprocess::Directives;
use crate::prose::Prose;

/// What was found, and in how much.
#[derive(Debug, Default)]
pub struct Report {
    /// What has to be mended, page by page.
    pub problems: BTreeSet<Problem>,
    /// How many pages were read.
    pub pages: usize,
    /// How many links, images, styles and scripts were followed.
    pub links: usize,
    /// How many directives were expanded.
    pub directives: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            writeln!(f, "problem: {problem}")?;
        }
        writeln!(
            f,
            "checked: {} pages, {} links, {} directives",
            self.pages, self.links, self.directives
        )
    }
}

/// A page's source.
pub struct Page {
    /// Its path below `book/src`.
    pub name: String,
    /// Its markdown.
    pub text: String,
}

impl Page {
    /// A problem on `line` of it.
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

/// Checks the sources, builds the book into a temporary folder, and checks that.
pub fn check(repo: &Repo) -> Result<Report> {
    let expander = Pages::load(repo)?;
    let pages = pages(repo)?;
    let mut report = Report {
        pages: pages.len(),
        ..Report::default()
    };
    let names = names::Names::load(repo)?;
    for page in &pages {
        let prose = Prose::parse(&page.text);
        let (_, problems) = expander.expand_leniently(&page.name, &page.text);
        report.problems.extend(problems);
        report.directives += directives(&page.text).count();
        report.problems.extend(names.check(page, &prose));
        report
            .problems
            .extend(chapter::check(expander.course(), page, &prose));
    }
    report
        .problems
        .extend(chapter::missing(expander.course(), &pages));
    report.problems.extend(names.check_readme()?);

    let built = tempfile::tempdir().context("cannot make a temporary folder for the book")?;
    let warnings = build::build(repo, built.path(), Directives::lenient(expander))?;
    report
        .problems
        .extend(warnings.iter().map(|warning| from_mdbook(&pages, warning)));
    let links = html::check(built.path(), &pages, &mut report.problems)?;
    report.links = links;
    Ok(report)
}

/// A warning of mdBook's, put down to the page that it names, if it does.
fn from_mdbook(pages: &[Page], warning: &str) -> Problem {
    let message = format!("mdBook warns: {}", warning.replace('\n', " "));
    match pages.iter().find(|page| warning.contains(&page.name)) {
        Some(page) => page.problem(1, message),
        None => Problem {
            page: "book/book.toml".to_string(),
            line: 1,
            message,
        },
    }
}
