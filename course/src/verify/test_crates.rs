//! Compiles the crates that the checks test: copies of the learner's package with other
//! sources, in a workspace below `target/`. One cargo command builds those whose tests run, and
//! one looks for errors in the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tempfile::NamedTempFile;

use super::cases::{Case, Cases};
use super::executed::{self, EXECUTED};
use super::functions::Executed;
use super::part::Part;
use crate::cargo::{self, Built, Compile, Run};
use crate::detached;
use crate::manifest::SectionId;
use crate::program;
use crate::progress::Progress;
use crate::repo::{Repo, files_below, write_if_changed};
use crate::suite;

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

/// One crate to compile.
pub struct Package {
    /// The name of the package and of its folder.
    pub name: String,
    /// The newest open chapter.
    pub chapter: u32,
    /// The sections whose tests it gets.
    pub suite: BTreeSet<SectionId>,
    /// Its sources, relative to `src`.
    pub files: BTreeMap<String, String>,
    /// Whether its tests run.
    pub compile: Compile,
    /// The chapter whose modules compile with its tests, as they do after a learner's save.
    pub with_tests: Option<u32>,
    /// Whether the workspace's lints apply, so that warnings are found.
    pub strict: bool,
    /// Whether the compiler keeps its work for the next run. It does not for the many crates with a
    /// wrong type: each compiles little and would take up 60 MB.
    pub incremental: bool,
}

impl TestCrates {
    /// Writes and compiles `packages`. A package that does not compile is not an error here.
    pub fn compile(progress: &Progress, packages: &[Package]) -> Result<Self> {
        let repo = &progress.repo;
        let mut dir = Folder::new(folder(repo));
        let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
        let functions = progress.solution()?.bodies().len();
        for package in packages {
            write_package(progress, &mut dir, &manifest, package, functions)?;
        }
        dir.write("Cargo.toml", &workspace(repo, &manifest, packages)?)?;
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
    pub fn run<'r>(&self, runs: impl IntoIterator<Item = &'r TestRun>) -> Vec<Result<Run>> {
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
    pub fn run_one(&self, run: &TestRun) -> Result<Run> {
        if run.tests.is_empty() {
            return Ok(Run::Ran {
                warnings: Vec::new(),
                tests: Vec::new(),
                cut_short: None,
            });
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

/// The manifest of the workspace: the root manifest without its package. Paths of dependencies
/// become absolute, since the file moves.
fn workspace(repo: &Repo, manifest: &str, packages: &[Package]) -> Result<String> {
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    document.retain(|key, _| key == "workspace" || key == "profile");
    // Nobody reads a backtrace from these crates, and they build in two thirds of the time.
    document["profile"]["dev"]["debug"] = toml_edit::value(false);
    document["profile"]["dev"]["incremental"] = toml_edit::value(false);
    for package in packages.iter().filter(|package| package.incremental) {
        document["profile"]["dev"]["package"][&package.name]["incremental"] =
            toml_edit::value(true);
    }
    detached::make_paths_absolute(&mut document, repo.root());
    let table = document["workspace"]
        .as_table_mut()
        .context("Cargo.toml has no [workspace]")?;
    table.remove("exclude");
    let mut members = toml_edit::Array::new();
    members.extend(packages.iter().map(|package| package.name.as_str()));
    table["members"] = toml_edit::value(members);
    Ok(document.to_string())
}

/// Writes a package that differs from the learner's in its name, sources and open chapter. The
/// reference has `functions` functions.
fn write_package(
    progress: &Progress,
    dir: &mut Folder,
    manifest: &str,
    package: &Package,
    functions: usize,
) -> Result<()> {
    let name = &package.name;
    let library = package.name.replace('-', "_");
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    document.remove("workspace");
    document.remove("profile");
    // The checks test the library only.
    document.remove("bin");
    document["package"]["name"] = toml_edit::value(&package.name);
    document["lib"]["name"] = toml_edit::value(&library);
    document["features"]["default"] = {
        let mut default = toml_edit::Array::new();
        default.push(format!("ch{}", package.chapter));
        if program::first_chapter(&document).is_some_and(|first| first <= package.chapter) {
            default.push(program::PROGRAM);
        }
        toml_edit::value(default)
    };
    if package.strict {
        document["lints"] = toml_edit::table();
        document["lints"]["workspace"] = toml_edit::value(true);
    }
    dir.write(&format!("{name}/Cargo.toml"), &document.to_string())?;
    write_tests(progress, dir, package)?;
    for (file, text) in &package.files {
        let path = format!("{name}/src/{file}");
        match file == "lib.rs" && package.compile == Compile::Build {
            true => dir.write(&path, &format!("{text}{}", executed::module(functions)))?,
            false => dir.write(&path, text)?,
        }
    }
    Ok(())
}

/// Writes the test program of a package.
fn write_tests(progress: &Progress, dir: &mut Folder, package: &Package) -> Result<()> {
    let repo = &progress.repo;
    let tests = format!("{}/tests", package.name);
    let library = package.name.replace('-', "_");
    let mut main = match package.with_tests {
        None => format!("//! The tests of some sections.\nextern crate {library} as claw_code;\n"),
        Some(number) => {
            let modules = modules_with_tests(repo, number)?;
            dir.write(&format!("{tests}/modules.rs"), &modules)?;
            format!(
                "//! The tests of a chapter.\n#![allow(dead_code, unexpected_cfgs, unused_imports)]\nextern crate {library} as library;\nextern crate self as claw_code;\ninclude!(\"modules.rs\");\n"
            )
        }
    };
    if !package.suite.is_empty() {
        main += &suite::declarations(repo, &progress.course, &package.suite)?;
    }
    dir.write(&format!("{tests}/main.rs"), &main)
}

/// `tests/modules.rs` as the compiler sees it with `--cfg 'with_tests="chN"'`, for this N.
fn modules_with_tests(repo: &Repo, number: u32) -> Result<String> {
    let text = fs::read_to_string(repo.tests().join("modules.rs"));
    let text = text.context("cannot read tests/modules.rs")?;
    Ok(text.replace(&format!("with_tests = \"ch{number}\""), "all()"))
}

/// A folder that is written anew. A file with the same text as before stays as it is, so that cargo
/// finds it unchanged.
struct Folder {
    path: PathBuf,
    written: BTreeSet<PathBuf>,
}

impl Folder {
    fn new(path: PathBuf) -> Self {
        let written = BTreeSet::new();
        Self { path, written }
    }

    /// Writes a file. `name` is its path in the folder.
    fn write(&mut self, name: &str, text: &str) -> Result<()> {
        let path = self.path.join(name);
        if let Some(dir) = path.parent() {
            let failed = || format!("cannot make {}", dir.display());
            fs::create_dir_all(dir).with_context(failed)?;
        }
        write_if_changed(&path, text.as_bytes())?;
        self.written.insert(path);
        Ok(())
    }

    /// The folder's path, after everything is removed that was not written.
    fn without_other_files(self) -> Result<PathBuf> {
        let failed = |path: &Path| format!("cannot remove {}", path.display());
        for file in files_below(&self.path)? {
            if !self.written.contains(&file) {
                fs::remove_file(&file).with_context(|| failed(&file))?;
            }
        }
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if self.written.iter().all(|file| !file.starts_with(&path)) {
                fs::remove_dir_all(&path).with_context(|| failed(&path))?;
            }
        }
        Ok(self.path)
    }
}
