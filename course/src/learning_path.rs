//! The learner's path through the course: the core sections, or all of them.
//!
//! On the core path, a chapter's depth sections are copied from the reference when the chapter
//! opens. The learner reads them, and can take one on with `cargo course reset 4.2`.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::course_toml::Course;
use crate::manifest::{Section, SectionId};
use crate::repo::{Repo, write_atomically};
use crate::splice::{self, Form};
use crate::stubs::Solution;

/// The sections that the learner writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// The core sections. The depth sections are given.
    #[default]
    Core,
    /// All sections.
    Full,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core => "core",
            Self::Full => "full",
        })
    }
}

/// The chosen path and the sections that were given, kept in `.course/path.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct LearningPath {
    /// The chosen path.
    pub path: Path,
    /// The newest chapter whose depth sections were given. Chapters are prepared in order.
    #[serde(default)]
    prepared: Option<u32>,
    /// The names of the given sections.
    #[serde(default)]
    given: BTreeSet<String>,
}

impl LearningPath {
    /// Reads the path. It is the core path until the learner chooses.
    pub fn load(repo: &Repo) -> Result<Self> {
        let file = file(repo);
        match fs::read(&file) {
            Ok(json) => serde_json::from_slice(&json).with_context(|| {
                format!(
                    "{} is damaged; delete it and choose your path again with `cargo course path core` or `cargo course path full`",
                    repo.relative(&file)
                )
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", repo.relative(&file))),
        }
    }

    /// Writes the path.
    pub fn store(&self, repo: &Repo) -> Result<()> {
        let (file, json) = self.stored(repo)?;
        write_atomically(&file, &json)
    }

    /// Its file, and what [`store`](Self::store) writes into it.
    pub fn stored(&self, repo: &Repo) -> Result<(std::path::PathBuf, Vec<u8>)> {
        Ok((file(repo), serde_json::to_vec_pretty(self)?))
    }

    /// Whether `path` is the file of a learner's path.
    pub fn is_file(repo: &Repo, path: &std::path::Path) -> bool {
        path == file(repo)
    }

    /// The file's content `now` without the change from `old` to `written`. What has changed since
    /// stays. `None` is a file that does not exist.
    pub fn undone(
        old: &Option<Vec<u8>>,
        written: &Option<Vec<u8>>,
        now: &Option<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let read = |json: &Option<Vec<u8>>| match json {
            Some(json) => serde_json::from_slice(json).context("the learner's path is damaged"),
            None => Ok(Self::default()),
        };
        let (old, written, mut now) = (read(old)?, read(written)?, read(now)?);
        if now.path == written.path {
            now.path = old.path;
        }
        if now.prepared == written.prepared {
            now.prepared = old.prepared;
        }
        now.given
            .retain(|name| old.given.contains(name) || !written.given.contains(name));
        let taken = old.given.difference(&written.given);
        now.given.extend(taken.cloned());
        Ok(serde_json::to_vec_pretty(&now)?)
    }

    /// Whether `section` was given and is not the learner's work.
    pub fn gave(&self, section: &Section) -> bool {
        self.has_given(&section.name)
    }

    /// Whether the section called `name` was given.
    pub fn has_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// Whether `section` is going to be given, once its chapter is prepared.
    pub fn will_give(&self, section: &Section) -> bool {
        self.is_gift(section) && !self.is_prepared_for(section)
    }

    /// Whether `section`, new in a chapter that is prepared, is given.
    pub fn gives_new(&self, section: &Section) -> bool {
        self.is_gift(section) && self.is_prepared_for(section)
    }

    /// Whether this path gives `section`.
    fn is_gift(&self, section: &Section) -> bool {
        self.path == Path::Core && section.depth && !section.tests.is_empty()
    }

    fn is_prepared_for(&self, section: &Section) -> bool {
        let is_prepared = |prepared| section.id.chapter <= prepared;
        self.prepared.is_some_and(is_prepared)
    }

    /// Whether the chapters up to `open` have their depth sections.
    pub fn is_prepared(&self, open: u32) -> bool {
        self.path == Path::Full || self.prepared.is_some_and(|prepared| prepared >= open)
    }

    /// The depth sections of `chapters` that are still stubs, without the chapters that are
    /// prepared already. What the learner has begun stays theirs.
    pub fn gifts(
        &self,
        repo: &Repo,
        course: &Course,
        solution: &Solution,
        chapters: RangeInclusive<u32>,
    ) -> Result<Vec<SectionId>> {
        let mut gifts = Vec::new();
        let chapters = course
            .written()
            .filter(|(chapter, _)| chapters.contains(&chapter.number));
        for section in chapters.flat_map(|(_, manifest)| &manifest.sections) {
            if self.will_give(section) && splice::has_form(repo, solution, section.id, Form::Stub)?
            {
                gifts.push(section.id);
            }
        }
        Ok(gifts)
    }

    /// Records that the chapters up to `newest` are prepared and that `sections` were given.
    pub fn prepare(&mut self, course: &Course, newest: u32, sections: &[SectionId]) {
        self.prepared = self.prepared.max(Some(newest));
        self.give(course, sections);
    }

    /// Records that `sections` were given.
    pub fn give(&mut self, course: &Course, sections: &[SectionId]) {
        let names = sections.iter().filter_map(|id| course.section(*id).ok());
        self.give_named(names.map(|section| section.name.clone()));
    }

    /// Records that sections were given, by their names.
    pub fn give_named(&mut self, names: impl IntoIterator<Item = String>) {
        self.given.extend(names);
    }

    /// Records that the section called `name` is the learner's work.
    pub fn take(&mut self, name: &str) {
        self.given.remove(name);
    }

    /// Changes the path. On the core path, every open chapter is prepared again.
    pub fn choose(&mut self, path: Path) {
        self.path = path;
        self.prepared = None;
    }
}

fn file(repo: &Repo) -> std::path::PathBuf {
    repo.state().join("path.json")
}
