//! Compiles the crates that the checks test: copies of the learner's package with other
//! sources, in a workspace below `target/`. One cargo command builds those whose tests run, and
//! one looks for errors in the others.

mod folder;
mod package;

pub use package::Package;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tempfile::NamedTempFile;

use self::folder::Folder;
use super::cases::{Case, Cases};
use super::executed::{self, EXECUTED};
use super::functions::Executed;
use super::part::Part;
use crate::cargo::{self, Built, Compile, Results};
use crate::manifest::SectionId;
use crate::progress::Progress;
use crate::repo::Repo;

/// The compiled crates.
pub struct TestCrates {
    /// What each cargo command made of its packages.
    compiled: Vec<Built>,
    /// For each section, the cases whose tests have run, and what they executed.
    executed: Mutex<BTreeMap<SectionId, Cases>>,
    /// The number of functions of the reference.
    functions: usize,
}

/// How long a test run may keep a core busy.
const BUSY: Duration = Duration::from_secs(3);

/// The crate with the whole reference.
pub const REFERENCE: &str = "reference";
/// The crate in which the functions' wrong bodies are compiled beside the right ones.
pub const SWITCH: &str = "switch";

/// A run of a package's tests.
pub struct TestRun {
    /// The package.
    pub package: String,
    /// The section for whose proof they run.
    pub section: SectionId,
    /// The tests, each with the case that it is part of.
    pub tests: BTreeMap<String, Case>,
    /// Environment variables for the tests.
    pub env: Vec<(&'static str, String)>,
    /// The run counts as hung when no test finishes for this long.
    pub timeout: Duration,
}

impl TestRun {
    /// A run of the tests of one section in `package`, as parts of one case.
    pub fn of_section(package: String, part: &Part, case: &Case) -> Self {
        let tests = part.section.tests.iter();
        Self {
            package,
            section: part.section.id,
            tests: tests.map(|test| (test.clone(), case.clone())).collect(),
            env: Vec::new(),
            timeout: Duration::from_secs(part.manifest.timeout_seconds),
        }
    }
}

/// Whether so much is to be proved for `sections` sections that a crate gets all sections of the
/// course. Then most of it is as in the last such run, and the compiler need not compile it again.
pub fn is_wide(progress: &Progress, sections: usize) -> bool {
    let written = progress.course.written();
    let all: usize = written.map(|(_, manifest)| manifest.sections.len()).sum();
    sections * 6 > all
}

impl TestCrates {
    /// Writes and compiles `packages`. A package that does not compile is not an error here.
    pub fn compile(progress: &Progress, packages: &[Package]) -> Result<Self> {
        let repo = &progress.repo;
        let mut dir = Folder::new(folder(repo));
        let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
        let functions = progress.solution()?.functions().len();
        for package in packages {
            package.write(progress, &mut dir, &manifest, functions)?;
        }
        dir.write(
            "Cargo.toml",
            &package::workspace(repo, &manifest, packages)?,
        )?;
        let lock = repo.root().join("Cargo.lock");
        if lock.exists() {
            let lock = fs::read_to_string(&lock).context("cannot read Cargo.lock")?;
            dir.write("Cargo.lock", &lock)?;
        }
        let dir = dir.without_other_files()?;
        let mut compiled = Vec::new();
        for compile in [Compile::Check, Compile::Build] {
            let same = packages.iter().filter(|package| package.compile == compile);
            let names: Vec<&str> = same.map(|package| package.name.as_str()).collect();
            if names.is_empty() {
                continue;
            }
            let built = cargo::compile_tests(compile, &names, &dir, &repo.root().join("target"))?;
            if let Some(error) = &built.cargo {
                ensure!(
                    !built.diagnostics.is_empty(),
                    "the crates for the checks cannot be built: {error}"
                );
            }
            compiled.push(built);
        }
        Ok(Self {
            compiled,
            executed: Mutex::default(),
            functions,
        })
    }

