//! The code that the tests of a chapter reach.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use anyhow::Result;

use crate::course_toml::Chapter;
use crate::imports::{Imports, Used, used_in_file};
use crate::manifest::SectionId;
use crate::progress::Progress;
use crate::repo::{Repo, relative_name, rust_files};
use crate::source::top_module;
use crate::stubs::Solution;

/// The name by which the tests use the crate.
const CRATE: &str = "claw_code";

/// The imports of the reference, which lead from the tests to the files that they reach.
pub struct Reach<'a> {
    repo: &'a Repo,
    imports: Imports,
    /// By chapter, what was asked for before: to read a chapter's tests takes a while.
    reached: RefCell<BTreeMap<u32, Rc<Reached>>>,
}

/// What a chapter's tests reach.
struct Reached {
    /// The files that they use, and all files of the chapter.
    files: BTreeSet<String>,
    /// The modules of `lib.rs` that compile with them.
    modules: BTreeSet<String>,
}

impl<'a> Reach<'a> {
    /// Reads the reference.
    pub fn load(progress: &'a Progress) -> Result<Self> {
        let (repo, solution) = (&progress.repo, progress.solution()?);
        let root = repo.solutions();
        let parsed = |path: &Path| solution.file(&relative_name(&root, path));
        Ok(Self {
            repo,
            imports: Imports::of(&root.join("lib.rs"), &parsed)?,
            reached: RefCell::default(),
        })
    }

    /// The imports of the reference.
    pub fn imports(&self) -> &Imports {
        &self.imports
    }

    /// The files of the reference, relative to `src`, that a chapter's tests use, and all files
    /// of the chapter.
    pub fn files(&self, chapter: &Chapter) -> Result<BTreeSet<String>> {
        Ok(self.reached(chapter)?.files.clone())
    }

    fn reached(&self, chapter: &Chapter) -> Result<Rc<Reached>> {
        if let Some(known) = self.reached.borrow().get(&chapter.number) {
            return Ok(known.clone());
        }
        let used = self.used(chapter)?;
        let reached = Rc::new(Reached {
            files: self.dependencies(&used, chapter),
            modules: self.modules(used, chapter),
        });
        let mut all = self.reached.borrow_mut();
        all.insert(chapter.number, reached.clone());
        Ok(reached)
    }

    /// What a chapter's tests use, with each path from the crate's root.
    fn used(&self, chapter: &Chapter) -> Result<Used> {
        let mut used = Used::default();
        let shared = self.repo.tests().join("support");
        let folders = [chapter.suite_dir(self.repo), shared].into_iter();
        for folder in folders.filter(|folder| folder.is_dir()) {
            for file in rust_files(&folder)? {
                let in_file = used_in_file(&file)?;
                used.paths.extend(in_file.paths);
                used.identifiers.extend(in_file.identifiers);
            }
        }
        let names_crate = |path: &Vec<String>| path.first().is_some_and(|name| name == CRATE);
        used.paths.retain(names_crate);
        for path in &mut used.paths {
            path.remove(0);
        }
        Ok(used)
    }

    fn dependencies(&self, used: &Used, chapter: &Chapter) -> BTreeSet<String> {
        let root = self.repo.solutions();
        let files = self.imports.dependencies(used, chapter.number);
        files
            .into_iter()
            .map(|file| relative_name(&root, file))
            .collect()
    }

    /// Every file of the reference, with the sections solved that `solved` accepts. In a file that
    /// the tests of `chapters` do not reach, the other sections are stubs as well: they compile in a
    /// fraction of the time, and a test that reached one would fail.
    pub fn render(
        &self,
        solution: &Solution,
        chapters: &[&Chapter],
        solved: impl Fn(SectionId) -> bool,
    ) -> Result<BTreeMap<String, String>> {
        let mut reached = BTreeSet::new();
        for chapter in chapters {
            reached.extend(self.files(chapter)?);
        }
        let files = solution.files().map(|(name, _)| {
            let text = solution.render(name, |section| reached.contains(name) && solved(section));
            (name.to_string(), text)
        });
        Ok(files.collect())
    }

    /// Does the same for a crate that compiles the tests of these chapters only: the modules of
    /// `lib.rs` that they do not reach are empty.
    pub fn render_reached(
        &self,
        solution: &Solution,
        chapters: &[&Chapter],
        solved: impl Fn(SectionId) -> bool,
    ) -> Result<BTreeMap<String, String>> {
        let files = self.render(solution, chapters, solved)?;
        self.without_unreached_modules(files, chapters)
    }

    /// Every file of the reference with all sections solved, except for the modules of `lib.rs` that
    /// the tests of `chapters` do not reach, which are empty.
    pub fn render_solved(
        &self,
        solution: &Solution,
        chapters: &[&Chapter],
    ) -> Result<BTreeMap<String, String>> {
        self.without_unreached_modules(solution.render_all(|_| true), chapters)
    }

    fn without_unreached_modules(
        &self,
        mut files: BTreeMap<String, String>,
        chapters: &[&Chapter],
    ) -> Result<BTreeMap<String, String>> {
        let mut modules = BTreeSet::new();
        for chapter in chapters {
            modules.extend(self.reached(chapter)?.modules.iter().cloned());
        }
        files.retain(|name, text| {
            let module = top_module(name);
            if modules.contains(module) {
                return true;
            }
            text.clear();
            // `lib.rs` declares the module.
            *name == format!("{module}.rs") || *name == format!("{module}/mod.rs")
        });
        Ok(files)
    }

    /// The modules of `lib.rs` that compile with a chapter's tests, which use `used`.
    fn modules(&self, mut used: Used, chapter: &Chapter) -> BTreeSet<String> {
        let mut modules = BTreeSet::new();
        // All files of a module compile, so it needs what each of them uses.
        loop {
            let files = self.dependencies(&used, chapter);
            let found: BTreeSet<String> = files
                .iter()
                .map(|file| top_module(file).to_string())
                .collect();
            if found == modules {
                return modules;
            }
            let new = found.difference(&modules);
            used.paths.extend(new.map(|name| vec![name.clone()]));
            modules = found;
        }
    }

    /// The chapter whose feature enables a file of the reference, relative to `src`.
    pub fn chapter_of(&self, file: &str) -> Option<u32> {
        self.imports.chapter_of(&self.repo.solutions().join(file))
    }
}
