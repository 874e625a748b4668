//! Compiles the code of learners after each update.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use course::cargo::cargo;
use course::manifest::Section;
use course::open_chapter::with_open_chapter;
use course::repo::{files_below, relative_name};
use course::update::common::GivesWay;
use course::update::common::Sources;
use course::update::compile::{self, Build};
use course::update::compiling_merge::CompilingMerge;
use course::update::merge::Gifts;
use course::update::units::Followed;
use course::update::version::Version;
use tempfile::TempDir;
use toml_edit::{Array, DocumentMut, value};

use crate::LEARNERS;
use crate::assert_nothing_lost;
use crate::common;
use crate::interface::interface;
use crate::learner::{Learner, marks};
use crate::versions::{UPDATES, history};

/// Ten updates of fifty learners, each with its builds. CONTRIBUTING.md has the command. Cargo may
/// download crates that only older versions used. With `LEARNERS=4`, the first four learners.
#[test]
#[ignore = "compiles the learner's crate over six hundred times, for 40 minutes of CPU"]
fn code_that_compiled_compiles_after_each_update() {
    let learners = std::env::var("LEARNERS").ok();
    let learners = learners.and_then(|it| it.parse().ok()).unwrap_or(LEARNERS);
    let folder = TempDir::with_prefix("course-history-").expect("a temporary folder");
    let versions = history(folder.path(), UPDATES);
    let clone = SharedClone::new("all", What::Tests);
    replay(&versions, 0..learners, clone);
}

/// The sample that CI compiles: learners who skip every version but the newest, one with few
/// chapters open and one with all. A build of the second takes 5 seconds of CPU, and some of its
/// code has to give way first.
#[test]
fn code_that_compiled_compiles_after_one_long_update() {
    let folder = TempDir::with_prefix("course-history-").expect("a temporary folder");
    let versions = history(folder.path(), 1);
    let clone = SharedClone::new("sample", What::Library);
    replay(&versions, [0, 11], clone);
}

/// Brings learners whose code compiles from the first version to the last, and compiles the result
/// of each update. All learners get one version before any gets the next.
fn replay(versions: &[Version], numbers: impl IntoIterator<Item = u64>, mut clone: SharedClone) {
    let Some(first) = versions.first().filter(|_| versions.len() > 1) else {
        return;
    };
    let numbers = numbers.into_iter();
    let mut learners: Vec<Learner> = numbers.map(|it| Learner::new(first, it)).collect();
    let mut failures = Vec::new();
    if clone.what == What::Tests {
        clone.bring(first);
        for learner in &learners {
            let when = format!("learner {}, before any update", learner.number);
            let library = clone.library(&learner.sources, learner.open);
            failures.extend(errors(&library, &when));
            let tests = clone.tests(&learner.sources, learner.open);
            failures.extend(errors(&tests, &when));
        }
        eprintln!("{} learners, {} builds", learners.len(), clone.builds);
        assert!(failures.is_empty(), "{failures:#?}");
    }
    let mut updates = 0;
    for (number, pair) in versions.windows(2).enumerate() {
        let followed = Followed::of(&pair[0], &pair[1]);
        clone.bring(&pair[1]);
        for learner in &mut learners {
            let when = format!("learner {}, update {}", learner.number, number + 1);
            let before = clone.builds;
            let errors = update(learner, pair, &followed, &mut clone, &when);
            let builds = clone.builds - before;
            let open = learner.open;
            eprintln!("{when}: chapter {open}, {builds} builds {errors:#?}");
            if learner.compiles {
                updates += 1;
                learner.compiles = errors.is_empty();
                failures.extend(errors);
            }
        }
    }
    eprintln!("{updates} updates compiled, with {} builds", clone.builds);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// One update of one learner. Returns what does not compile.
fn update(
    learner: &mut Learner,
    versions: &[Version],
    followed: &Followed,
    clone: &mut SharedClone,
    when: &str,
) -> Vec<String> {
    let (open, is_core) = (learner.open, learner.is_core);
    let is_given = |section: &Section| is_core && section.depth && section.id.chapter <= open;
    let gifts = Gifts {
        gives_new: &is_given,
        gave: &is_given,
    };
    let merge = CompilingMerge {
        old: &versions[0],
        new: &versions[1],
        followed,
        learner: &learner.sources,
        gifts: &gifts,
        open,
    };
    let merged = merge.merge(&GivesWay::default()).expect("a merge");
    let mut last = Vec::new();
    let compiled = merge.compile(merged, learner.compiles, |sources| {
        let build = clone.library(sources, open);
        last = errors(&build, when);
        Ok(build)
    });
    let merged = compiled.expect("builds").merged;
    let after = merged.applied_to(&learner.sources);
    assert_nothing_lost(&after, &merged, &marks(&learner.sources), when);
    if last.is_empty() {
        last = errors(&clone.tests(&after, open), when);
    }
    learner.sources = after;
    last
}

fn errors(build: &Build, when: &str) -> Vec<String> {
    let problems = match build {
        Build::Passed => return Vec::new(),
        Build::NotBuilt(reason) => return vec![format!("{when}: {reason}")],
        Build::Failed(problems) => problems.iter(),
    };
    let lines = problems.map(|it| format!("{when}: {}:{} {}", it.file, it.line, it.message));
    lines.collect()
}

/// What is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// The learner's library.
    Library,
    /// The library and the tests.
    Tests,
}