    /// Removes what an earlier run has written, so that everything is compiled again.
    pub fn remove(repo: &Repo) -> Result<()> {
        let dir = folder(repo);
        match dir.exists() {
            true => {
                fs::remove_dir_all(&dir).with_context(|| format!("cannot remove {}", dir.display()))
            }
            false => Ok(()),
        }
    }

    /// Fails if a package does not compile.
    pub fn ensure_compiled(&self, package: &str) -> Result<()> {
        let mut all = self.compiled.iter();
        ensure!(
            all.any(|built| built.compiled.contains(package)),
            "{package} does not compile:\n{}",
            self.diagnostics(package).join("\n")
        );
        Ok(())
    }

    /// The compiler's messages about a package, warnings and errors.
    pub fn diagnostics(&self, package: &str) -> Vec<String> {
        let all = self.compiled.iter();
        all.filter_map(|built| built.diagnostics.get(package))
            .flatten()
            .map(|diagnostic| diagnostic.rendered.clone())
            .collect()
    }

    /// Carries out the test runs, twice as many at once as there are cores, since many tests wait.
    /// A run that has taken longer than [`BUSY`] does not count: most of these only wait for a
    /// timeout.
    /// Returns the results in the order of `runs`.
    pub fn run<'r>(&self, runs: impl IntoIterator<Item = &'r TestRun>) -> Vec<Result<Results>> {
        let workers = 2 * thread::available_parallelism().map_or(1, NonZero::get);
        let (sender, results) = mpsc::channel();
        let mut running = BTreeMap::new();
        let mut done = BTreeMap::new();
        thread::scope(|scope| {
            for (at, run) in runs.into_iter().enumerate() {
                let busy = |start: &&Instant| start.elapsed() < BUSY;
                while running.values().filter(busy).count() >= workers {
                    if let Ok((at, result)) = results.recv_timeout(Duration::from_millis(100)) {
                        running.remove(&at);
                        done.insert(at, result);
                    }
                }
                running.insert(at, Instant::now());
                let sender = sender.clone();
                // The channel is closed only when this function has panicked.
                scope.spawn(move || sender.send((at, self.run_one(run))));
            }
        });
        drop(sender);
        done.extend(results);
        done.into_values().collect()
    }

    /// Carries out one test run.
    pub fn run_one(&self, run: &TestRun) -> Result<Results> {
        if run.tests.is_empty() {
            return Ok(Results::default());
        }
        self.ensure_compiled(&run.package)?;
        let mut all = self.compiled.iter();
        let program = all
            .find_map(|built| built.programs.get(&run.package))
            .with_context(|| format!("{} was not built", run.package))?;
        let file = NamedTempFile::new().context("cannot make a temporary file")?;
        let mut env = run.env.clone();
        env.push((EXECUTED, file.path().display().to_string()));
        let filters: Vec<String> = run.tests.keys().map(|test| format!("::{test}")).collect();
        let result = program.run(&filters, &env, run.timeout)?;
        for (case, executed) in executed::read(file.path(), &run.tests, self.functions)? {
            self.add_executed(run.section, case, executed);
        }
        Ok(result)
    }

    /// Adds to what the tests of a case have executed.
    pub fn add_executed(&self, section: SectionId, case: Case, executed: Executed) {
        let mut all = self.executed();
        let of_section = all.entry(section).or_default();
        of_section.entry(case).or_default().extend(executed);
    }

    /// The cases of a section whose tests have run since this was last asked, and what these
    /// executed.
    pub fn take_executed(&self, section: SectionId) -> Cases {
        self.executed().remove(&section).unwrap_or_default()
    }

    fn executed(&self) -> MutexGuard<'_, BTreeMap<SectionId, Cases>> {
        let executed = self.executed.lock();
        executed.unwrap_or_else(PoisonError::into_inner)
    }
}

fn folder(repo: &Repo) -> PathBuf {
    repo.root().join("target/verify")
}
