//! Checks that everything that the book links to, names and counts exists.

mod chapter;
mod html;
mod names;
mod traces;

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result};
use course::book::{Pages, Problem, directives};
use course::repo::Repo;

use crate::build;
use crate::page::{Page, pages};
use crate::preprocess::Directives;
use crate::prose::Prose;

/// The problems found, and the amounts checked.
#[derive(Debug, Default)]
pub struct Report {
    /// The problems, sorted by page.
    pub problems: BTreeSet<Problem>,
    /// The number of pages.
    pub pages: usize,
    /// The number of links, images, styles and scripts.
    pub links: usize,
    /// The number of directives.
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

/// Checks the pages' sources, builds the book into a temporary folder and checks the result.
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
            .extend(chapter::check(&expander, page, &prose));
    }
    report
        .problems
        .extend(chapter::missing(expander.course(), &pages));
    report.problems.extend(names.check_manifests()?);
    report.problems.extend(names.check_readme()?);
    report.problems.extend(traces::unused(repo, &pages)?);

    let built = tempfile::tempdir().context("cannot make a temporary folder for the book")?;
    let warnings = build::build(repo, built.path(), Directives::lenient(expander))?;
    report
        .problems
        .extend(warnings.iter().map(|warning| from_mdbook(&pages, warning)));
    let links = html::check(repo, built.path(), &pages, &mut report.problems)?;
    report.links = links;
    Ok(report)
}

/// A warning of mdBook as a problem of the page that it names, if any.
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