/// The clone that all learners share, one after the other. The compiler looks again only at the
/// functions that differ from those of the learner before.
struct SharedClone {
    root: PathBuf,
    what: What,
    /// `Cargo.toml`, before a chapter is opened.
    cargo_toml: String,
    /// Digests of the code that compiles with the present version.
    compiling: BTreeSet<u64>,
    /// The digest of the interface of each file, by that of its content.
    interfaces: BTreeMap<u64, u64>,
    builds: usize,
}

/// The folder for cargo's builds, with the crates that the verifier compiles, too.
const TARGET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target");

impl SharedClone {
    /// A clone in a folder that is the same in each run, so that what was compiled is used again.
    fn new(name: &str, what: What) -> Self {
        Self {
            root: Path::new(TARGET).join("update-history").join(name),
            what,
            cargo_toml: String::new(),
            compiling: BTreeSet::new(),
            interfaces: BTreeMap::new(),
            builds: 0,
        }
    }

    /// Makes everything but the learner's code that of `version`.
    fn bring(&mut self, version: &Version) {
        let from = version.repo.root();
        for folder in ["offline", "solutions", "tests"] {
            let paths = files_below(&from.join(folder)).expect("a folder of the course");
            let files = paths.into_iter().map(|path| {
                let content = fs::read(&path).expect("a file of the course");
                (relative_name(from, &path), content)
            });
            write_folder(&self.root, folder, &files.collect());
        }
        let lock = fs::read(from.join("Cargo.lock")).expect("Cargo.lock");
        write_changed(&self.root.join("Cargo.lock"), &lock);
        let text = fs::read_to_string(from.join("Cargo.toml")).expect("Cargo.toml");
        self.cargo_toml = with_all_crates(&text);
        self.compiling.clear();
    }

    /// Compiles a learner's library.
    fn library(&mut self, sources: &Sources, open: u32) -> Build {
        self.compile(
            sources,
            open,
            &["--lib"],
            digest(&("library", open, sources)),
        )
    }

    /// Compiles the tests of the open chapters, if they have not been compiled with the same types
    /// and signatures. They see no more of the library.
    fn tests(&mut self, sources: &Sources, open: u32) -> Build {
        if self.what == What::Library {
            return Build::Passed;
        }
        let mut seen = Vec::new();
        for (file, content) in sources {
            let known = self.interfaces.entry(digest(content));
            let interface = known.or_insert_with(|| {
                let text = String::from_utf8_lossy(content);
                digest(&interface(&text))
            });
            seen.push((file, *interface));
        }
        let digest = digest(&("tests", open, seen));
        self.compile(sources, open, &["--test", "main"], digest)
    }

    fn compile(&mut self, sources: &Sources, open: u32, select: &[&str], digest: u64) -> Build {
        if self.compiling.contains(&digest) {
            return Build::Passed;
        }
        let sources = sources.iter();
        let files = sources.map(|(file, content)| (format!("src/{file}"), content.clone()));
        write_folder(&self.root, "src", &files.collect());
        let text = with_open_chapter(&self.cargo_toml, open).expect("a default");
        write_changed(&self.root.join("Cargo.toml"), text.as_bytes());
        let mut command = cargo();
        command
            .current_dir(&self.root)
            .env("CARGO_INCREMENTAL", "1")
            .args(["check", "--quiet", "--package", "claw-code"])
            .args(["--features", ALL_CRATES, "--target-dir", TARGET])
            .args(select);
        self.builds += 1;
        let build = compile::run(&mut command);
        if matches!(build, Build::Passed) {
            self.compiling.insert(digest);
        }
        build
    }
}

fn digest(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The feature with all crates that any chapter needs, and `claw`.
const ALL_CRATES: &str = "all-crates";

/// `Cargo.toml` with a feature for all crates, so that they are the same whatever chapter is open.
fn with_all_crates(cargo_toml: &str) -> String {
    let mut document: DocumentMut = cargo_toml.parse().expect("Cargo.toml");
    let features = document["features"].as_table_mut().expect("features");
    let lists = features.iter().filter_map(|(_, list)| list.as_array());
    let names = lists.flatten().filter_map(|name| name.as_str());
    let crates: BTreeSet<String> = names
        .filter(|name| name.contains([':', '/']))
        .map(str::to_string)
        .collect();
    features[ALL_CRATES] = value(crates.into_iter().collect::<Array>());
    document.to_string()
}

/// Writes the files of `folder` and removes all others in it.
fn write_folder(root: &Path, folder: &str, files: &Sources) {
    let known = files_below(&root.join(folder)).unwrap_or_default();
    for path in known {
        if !files.contains_key(&relative_name(root, &path)) {
            fs::remove_file(&path).expect("a file of an earlier state");
        }
    }
    for (file, content) in files {
        write_changed(&root.join(file), content);
    }
}

/// A file that has not changed keeps its time, and cargo what it has compiled of it.
fn write_changed(path: &Path, content: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(content) {
        common::write(path, content);
    }
}
