//! The package in which submissions are built: this clone's manifest and tests, with the sources
//! of one submission at a time.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use course::cargo;
use course::detached::detached;
use course::repo::{self, Repo};
use course::source::Source;
use course::stubs::Solution;

/// The package, below `target/grade` of this clone.
pub struct Workspace {
    /// Its folder, as a repository.
    pub repo: Repo,
    /// The folder for cargo's output. The dependencies in it serve every submission.
    pub target: PathBuf,
    stubs: BTreeMap<String, String>,
    /// Keeps a second grading in this clone waiting.
    _lock: File,
}

impl Workspace {
    /// Writes the manifest and the tests of `repo`, and downloads the dependencies.
    pub fn new(repo: &Repo, solution: &Solution) -> Result<Self> {
        let top = repo.root().join("target/grade");
        fs::create_dir_all(&top).with_context(|| format!("cannot make {}", top.display()))?;
        let lock = File::create(top.join("lock")).context("cannot make target/grade/lock")?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            eprintln!("Another `cargo course grade` runs in this clone; waiting for its end …");
        }
        lock.lock().context("cannot lock target/grade/lock")?;
        let dir = top.join("work");
        clear(&dir)?;
        let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
        write(
            &dir.join("Cargo.toml"),
            detached(&manifest, repo.root())?.to_string(),
        )?;
        let lock_file = repo.root().join("Cargo.lock");
        if lock_file.is_file() {
            let content = fs::read(lock_file).context("cannot read Cargo.lock")?;
            write(&dir.join("Cargo.lock"), content)?;
        }
        // It marks a repository of the course.
        write(&dir.join("book/src/course.toml"), "")?;
        copy_tests(repo, &dir)?;
        let workspace = Self {
            repo: Repo::find(&dir)?,
            target: top.join("build"),
            stubs: solution.stubs(),
            _lock: lock,
        };
        workspace.put(&BTreeMap::new())?;
        // Submissions are built without a network.
        let fetched = cargo::cargo()
            .arg("fetch")
            .current_dir(&dir)
            .stdout(Stdio::null())
            .output()
            .map_err(cargo::not_started)?;
        ensure!(
            fetched.status.success(),
            "the dependencies cannot be downloaded: {}",
            String::from_utf8_lossy(&fetched.stderr).trim()
        );
        Ok(workspace)
    }

    /// Replaces the sources. A file that a submission lacks is this clone's stub.
    pub fn put(&self, sources: &BTreeMap<String, String>) -> Result<()> {
        let src = self.repo.src();
        clear(&src)?;
        let missing = self
            .stubs
            .iter()
            .filter(|(name, _)| !sources.contains_key(*name));
        for (name, text) in sources.iter().chain(missing) {
            write(&src.join(name), text)?;
        }
        // What cargo knows about the last sources must not make it take them for these.
        for path in self.built(".fingerprint", "claw-code-", "") {
            clear(&path)?;
        }
        for path in self.source_lists() {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        Ok(())
    }

    /// A file outside `src` that the last build compiled into the learner's crate, however the code
    /// names it. The compiler lists all that it reads.
    pub fn foreign_source(&self) -> Result<Option<String>> {
        let lists = self.source_lists();
        ensure!(!lists.is_empty(), "cargo has left no list of source files");
        for list in lists {
            let text = fs::read_to_string(&list)
                .with_context(|| format!("cannot read {}", list.display()))?;
            // Each source file has a line of its own, which ends with a colon.
            let mut files = text.lines().filter_map(|line| line.strip_suffix(':'));
            let is_foreign = |file: &&str| !file.starts_with("src/") || file.contains("..");
            if let Some(file) = files.find(is_foreign) {
                return Ok(Some(file.to_string()));
            }
        }
        Ok(None)
    }

    /// The compiler's lists of the source files of the learner's crate.
    fn source_lists(&self) -> Vec<PathBuf> {
        self.built("deps", "claw_code-", ".d")
    }

    /// What cargo has built in `folder`. If its configuration sets `build.target`, it builds into a
    /// folder with the name of the target.
    fn built(&self, folder: &str, start: &str, end: &str) -> Vec<PathBuf> {
        let mut targets = below(&self.target, "", "");
        targets.push(self.target.clone());
        let folders = targets
            .iter()
            .map(|target| target.join("debug").join(folder));
        folders
            .flat_map(|folder| below(&folder, start, end))
            .collect()
    }
}

/// The entries of a folder whose names begin and end so.
fn below(dir: &Path, start: &str, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let is_named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    };
    entries.map(|entry| entry.path()).filter(is_named).collect()
}

/// Copies the tests, and makes each begin with a call of [`WITNESS`].
fn copy_tests(repo: &Repo, dir: &Path) -> Result<()> {
    for path in repo::files_below(&repo.tests())? {
        let target = dir.join(repo.relative(&path));
        match path.extension().is_some_and(|end| end == "rs") {
            true => write(&target, witnessed(&Source::read(&path)?)?)?,
            false => write(
                &target,
                fs::read(&path).context("cannot read a test's file")?,
            )?,
        }
    }
    let main = dir.join("tests/main.rs");
    let text = fs::read_to_string(&main).context("cannot read tests/main.rs")?;
    write(&main, format!("{text}\nmod grading_witness;\n"))?;
    write(&dir.join("tests/grading_witness.rs"), WITNESS)
}

/// The text of a test file with a witness at the start of each test. Lines keep their numbers.
fn witnessed(source: &Source) -> Result<String> {
    let mut places = Vec::new();
    for test in source.tests() {
        let found = source.find(std::slice::from_ref(&test))?;
        if let Some(body) = found.and_then(|found| found.body) {
            places.push((body.start + 1, test));
        }
    }
    places.sort();
    let mut text = source.text.clone();
    for (place, test) in places.iter().rev() {
        let call = format!(" let _witness = crate::grading_witness::begin({test:?});");
        text.insert_str(*place, &call);
    }
    Ok(text)
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

fn clear(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot clear {}", dir.display()))
        }
        _ => Ok(()),
    }
}

/// The module of the tests that reports which of them finish.
const WITNESS: &str = include_str!("witness.rs.txt");
