//! What a test expects is taught: on the chapter's page or an earlier one, or in their stubs.
//!
//! A text that a test makes up itself, such as an input, need not be taught. Neither does the
//! rest of an expected text around it.

mod expectations;
mod macros;
mod phrases;
mod roles;
mod visit;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result};

use super::context::{Context, Finding};
use crate::book::Pages;
use crate::manifest::Manifest;
use crate::repo::{Repo, rust_files};
use crate::source::Source;
use crate::stubs::Solution;
use expectations::Texts;
use phrases::{Known, untaught};

/// Finds the texts that tests expect and that no page or stub contains.
pub fn check(context: &Context) -> Result<Finding> {
    let progress = context.progress;
    let repo = &progress.repo;
    let pages = Pages::load(repo)?;
    let mut taught = Known::default();
    let mut finding = Finding::default();
    let mut count = 0;
    let mut suites = suites(context)?;
    for (chapter, manifest) in progress.course.written() {
        let page = chapter.page();
        let text = fs::read_to_string(repo.root().join(&page))
            .with_context(|| format!("cannot read {page}"))?;
        taught.add(&pages.without_answers(&format!("{}.md", chapter.stem()), &text));
        for stub in stubs_of(progress.solution()?, manifest) {
            taught.add(&stub);
        }
        if let Some(suite) = suites.remove(&chapter.number) {
            count += suite.check(&taught, &page, &mut finding.problems);
        }
    }
    finding.count = format!("{count} texts that tests expect");
    Ok(finding)
}

/// The suites of the chapters to verify, by chapter. Each is read in a thread of its own, since
/// parsing takes most of the time.
fn suites(context: &Context) -> Result<BTreeMap<u32, Suite>> {
    let repo = &context.progress.repo;
    thread::scope(|scope| {
        let chapters = context.chapters().into_iter();
        let threads = chapters.map(|(chapter, _)| {
            let dir = chapter.suite_dir(repo);
            (chapter.number, scope.spawn(move || Suite::read(repo, &dir)))
        });
        let threads: Vec<_> = threads.collect();
        let suites = threads.into_iter().map(|(number, thread)| {
            let suite = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((number, suite?))
        });
        suites.collect()
    })
}

/// The stubs of the modules that begin in a chapter.
fn stubs_of(solution: &Solution, manifest: &Manifest) -> impl Iterator<Item = String> {
    let is_in = |file: &str, module: &String| {
        let rest = file.strip_prefix(module.as_str());
        rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    };
    let files = solution.files().map(|(file, _)| file);
    let files = files.filter(move |file| manifest.modules.iter().any(|module| is_in(file, module)));
    files.map(|file| solution.render(file, |_| false))
}

/// The test files of a chapter, and those that all chapters share.
struct Suite {
    /// The paths, relative to the repository.
    files: Vec<String>,
    texts: Vec<Texts>,
    /// The number of the chapter's own files, which come first.
    own: usize,
}

impl Suite {
    fn read(repo: &Repo, dir: &Path) -> Result<Self> {
        let mut paths = rust_files(dir)?;
        let own = paths.len();
        let shared = repo.tests().join("support");
        if shared.is_dir() {
            paths.extend(rust_files(&shared)?);
        }
        let sources: Result<Vec<Source>> = paths.iter().map(|path| Source::read(path)).collect();
        Ok(Self {
            files: paths.iter().map(|path| repo.relative(path)).collect(),
            texts: expectations::texts(&sources?),
            own,
        })
    }

    /// Checks every expected text of the chapter's files. Returns how many there are.
    fn check(&self, taught: &Known, page: &str, problems: &mut Vec<String>) -> usize {
        let mut seen = BTreeSet::new();
        for (file, texts) in self.files.iter().zip(&self.texts).take(self.own) {
            let own = self.own_texts(file);
            for expected in &texts.expected {
                if !seen.insert(&expected.text) {
                    continue;
                }
                if let Some(phrase) = untaught(expected, &own, taught) {
                    problems.push(format!(
                        "{file}:{} expects {:?}, and {phrase:?} is not in {page}, on an earlier page or in a stub of these chapters; say it on the page or in a stub's doc comment",
                        expected.line, expected.text
                    ));
                }
            }
        }
        seen.len()
    }

    /// The texts that the tests in `file` make up: those of the file and of all helpers. For a
    /// file of helpers, those of the whole suite.
    fn own_texts(&self, file: &str) -> Known {
        let files = self.files.iter().zip(&self.texts);
        let files =
            files.filter(|(other, _)| *other == file || !is_section(other) || !is_section(file));
        Known::pieces(files.flat_map(|(_, texts)| &texts.own))
    }
}

/// Whether a file has the tests of one section, and not helpers.
fn is_section(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let rest = name.strip_prefix('s').unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_digit())
}
