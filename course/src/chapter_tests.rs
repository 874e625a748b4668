//! What cargo builds for the tests of some chapters.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Result;

use crate::cargo::{self, Diagnostic, Request, Run, Step};
use crate::chapter_crate::ChapterCrate;
use crate::course_toml::{Chapter, Course};
use crate::manifest::{Manifest, SectionId};
use crate::program::PROGRAM;
use crate::repo::Repo;
use crate::source::{Source, top_module};
use crate::verdict::{self, SectionPieces};

/// The tests of some open chapters.
pub struct ChapterTests<'a> {
    course: &'a Course,
    /// What the paths of the tests contain.
    filters: Vec<String>,
    /// The run counts as hung when no test finishes for this long.
    timeout: Duration,
    /// The compiler's flags for the test program.
    flags: Vec<String>,
    /// How the only chapter is built with as little other code as possible.
    alone: Option<Alone<'a>>,
}

/// A build as a [`ChapterCrate`].
struct Alone<'a> {
    chapter: &'a Chapter,
    manifest: &'a Manifest,
    /// The newest open chapter. Its crates are built already.
    open: &'a Chapter,
    /// The sections whose tests are built.
    sections: BTreeSet<SectionId>,
}

impl<'a> ChapterTests<'a> {
    /// The tests of the chapters `numbers`, of which `open` is the newest open one, for a learner
    /// who has written `pieces`.
    ///
    /// A single chapter is built without the code and the tests of the chapters after it, without
    /// the tests of those before it, and without those of sections that are
    /// [not begun](verdict::to_test), in a fraction of the time. Several are built as
    /// plain `cargo test` does, with the code and the tests of all open chapters.
    pub fn new(
        course: &'a Course,
        open: u32,
        numbers: &[u32],
        pieces: &SectionPieces,
    ) -> Result<Self> {
        let mut tests = Self {
            course,
            filters: Vec::new(),
            timeout: Duration::ZERO,
            flags: Vec::new(),
            alone: None,
        };
        for number in numbers {
            let (chapter, manifest) = course.open_chapter(*number, open)?;
            tests.filters.push(format!("{}::", chapter.feature()));
            let timeout = Duration::from_secs(manifest.timeout_seconds);
            tests.timeout = tests.timeout.max(timeout);
        }
        if let &[number] = numbers {
            let (chapter, manifest) = course.chapter_here(number)?;
            let others = course.written().map(|(chapter, _)| chapter);
            let others = others.filter(|other| other.number <= open && other.number != number);
            tests.flags = cargo::leave_out(others.map(Chapter::feature));
            tests.alone = Some(Alone {
                chapter,
                manifest,
                open: course.chapter(open)?,
                sections: verdict::to_test(manifest, pieces),
            });
        }
        Ok(tests)
    }

    /// Builds and runs the tests. Calls `on_progress` with each step.
    ///
    /// If a chapter does not compile or start [alone](Alone) because of that, it is built as plain
    /// `cargo test` does. For `kills`, see [`Request::kills`].
    pub fn run(
        &self,
        repo: &Repo,
        kills: usize,
        mut on_progress: impl FnMut(Step) + Send,
    ) -> Result<Run> {
        let select = ["--test", "main"].map(String::from);
        let all = Request {
            dir: repo.root(),
            manifest: None,
            select: &select,
            flags: &self.flags,
            without_lines: false,
            filters: &self.filters,
            timeout: self.timeout,
            limits: None,
            kills,
        };
        // Cargo reports what is wrong with a manifest of which no other can be made.
        if let Some(alone) = &self.alone
            && self.has_only_known_modules(repo)
            && let Ok(package) = alone.write(repo, self.course)
        {
            let run = cargo::test(
                &package.request(&self.filters, self.timeout, kills),
                &mut on_progress,
            )?;
            let needs_all = match &run {
                Run::NotBuilt { errors, .. } => {
                    errors.is_empty() || errors.iter().any(|error| alone.may_cause(error))
                }
                // A program that cannot start has no tests.
                Run::Ran { tests, .. } => tests.is_empty(),
            };
            if !needs_all {
                return Ok(run);
            }
        }
        cargo::test(&all, on_progress)
    }

    /// Whether the learner's `lib.rs` declares modules of the course and nothing else, and `tests`
    /// has the list of modules. The test program leaves out every other item of `lib.rs`.
    fn has_only_known_modules(&self, repo: &Repo) -> bool {
        let Ok(lib) = Source::read(&repo.src().join("lib.rs")) else {
            // Plain cargo reports what is wrong with it.
            return false;
        };
        let is_listed = |name: &syn::Ident| {
            let mut all = self.course.written();
            name == PROGRAM
                || all.any(|(_, manifest)| manifest.modules.iter().any(|known| name == known))
        };
        let is_known = |item: &syn::Item| match item {
            syn::Item::Mod(module) => module.content.is_none() && is_listed(&module.ident),
            _ => false,
        };
        lib.ast.items.iter().all(is_known) && repo.tests().join("modules.rs").is_file()
    }
}

impl Alone<'_> {
    fn write(&self, repo: &Repo, course: &Course) -> Result<ChapterCrate> {
        ChapterCrate::write(repo, course, self.chapter, self.open, &self.sections)
    }

    /// Whether an error may be due to this build: to code that it leaves out, or to the border
    /// between the library and the test program.
    fn may_cause(&self, error: &Diagnostic) -> bool {
        let code = error.code.as_deref();
        self.open.number > self.chapter.number
            || code.is_some_and(|code| BORDER.contains(&code))
            || !error.file.as_deref().is_some_and(|file| self.changes(file))
    }

    /// Whether a file is a test, or belongs to a module in which the learner writes in this
    /// chapter.
    fn changes(&self, file: &str) -> bool {
        let items = self.manifest.sections.iter().flat_map(|it| &it.items);
        let mut modules = items
            .chain(&self.manifest.modules)
            .map(|item| item.split("::").next().unwrap_or(item));
        let Some(inside) = file.strip_prefix("src/") else {
            return file.starts_with("tests/");
        };
        modules.any(|module| module == top_module(inside))
    }
}

/// The compiler's errors about names that another crate does not export, and about
/// implementations for types and traits of another crate.
const BORDER: [&str; 9] = [
    "E0116", "E0117", "E0119", "E0210", "E0390", "E0451", "E0603", "E0616", "E0624",
];
