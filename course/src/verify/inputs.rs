//! Digests of everything that a proof depends on.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha256};

use super::functions::Functions;
use super::reach::Reach;
use crate::course_toml::Chapter;
use crate::digest::{add, add_files, compiler, hex};
use crate::progress::Progress;
use crate::repo::Repo;
use crate::source::code_of;

/// What every proof depends on, beside the compiler: the dependencies, the offline model that
/// tests talk to, and the runner itself.
const COMMON: [&str; 5] = ["Cargo.toml", "Cargo.lock", ".cargo", "offline", "course"];
/// Folders at the top that no proof depends on.
const IGNORED: [&str; 4] = ["bench", "target", ".git", ".course"];

/// The files of the repository that a proof depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Files {
    /// All of them.
    All,
    /// All but the reference.
    Learners,
}

/// The inputs of the proofs.
pub struct Inputs<'a> {
    progress: &'a Progress,
    /// The compiler's version.
    compiler: Vec<u8>,
    /// What the tests reach.
    pub reach: Reach<'a>,
    common: Sha256,
    /// The digests of what was asked for before.
    of_course: RefCell<BTreeMap<Files, String>>,
    of_chapter: RefCell<BTreeMap<u32, String>>,
    functions: OnceCell<Functions>,
}

impl<'a> Inputs<'a> {
    /// Reads what all proofs depend on.
    pub fn load(progress: &'a Progress) -> Result<Self> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let inputs = Self::read(progress, compiler(&progress.repo, &rustc)?)?;
        // For `reload`.
        inputs.of_course(Files::All)?;
        Ok(inputs)
    }

    /// Reads the files again, if one has changed. The compiler does not change during a run.
    pub fn reload(&self) -> Result<Option<Self>> {
        let repo = &self.progress.repo;
        let now = hash_course(repo, common(repo, &self.compiler)?, Files::All)?;
        match now == self.of_course(Files::All)? {
            true => Ok(None),
            false => Self::read(self.progress, self.compiler.clone()).map(Some),
        }
    }

    fn read(progress: &'a Progress, compiler: Vec<u8>) -> Result<Self> {
        let repo = &progress.repo;
        Ok(Self {
            progress,
            reach: Reach::load(progress)?,
            common: common(repo, &compiler)?,
            compiler,
            of_course: RefCell::default(),
            of_chapter: RefCell::default(),
            functions: OnceCell::new(),
        })
    }

    /// The digest of the whole course: these files, without those in [`IGNORED`].
    pub fn of_course(&self, files: Files) -> Result<String> {
        once(&self.of_course, files, || {
            hash_course(&self.progress.repo, self.common.clone(), files)
        })
    }

    /// The digest of what a chapter's proofs depend on, without the bodies of functions: its
    /// manifest, its tests, and the files of the reference that these use, with the later
    /// chapters' sections cut out.
    pub fn of_chapter(&self, chapter: &Chapter) -> Result<String> {
        once(&self.of_chapter, chapter.number, || {
            self.hash_chapter(chapter)
        })
    }

    fn hash_chapter(&self, chapter: &Chapter) -> Result<String> {
        let repo = &self.progress.repo;
        let solution = self.progress.solution()?;
        let mut digest = self.common.clone();
        add_files(&mut digest, repo, &chapter.manifest_path(repo))?;
        for folder in [chapter.suite_dir(repo), repo.tests().join("support")] {
            add_files(&mut digest, repo, &folder)?;
        }
        for name in self.reach.files(chapter)? {
            add(&mut digest, name.as_bytes());
            let shape = solution.render_shape(&name, |section| section.chapter <= chapter.number);
            add(&mut digest, code_of(&shape).as_bytes());
        }
        Ok(hex(digest))
    }

    /// The digest of everything that decides whether a chapter compiles: `digest`, and the bodies of
    /// its own functions.
    ///
    /// Code compiles or not whatever the bodies of other functions are, except that a caller may
    /// need an `impl Trait` that a body returns to be `Send`. The check `green` compiles all that a
    /// change can affect, and `--fresh` compiles everything.
    pub fn with_own_bodies(&self, digest: &str, chapter: u32) -> Result<String> {
        let mut all = Sha256::new();
        add(&mut all, digest.as_bytes());
        for function in self.functions()?.all() {
            if function.chapters.contains(&Some(chapter)) {
                add(&mut all, function.body.file.as_bytes());
                add(&mut all, function.body.digest.as_bytes());
            }
        }
        Ok(hex(all))
    }

    /// The functions of the reference.
    pub fn functions(&self) -> Result<&Functions> {
        if let Some(functions) = self.functions.get() {
            return Ok(functions);
        }
        let functions = Functions::load(self.progress, &self.reach)?;
        Ok(self.functions.get_or_init(|| functions))
    }
}

/// The digest of what every proof depends on.
fn common(repo: &Repo, compiler: &[u8]) -> Result<Sha256> {
    let mut common = Sha256::new();
    add(&mut common, compiler);
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        let value = env::var_os(variable).unwrap_or_default();
        add(&mut common, value.as_encoded_bytes());
    }
    for name in COMMON {
        add_files(&mut common, repo, &repo.root().join(name))?;
    }
    Ok(common)
}

/// The digest of these files and of what is in `digest` already.
fn hash_course(repo: &Repo, mut digest: Sha256, files: Files) -> Result<String> {
    let entries = fs::read_dir(repo.root())
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .context("cannot read the repository's folder")?;
    let mut paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    let done = IGNORED.iter().chain(&COMMON);
    paths.retain(|path| !done.clone().any(|name| path.ends_with(name)));
    if files == Files::Learners {
        paths.retain(|path| !path.ends_with("solutions"));
    }
    paths.sort();
    for path in paths {
        add_files(&mut digest, repo, &path)?;
    }
    Ok(hex(digest))
}

/// What `memory` has of `key`, or what `hash` returns, which is kept there.
fn once<K: Ord>(
    memory: &RefCell<BTreeMap<K, String>>,
    key: K,
    hash: impl FnOnce() -> Result<String>,
) -> Result<String> {
    if let Some(known) = memory.borrow().get(&key) {
        return Ok(known.clone());
    }
    let digest = hash()?;
    memory.borrow_mut().insert(key, digest.clone());
    Ok(digest)
}
