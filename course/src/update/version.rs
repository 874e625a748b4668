//! One version of the course: what its sections ask for, and the text of its stubs.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};

use super::modules::Modules;
use super::pieces::{Key, Parts};
use super::test_code::test_code;
use crate::course_toml::Course;
use crate::manifest::SectionId;
use crate::repo::Repo;
use crate::source::Source;
use crate::stubs::{Solution, Unit};

/// A version of the course.
pub struct Version {
    /// Its folder.
    pub repo: Repo,
    /// Its chapters.
    pub course: Course,
    /// Its reference.
    pub solution: Solution,
    /// Its source files, by their paths in `src`.
    pub files: BTreeMap<String, VersionFile>,
    /// Its modules, once they have been needed.
    modules: OnceCell<Modules>,
    /// The code of the tests of each section that has been needed.
    tests: RefCell<BTreeMap<SectionId, BTreeMap<String, String>>>,
}

/// A source file of a version.
pub struct VersionFile {
    /// The text with no section solved.
    pub stub: String,
    /// The text with all sections solved.
    pub solved: String,
    /// The items of [`solved`](Self::solved).
    pub parts: Parts,
    /// The items of [`stub`](Self::stub), once they have been needed.
    stub_parts: OnceCell<Parts>,
    /// The items that the learner writes, by their place.
    pub units: BTreeMap<Key, VersionUnit>,
}

/// An item that the learner writes.
#[derive(Clone)]
pub struct VersionUnit {
    /// Its section.
    pub section: SectionId,
    /// The section's name.
    pub name: String,
    /// The item.
    pub unit: Unit,
}

impl Version {
    /// Reads the version in a learner's folder.
    pub fn installed(repo: &Repo) -> Result<Self> {
        Self::load(repo, Course::load(repo)?)
            .context("the manifests and solutions/ disagree; `git status` shows what changed")
    }

    /// Reads another version.
    pub fn incoming(repo: &Repo) -> Result<Self> {
        Self::load(repo, Course::load_other_version(repo)?).context("the new version is broken")
    }

    fn load(repo: &Repo, course: Course) -> Result<Self> {
        let solution = Solution::load(repo, &course)?;
        let (mut files, mut references) = (BTreeMap::new(), BTreeMap::new());
        for (name, source) in solution.files() {
            let solved = solution.render(name, |_| true);
            let reference = Parts::of_source(source);
            let parts = match source.text == solved {
                true => reference.clone(),
                // The two packages name their libraries differently.
                false => Parts::of(&solved)?,
            };
            references.insert(name, reference);
            let file = VersionFile {
                stub: solution.render(name, |_| false),
                solved,
                parts,
                stub_parts: OnceCell::new(),
                units: BTreeMap::new(),
            };
            files.insert(name.to_string(), file);
        }
        for (section, unit) in solution.all_units() {
            let (Some(file), Some(source)) = (files.get_mut(&unit.file), solution.file(&unit.file))
            else {
                continue;
            };
            let name = course.section(section)?.name.clone();
            let reference = &references[unit.file.as_str()];
            let Some(key) = place(source, reference, unit)? else {
                continue;
            };
            let unit = VersionUnit {
                section,
                name,
                unit: unit.clone(),
            };
            file.units.insert(key, unit);
        }
        Ok(Self {
            repo: repo.clone(),
            course,
            solution,
            files,
            modules: OnceCell::new(),
            tests: RefCell::default(),
        })
    }

    /// The modules of the reference.
    pub fn modules(&self) -> &Modules {
        self.modules
            .get_or_init(|| Modules::of(&self.repo, &self.solution))
    }

    /// The code of each test of `section` that decides whether it passes, by the test's name.
    pub fn tests(&self, section: SectionId) -> BTreeMap<String, String> {
        let known = self.tests.borrow().get(&section).cloned();
        known.unwrap_or_else(|| {
            let tests = self.read_tests(section);
            self.tests.borrow_mut().insert(section, tests.clone());
            tests
        })
    }

    fn read_tests(&self, section: SectionId) -> BTreeMap<String, String> {
        let mut tests = BTreeMap::new();
        let Ok((chapter, _)) = self.course.written_chapter(section.chapter) else {
            return tests;
        };
        let Ok(wanted) = self.course.section(section) else {
            return tests;
        };
        let dir = chapter.suite_dir(&self.repo);
        let files = crate::repo::rust_files(&dir).unwrap_or_default();
        for file in files {
            let text = fs::read_to_string(file).unwrap_or_default();
            if wanted.tests.iter().any(|test| text.contains(test.as_str())) {
                tests.extend(test_code(&text, &wanted.tests));
            }
        }
        tests
    }
}

impl VersionFile {
    /// The items of `text`, which is the file with any of its sections solved.
    pub fn parts_of(&self, text: &str) -> Result<Parts> {
        if text == self.solved {
            return Ok(self.parts.clone());
        }
        if text == self.stub {
            return self.stub_parts().cloned();
        }
        Parts::of(text)
    }

    /// The items of the file with no section solved.
    pub fn stub_parts(&self) -> Result<&Parts> {
        if let Some(parts) = self.stub_parts.get() {
            return Ok(parts);
        }
        let parts = Parts::of(&self.stub)?;
        Ok(self.stub_parts.get_or_init(|| parts))
    }
}

/// The place of a unit in its file.
fn place(source: &Source, parts: &Parts, unit: &Unit) -> Result<Option<Key>> {
    let Some(found) = source.find(&unit.path)? else {
        return Ok(None);
    };
    let all = parts.all().into_iter();
    let mut same = all.filter(|(_, piece)| piece.range.start == found.range.start);
    Ok(same.next_back().map(|(key, _)| key))
}
