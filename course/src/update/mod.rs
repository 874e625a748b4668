//! `cargo course update`: brings another version of the course into a learner's clone.
//!
//! The runner of the installed version does all of it, and reads the new version as data: its
//! reference, its manifests and its tests. The new version's runner is built afterwards, by the
//! next `cargo course`. The runner that is running knows for certain how the learner's stubs were
//! made, which is what tells the learner's code from the course's.
//!
//! - [`incoming`] gets the new version.
//! - [`version`] reads a version, [`pieces`] splits its files into items, [`units`] follows the
//!   items from one version to the next.
//! - [`merge`] makes the learner's `src/`, one [file](file_merge) after the other: for each item,
//!   the learner's code, the new stub, or the stub with the learner's code in a comment.
//! - [`compile`] builds the result. In a [`compiling_merge`], code that does not compile gives way.
//! - [`course_files`] replaces everything outside `src/`.

mod block_merge;
pub mod change;
pub mod common;
pub mod compile;
pub mod compiling_merge;
mod conflict;
pub mod course_files;
pub mod file_merge;
mod function;
pub mod incoming;
mod layout;
pub mod merge;
mod modules;
pub mod pieces;
mod states;
mod test_code;
pub mod units;
pub mod uses;
pub mod version;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::backups::Changes;
use crate::learning_path::LearningPath;
use crate::open_chapter::open_chapter;
use crate::repo::{self, Repo, relative_name};
use common::{GivesWay, Merged, Sources};
use compile::{Build, Problem};
use compiling_merge::CompilingMerge;
use course_files::CourseFiles;
use incoming::Incoming;
use merge::Gifts;
use units::Followed;
use version::Version;

/// Everything that an update is going to do.
pub struct Plan {
    /// The new contents of all files that change; `None` for a file that is removed.
    pub changes: Changes,
    /// What happens to the learner's code.
    pub merged: Merged,
    /// What happens to the course's files.
    pub course: CourseFiles,
    /// Errors of the compiler that remain in the learner's code, which compiled before.
    pub problems: Vec<Problem>,
    /// Why it is unknown whether the learner's code compiles.
    pub not_built: Option<String>,
    /// The learner's files that the plan was made for.
    read: LearnersFiles,
}

impl Plan {
    /// Reports an error if the learner has saved a file since the plan was made.
    pub fn ensure_current(&self, repo: &Repo) -> Result<()> {
        let now = LearnersFiles::read(repo)?;
        match self.read.difference(&now) {
            None => Ok(()),
            Some(file) => bail!(
                "{file} was saved during the update, so nothing was changed; run the command again"
            ),
        }
    }
}

/// The learner's files that an update reads.
struct LearnersFiles {
    sources: Sources,
    cargo_toml: String,
}

impl LearnersFiles {
    fn read(repo: &Repo) -> Result<Self> {
        Ok(Self {
            sources: sources(repo)?,
            cargo_toml: fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?,
        })
    }

    /// The first file that differs in `other`, if any.
    fn difference(&self, other: &Self) -> Option<String> {
        let mut all = self.sources.keys().chain(other.sources.keys());
        let differs = |file: &&String| self.sources.get(*file) != other.sources.get(*file);
        let source = all.find(differs).map(|file| format!("src/{file}"));
        let is_edited = self.cargo_toml != other.cargo_toml;
        source.or_else(|| is_edited.then(|| "Cargo.toml".to_string()))
    }
}

/// Plans the update of `repo` to `incoming`. Writes only below `.course/` and `target`, the folder
/// for cargo's builds.
pub fn plan(repo: &Repo, incoming: &Incoming, path: &LearningPath, target: &Path) -> Result<Plan> {
    let read = LearnersFiles::read(repo)?;
    let course = CourseFiles::plan(repo, incoming)?;
    let old = Version::installed(repo)?;
    let new = Version::incoming(&incoming.repo)?;
    let followed = Followed::of(&old, &new);
    let gifts = Gifts {
        gives_new: &|section| path.gives_new(section),
        gave: &|section| path.gave(section),
    };
    let merge = CompilingMerge {
        old: &old,
        new: &new,
        followed: &followed,
        learner: &read.sources,
        gifts: &gifts,
        open: open_chapter(&read.cargo_toml)?,
    };
    let mut merged = merge.merge(&GivesWay::default())?;
    let (mut problems, mut not_built) = (Vec::new(), None);
    if !course.changes.is_empty() || !merged.files.is_empty() {
        let compiled = matches!(compile::build(repo.root(), target), Build::Passed);
        let result = merge.compile(merged, compiled, |sources| {
            write_sources(repo, incoming, &course, sources)?;
            Ok(compile::build(incoming.repo.root(), target))
        })?;
        (merged, problems, not_built) = (result.merged, result.problems, result.not_built);
    }
    let mut changes = course.changes.clone();
    for (file, text) in &merged.files {
        let text = text.clone().map(String::into_bytes);
        changes.insert(repo.src().join(file), text);
    }
    Ok(Plan {
        changes,
        merged,
        course,
        problems,
        not_built,
        read,
    })
}

/// The Rust files of the learner's `src/`, by their paths in it.
pub fn sources(repo: &Repo) -> Result<Sources> {
    let mut sources = Sources::new();
    for path in repo::rust_files(&repo.src())? {
        let content = match fs::read(&path) {
            // A lock of Emacs, which is a link to nowhere.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            content => content.with_context(|| format!("cannot read {}", path.display()))?,
        };
        sources.insert(relative_name(&repo.src(), &path), content);
    }
    Ok(sources)
}

/// Writes the result to the copy of the new version, to build it there.
fn write_sources(
    repo: &Repo,
    incoming: &Incoming,
    course: &CourseFiles,
    sources: &Sources,
) -> Result<()> {
    let src = incoming.repo.src();
    let written: Vec<PathBuf> = sources.keys().map(|file| src.join(file)).collect();
    for path in repo::rust_files(&src)? {
        if !written.contains(&path) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    let cargo_toml = course.changes.get(&repo.cargo_toml()).cloned().flatten();
    let cargo_toml = match cargo_toml {
        Some(text) => text,
        None => fs::read(repo.cargo_toml()).context("cannot read Cargo.toml")?,
    };
    let cargo_toml = (incoming.repo.cargo_toml(), &cargo_toml);
    let sources = written.into_iter().zip(sources.values());
    for (path, content) in sources.chain([cargo_toml]) {
        // A file that has not changed keeps its time.
        if fs::read(&path).ok().as_ref() != Some(content) {
            let folder = path.parent().unwrap_or(&src);
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&path, content))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
