//! The course's table of contents, `book/src/course.toml`, with the chapters' manifests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;

use crate::manifest::{Manifest, Section, SectionId, Times};
use crate::repo::Repo;

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

/// One chapter, written or planned.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// Its number. It never changes.
    pub number: u32,
    /// Its name in file names, such as `messages-and-types`.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// One sentence for the table of chapters.
    pub about: String,
    /// Its manifest; `None` if the chapter is only planned.
    #[serde(skip)]
    pub manifest: Option<Manifest>,
}

impl Course {
    /// Reads the table of contents and every manifest that exists.
    pub fn load(repo: &Repo) -> Result<Self> {
        #[derive(Deserialize)]
        struct File {
            #[serde(rename = "part")]
            parts: Vec<Part>,
        }
        let path = repo.book().join("course.toml");
        let mut course = Self {
            parts: read_toml::<File>(repo, &path)?.parts,
        };
        let chapters = course.parts.iter_mut().flat_map(|part| &mut part.chapters);
        let mut expected = None;
        for chapter in chapters {
            let expected = expected.insert(expected.map_or(chapter.number, |last| last + 1));
            ensure!(
                chapter.number == *expected,
                "{}: chapter {} must be chapter {expected}; chapters are numbered without gaps",
                repo.relative(&path),
                chapter.number
            );
            let manifest = chapter.manifest_path(repo);
            if manifest.is_file() {
                let mut read: Manifest = read_toml(repo, &manifest)?;
                read.number(chapter.number)
                    .with_context(|| broken(repo, &manifest))?;
                chapter.manifest = Some(read);
            }
        }
        course.check_tests_are_unique()?;
        course.check_names_are_unique()?;
        Ok(course)
    }

    /// Reads the course of another version. Fields that this runner does not know are ignored,
    /// and so are hints and wrong answers.
    pub fn load_other_version(repo: &Repo) -> Result<Self> {
        #[derive(Deserialize)]
        struct File {
            #[serde(rename = "part")]
            parts: Vec<Part>,
        }
        let path = repo.book().join("course.toml");
        let mut course = Self {
            parts: read_known::<File>(repo, &path)?.parts,
        };
        for chapter in course.parts.iter_mut().flat_map(|part| &mut part.chapters) {
            let manifest = chapter.manifest_path(repo);
            if manifest.is_file() {
                let mut read: Manifest = read_known(repo, &manifest)?;
                read.number_sections(chapter.number);
                chapter.manifest = Some(read);
            }
        }
        course.check_names_are_unique()?;
        Ok(course)
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

    /// Whether some chapter gives the function at `path`, a path from the crate's root.
    pub fn gives(&self, path: &str) -> bool {
        let mut chapters = self.written();
        chapters.any(|(_, manifest)| manifest.given.iter().any(|given| covers(given, path)))
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
        let mut sections = self.written().flat_map(|(_, manifest)| &manifest.sections);
        sections.find(|section| section.name == name)
    }

    fn check_names_are_unique(&self) -> Result<()> {
        let mut seen: BTreeMap<&str, SectionId> = BTreeMap::new();
        for section in self.written().flat_map(|(_, manifest)| &manifest.sections) {
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

impl Chapter {
    /// `chNN-slug`, the name of its page and manifest without the extension.
    pub fn stem(&self) -> String {
        format!("ch{:02}-{}", self.number, self.slug)
    }

    /// Its page in the book, relative to the repository.
    pub fn page(&self) -> String {
        format!("book/src/{}.md", self.stem())
    }

    /// Its Cargo feature and the module of its tests, such as `ch1`.
    pub fn feature(&self) -> String {
        format!("ch{}", self.number)
    }

    /// The path of its manifest, which need not exist yet.
    pub fn manifest_path(&self, repo: &Repo) -> PathBuf {
        repo.book().join(format!("{}.toml", self.stem()))
    }

    /// The path of its quiz, which need not exist yet.
    pub fn quiz_path(&self, repo: &Repo) -> PathBuf {
        repo.book().join(format!("{}.quiz.toml", self.stem()))
    }

    /// The folder of its tests, such as `tests/ch01`.
    pub fn suite_dir(&self, repo: &Repo) -> PathBuf {
        repo.tests().join(format!("ch{:02}", self.number))
    }
}

fn read_toml<T: serde::de::DeserializeOwned>(repo: &Repo, path: &Path) -> Result<T> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", repo.relative(path)))?;
    toml_edit::de::from_str(&text).with_context(|| broken(repo, path))
}

/// Reads the fields of a file that [`KNOWN`] lists.
fn read_known<T: serde::de::DeserializeOwned>(repo: &Repo, path: &Path) -> Result<T> {
    let unreadable = || format!("cannot read {} of the new version", repo.relative(path));
    let text = fs::read_to_string(path).with_context(unreadable)?;
    let mut table: toml_edit::DocumentMut = text.parse().with_context(unreadable)?;
    keep_known(table.as_table_mut());
    toml_edit::de::from_document(table).with_context(unreadable)
}

/// The fields of manifests, sections and the table of contents that an update needs.
const KNOWN: [&str; 16] = [
    "about",
    "attributes",
    "chapters",
    "depth",
    "features",
    "given",
    "id",
    "items",
    "minutes",
    "modules",
    "number",
    "part",
    "section",
    "slug",
    "tests",
    "title",
];

/// Removes unknown fields of a table, and of the tables in its lists.
fn keep_known(table: &mut dyn toml_edit::TableLike) {
    let unknown: Vec<String> = table
        .iter()
        .map(|(key, _)| key.to_string())
        .filter(|key| !KNOWN.contains(&key.as_str()))
        .collect();
    for key in unknown {
        table.remove(&key);
    }
    for (key, item) in table.iter_mut() {
        if let Some(tables) = item.as_array_of_tables_mut() {
            tables.iter_mut().for_each(|table| keep_known(table));
        } else if key == "chapters"
            && let Some(list) = item.as_array_mut()
        {
            let tables = list.iter_mut().filter_map(|it| it.as_inline_table_mut());
            tables.for_each(|table| keep_known(table));
        }
    }
}

fn broken(repo: &Repo, path: &Path) -> String {
    format!(
        "the manifest {} is broken; `git diff {0}` shows what changed in it",
        repo.relative(path)
    )
}
