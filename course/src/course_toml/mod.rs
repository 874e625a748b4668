//! The course's table of contents, `book/src/course.toml`, with the chapters' manifests.

mod chapter;
mod read;

pub use chapter::Chapter;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;

use crate::manifest::{Manifest, Section, SectionId, Times};
use crate::platform;
use crate::repo::Repo;
use read::{broken, read_known, read_toml};

/// The course: every chapter, written or planned.
#[derive(Debug)]
pub struct Course {
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// One part of the course.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its title.
    pub title: String,
    /// Its chapters, in order.
    pub chapters: Vec<Chapter>,
}

/// The file `course.toml`.
#[derive(Deserialize)]
struct Contents {
    #[serde(rename = "part")]
    parts: Vec<Part>,
}

/// Reads the file at a path.
type Reader<T> = fn(&Repo, &Path) -> Result<T>;

impl Course {
    /// Reads the table of contents and every manifest that exists.
    pub fn load(repo: &Repo) -> Result<Self> {
        let mut course = Self::read(repo, read_toml, read_toml)?;
        let mut expected = None;
        for chapter in course.chapters_mut() {
            let expected = expected.insert(expected.map_or(chapter.number, |last| last + 1));
            ensure!(
                chapter.number == *expected,
                "{}: chapter {} must be chapter {expected}; chapters are numbered without gaps",
                repo.relative(&repo.course_toml()),
                chapter.number
            );
            let path = chapter.manifest_path(repo);
            if let Some(manifest) = &mut chapter.manifest {
                let numbered = manifest.number(chapter.number);
                numbered.with_context(|| broken(repo, &path))?;
            }
        }
        course.check_tests_are_unique()?;
        course.check_names_are_unique()?;
        Ok(course)
    }

    /// Reads the course of another version. Fields that this runner does not know are ignored,
    /// and so are hints and wrong answers.
    pub fn load_other_version(repo: &Repo) -> Result<Self> {
        let mut course = Self::read(repo, read_known, read_known)?;
        for chapter in course.chapters_mut() {
            if let Some(manifest) = &mut chapter.manifest {
                manifest.number_sections(chapter.number);
            }
        }
        course.check_names_are_unique()?;
        Ok(course)
    }

    /// Reads the table of contents with `contents`, and every manifest that exists with `manifest`.
    fn read(repo: &Repo, contents: Reader<Contents>, manifest: Reader<Manifest>) -> Result<Self> {
        let Contents { parts } = contents(repo, &repo.course_toml())?;
        let mut course = Self { parts };
        for chapter in course.chapters_mut() {
            let path = chapter.manifest_path(repo);
            if path.is_file() {
                chapter.manifest = Some(manifest(repo, &path)?);
            }
        }
        Ok(course)
    }

    fn chapters_mut(&mut self) -> impl Iterator<Item = &mut Chapter> {
        self.parts.iter_mut().flat_map(|part| &mut part.chapters)
    }

    /// All chapters, in order.
    pub fn chapters(&self) -> impl DoubleEndedIterator<Item = &Chapter> {
        self.parts.iter().flat_map(|part| &part.chapters)
    }

    /// The chapters that have a manifest, with their manifests.
    pub fn written(&self) -> impl Iterator<Item = (&Chapter, &Manifest)> {
        self.chapters()
            .filter_map(|chapter| Some((chapter, chapter.manifest.as_ref()?)))
    }

    /// The minutes of all written chapters.
    pub fn times(&self) -> Times {
        self.written().map(|(_, manifest)| manifest.times()).sum()
    }

    /// Chapter `number`, written or planned.
    pub fn chapter(&self, number: u32) -> Result<&Chapter> {
        self.chapters()
            .find(|chapter| chapter.number == number)
            .ok_or_else(|| {
                let mut numbers = self.chapters().map(|chapter| chapter.number);
                let first = numbers.next().unwrap_or(1);
                let last = numbers.next_back().unwrap_or(first);
                anyhow!("there is no chapter {number}: the course has chapters {first} to {last}")
            })
    }

    /// Chapter `number` with its manifest. An error if it is only planned.
    pub fn written_chapter(&self, number: u32) -> Result<(&Chapter, &Manifest)> {
        let chapter = self.chapter(number)?;
        match &chapter.manifest {
            Some(manifest) => Ok((chapter, manifest)),
            None => bail!(
                "chapter {number}, {}, is planned and not written yet; the page \"All chapters\" of the book (`cargo course book`) lists the written ones",
                chapter.title
            ),
        }
    }

    /// Chapter `number` with its manifest. An error if it is only planned, or does not run on this
    /// system.
    pub fn chapter_here(&self, number: u32) -> Result<(&Chapter, &Manifest)> {
        let (chapter, manifest) = self.written_chapter(number)?;
        ensure!(
            manifest.runs_here(),
            platform::needs_unix(number, &chapter.title)
        );
        Ok((chapter, manifest))
    }

    /// Chapter `number` with its manifest, if it is one of those up to `open`.
    pub fn open_chapter(&self, number: u32, open: u32) -> Result<(&Chapter, &Manifest)> {
        let found = self.chapter_here(number)?;
        ensure!(
            number <= open,
            "chapter {number} is not open yet; `cargo course open {number}` opens it"
        );
        Ok(found)
    }

    /// Whether some chapter gives the function at `path`, a path from the crate's root.
    pub fn gives(&self, path: &str) -> bool {
        let mut chapters = self.written();
        chapters.any(|(_, manifest)| manifest.given.iter().any(|given| covers(given, path)))
    }

    /// The sections of the written chapters, in order.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.written().flat_map(|(_, manifest)| &manifest.sections)
    }

    /// The sections of the chapters `numbers`, in order.
    pub fn sections_of(&self, numbers: &[u32]) -> Vec<&Section> {
        let sections = self.sections();
        sections
            .filter(|section| numbers.contains(&section.id.chapter))
            .collect()
    }

    /// The section called `id`.
    pub fn section(&self, id: SectionId) -> Result<&Section> {
        let (chapter, manifest) = self.written_chapter(id.chapter)?;
        manifest
            .sections
            .iter()
            .find(|section| section.id == id)
            .ok_or_else(|| {
                anyhow!(
                    "chapter {} has no section {id}: it has {}.1 to {}.{}",
                    chapter.number,
                    chapter.number,
                    chapter.number,
                    manifest.sections.len()
                )
            })
    }

    /// The section with this name.
    pub fn section_named(&self, name: &str) -> Option<&Section> {
        self.sections().find(|section| section.name == name)
    }

    fn check_names_are_unique(&self) -> Result<()> {
        let mut seen: BTreeMap<&str, SectionId> = BTreeMap::new();
        for section in self.sections() {
            if let Some(first) = seen.insert(&section.name, section.id) {
                bail!(
                    "sections {first} and {} have the same id, `{}`",
                    section.id,
                    section.name
                );
            }
        }
        Ok(())
    }

    fn check_tests_are_unique(&self) -> Result<()> {
        let mut seen: BTreeMap<&str, SectionId> = BTreeMap::new();
        for (_, manifest) in self.written() {
            for section in &manifest.sections {
                for test in &section.tests {
                    if let Some(first) = seen.insert(test, section.id) {
                        bail!(
                            "{test} is listed under both {first} and {}: a test checks one section",
                            section.id
                        );
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether `given`, a function, type or module, is or contains the function at `path`.
pub fn covers(given: &str, path: &str) -> bool {
    let rest = path.strip_prefix(given);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
