//! Crates made for the checks, in a workspace of their own below `target/`, built by
//! one cargo command:
//!
//! - `start-N`: chapters before N solved, N's stubs as a learner finds them;
//! - `end-N`: chapters up to N solved, under feature `chN`;
//! - `switch`: every chapter solved, with each function's wrong answers beside the
//!   right one, chosen by an environment variable when the tests run;
//! - `wrong-N-I`: wrong answer I of chapter N, where it changes a type and so can't be
//!   chosen at run time.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::Context;
use super::sharp;
use crate::cargo::{self, Built, Run};
use crate::repo::Repo;

/// The built crates.
pub struct Scratch {
    built: Built,
}

/// One run of a package's tests.
pub struct Trial {
    /// The package.
    pub package: String,
    /// Only tests whose path contains one of these; none means all.
    pub filters: Vec<String>,
    /// Variables that the tests are run with.
    pub env: Vec<(&'static str, String)>,
    /// How long no test may end before the run is taken to hang.
    pub patience: Duration,
}

/// One crate to build.
pub struct Package {
    /// Its name, and its folder's.
    pub name: String,
    /// The newest chapter that is open in it.
    pub chapter: u32,
    /// The chapters whose suites it is tested by.
    pub suites: RangeInclusive<u32>,
    /// Its sources, relative to `src`.
    pub files: BTreeMap<String, String>,
    /// Whether the workspace's lints apply, so that a warning counts.
    pub strict: bool,
}

impl Scratch {
    /// Makes and builds all crates that the checks need.
    pub fn build(context: &Context) -> Result<Self> {
        let repo = &context.progress.repo;
        let solution = &context.progress.solution()?;
        let mut packages = Vec::new();
        for (chapter, _) in context.chapters() {
            let number = chapter.number;
            packages.push(Package {
                name: format!("start-{number}"),
                chapter: number,
                suites: number..=number,
                files: solution.render_all(|section| section.chapter < number),
                strict: false,
            });
            packages.push(Package {
                name: format!("end-{number}"),
                chapter: number,
                suites: 1..=number,
                files: solution.render_all(|section| section.chapter <= number),
                strict: true,
            });
        }
        packages.extend(sharp::packages(context)?);
        let dir = repo.root().join("target/verify");
        if dir.exists() {
            fs::remove_dir_all(&dir).with_context(|| format!("cannot clear {}", dir.display()))?;
        }
        let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
        for package in &packages {
            write_package(context, &dir, &manifest, package)?;
        }
        write(&dir.join("Cargo.toml"), &workspace(repo, &manifest)?)?;
        let lock = repo.root().join("Cargo.lock");
        if lock.exists() {
            fs::copy(&lock, dir.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
        }
        let built = cargo::build_tests(&dir, &repo.root().join("target"))?;
        if let Some(words) = &built.cargo {
            let nothing = built.diagnostics.is_empty();
            ensure!(
                !nothing,
                "the crates for the checks cannot be built: {words}"
            );
        }
        Ok(Self { built })
    }

    /// What the compiler said of a package, warnings and errors.
    pub fn diagnostics(&self, package: &str) -> Vec<String> {
        let said = self.built.diagnostics.get(package);
        said.into_iter()
            .flatten()
            .map(|diagnostic| diagnostic.rendered.clone())
            .collect()
    }

    /// Carries out the trials, as many at a time as the machine has cores: half of them wait
    /// for a timeout to run out. The runs come back in the order of the trials.
    pub fn run(&self, trials: &[Trial]) -> Vec<Result<Run>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(trial) = trials.get(at) else {
                    return done;
                };
                done.push((at, self.run_one(trial)));
            }
        };
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        let mut done: Vec<(usize, Result<Run>)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let done = workers.into_iter().map(|worker| worker.join());
            done.flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, run)| run).collect()
    }

    fn run_one(&self, trial: &Trial) -> Result<Run> {
        let program = self.built.programs.get(&trial.package).with_context(|| {
            format!(
                "{} does not compile:\n{}",
                trial.package,
                self.diagnostics(&trial.package).join("\n")
            )
        })?;
        program.run(&trial.filters, &trial.env, trial.patience)
    }
}

/// The root manifest's tables that hold for every member, and nothing of its package.
/// Paths of dependencies become absolute, since the file moves.
fn workspace(repo: &Repo, manifest: &str) -> Result<String> {
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    document.retain(|key, _| key == "workspace" || key == "profile");
    let table = document["workspace"]
        .as_table_mut()
        .context("Cargo.toml has no [workspace]")?;
    let dependencies = table.get_mut("dependencies");
    for (_, dependency) in dependencies
        .and_then(|d| d.as_table_like_mut())
        .into_iter()
        .flat_map(|d| d.iter_mut())
    {
        let path = dependency.get("path").and_then(|path| path.as_str());
        if let Some(path) = path.map(|path| repo.root().join(path)) {
            dependency["path"] = toml_edit::value(path.to_string_lossy().as_ref());
        }
    }
    table.remove("exclude");
    let mut members = toml_edit::Array::new();
    members.push("*");
    table["members"] = toml_edit::value(members);
    Ok(document.to_string())
}

/// A package that differs from the learner's in its name, sources and open chapter.
fn write_package(context: &Context, dir: &Path, manifest: &str, package: &Package) -> Result<()> {
    let repo: &Repo = &context.progress.repo;
    let dir = dir.join(&package.name);
    let library = package.name.replace('-', "_");
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    document.remove("workspace");
    document.remove("profile");
    // Its programs are none of the checks' business.
    document.remove("bin");
    document["package"]["name"] = toml_edit::value(&package.name);
    document["lib"]["name"] = toml_edit::value(&library);
    document["features"]["default"] = {
        let mut default = toml_edit::Array::new();
        default.push(format!("ch{}", package.chapter));
        if package.strict && program_needs(&document).is_some_and(|n| n <= package.chapter) {
            default.push(PROGRAM);
        }
        toml_edit::value(default)
    };
    if package.strict {
        document["lints"] = toml_edit::table();
        document["lints"]["workspace"] = toml_edit::value(true);
    }
    write(&dir.join("Cargo.toml"), &document.to_string())?;
    let mut main = format!("//! Suites.\nextern crate {library} as claw_code;\n");
    for (chapter, _) in context.progress.course.written() {
        if package.suites.contains(&chapter.number) {
            let suite = chapter.suite_dir(repo).join("mod.rs");
            let name = chapter.feature();
            main.push_str(&format!("#[path = {suite:?}]\nmod {name};\n"));
        }
    }
    let support = repo.tests().join("support/mod.rs");
    if support.is_file() {
        main.push_str(&format!("#[path = {support:?}]\nmod support;\n"));
    }
    write(&dir.join("tests/main.rs"), &main)?;
    for (file, text) in &package.files {
        write(&dir.join("src").join(file), text)?;
    }
    Ok(())
}

/// The chapter from which on the program can be built, as its feature says.
fn program_needs(manifest: &toml_edit::DocumentMut) -> Option<u32> {
    let needs = manifest.get("features")?.get(PROGRAM)?.as_array()?;
    let mut chapters = needs
        .iter()
        .filter_map(|need| need.as_str()?.strip_prefix("ch"));
    chapters.find_map(|number| number.parse().ok())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The feature under which the library holds the program's modules.
const PROGRAM: &str = "claw";
