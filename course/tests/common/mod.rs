//! Runs the real runner on a copy of a miniature course.
#![allow(dead_code, reason = "each test program uses a part of this")]

#[cfg(unix)]
pub mod book;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The runner, as cargo built it for this test program.
pub const RUNNER: &str = env!("CARGO_BIN_EXE_course");

/// The time limit for any wait, on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// The environment variables of the runner and of cargo. As in a learner's shell, there is no
/// `CARGO_TARGET_DIR` and none of the variables that `cargo test` sets.
const ENVIRONMENT: [&str; 9] = [
    "PATH",
    "HOME",
    "CARGO",
    "CARGO_HOME",
    "CARGO_INCREMENTAL",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
    "LANG",
];

/// Where cargo stores what it has asked the compiler.
const COMPILER_FACTS_FILE: &str = "target/.rustc_info.json";

/// That file of the first fixture that was built. In each target folder without it, cargo starts
/// the compiler three times more.
static COMPILER_FACTS: OnceLock<Vec<u8>> = OnceLock::new();

/// A copy of the miniature course in a temporary folder.
pub struct Fixture {
    dir: TempDir,
}

/// Files by their paths inside the fixture.
pub type Files = BTreeMap<String, Vec<u8>>;

impl Fixture {
    /// The course as after a clone.
    pub fn new() -> Self {
        let dir = TempDir::with_prefix("course-fixture-").expect("a temporary folder");
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
        copy_folder(&original, dir.path());
        let fixture = Self { dir };
        if let Some(facts) = COMPILER_FACTS.get() {
            fixture.write(COMPILER_FACTS_FILE, facts);
        }
        fixture
    }

    /// The course with chapter 1 solved and nothing to undo.
    pub fn after_chapter_1() -> Self {
        let fixture = Self::new();
        fixture.run("solution 1 --apply").exits(0);
        fs::remove_dir_all(fixture.path(".course")).expect("the runner has written its files");
        fixture
    }

    /// The course with chapters 1 and 2 open, in which section 2.1 is depth.
    pub fn with_depth_in_chapter_2() -> Self {
        let fixture = Self::new();
        fixture.replace("Cargo.toml", "default = [\"ch1\"]", "default = [\"ch2\"]");
        let id = "id = \"crossing\"";
        let manifest = "book/src/ch02-the-crossing.toml";
        fixture.replace(manifest, id, &format!("{id}\ndepth = true"));
        fixture
    }

    /// A copy of it.
    pub fn copy(&self) -> Self {
        let dir = TempDir::with_prefix("course-fixture-").expect("a temporary folder");
        copy_folder(self.dir.path(), dir.path());
        Self { dir }
    }

    /// Its top folder, without symbolic links.
    pub fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("the fixture exists")
    }

    /// The path of `file`.
    pub fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    /// A file's text.
    pub fn read(&self, file: &str) -> String {
        let bytes = self.bytes(file);
        String::from_utf8(bytes).unwrap_or_else(|error| panic!("{file} is not UTF-8: {error}"))
    }

    /// A file's content.
    pub fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.path(file)).unwrap_or_else(|error| panic!("cannot read {file}: {error}"))
    }

    /// Writes a file and its folder.
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
        fs::write(path, content).unwrap_or_else(|error| panic!("cannot write {file}: {error}"));
    }

    /// Writes an executable script.
    #[cfg(unix)]
    pub fn program(&self, file: &str, script: impl AsRef<[u8]>) {
        use std::os::unix::fs::PermissionsExt;
        self.write(file, script);
        fs::set_permissions(self.path(file), fs::Permissions::from_mode(0o755))
            .expect("its mode can be set");
    }

    /// Adds to the end of a file.
    pub fn append(&self, file: &str, text: &str) {
        self.write(file, self.read(file) + text);
    }

    /// Replaces `old`, which must occur in `file` once.
    pub fn replace(&self, file: &str, old: &str, new: &str) {
        let text = self.read(file);
        let times = text.matches(old).count();
        assert_eq!(times, 1, "{old:?} occurs once in {file}:\n{text}");
        self.write(file, text.replace(old, new));
    }

    /// Writes the body of a function that is still a stub of `section`.
    pub fn fill(&self, file: &str, section: &str, function: &str, body: &str) {
        let stub = format!("todo!(\"{section}: write {function}\")");
        self.replace(file, &stub, body);
    }

    /// Adds section 1.5 to the course, with one function and one test.
    pub fn add_section(&self) {
        let function = |body: &str| {
            format!(
                "\n/// The seconds of an empty road.\npub fn shortest() -> u32 {{\n    {body}\n}}\n"
            )
        };
        self.append("solutions/src/light.rs", &function("green_for(0)"));
        self.append(
            "src/light.rs",
            &function("todo!(\"shortest: write shortest\")"),
        );
        let section = r#"
[[section]]
id = "shortest"
minutes = 5
title = "The shortest green"
talk = "An empty road gets a green light too."
items = ["light::shortest"]
tests = ["test_ch1_shortest"]
hints = ["How many cars?", "None.", "`green_for(0)`"]
"#;
        self.append("book/src/ch01-one-light.toml", section);
        self.append("tests/ch01/mod.rs", "mod s05_shortest;\n");
        let tests = "//! Section 1.5: The shortest green

#[test]
fn test_ch1_shortest() {
    assert_eq!(claw_code::light::shortest(), 5);
}
";
        self.write("tests/ch01/s05_shortest.rs", tests);
    }

    /// Copies the reference's code of chapter 1, as if the learner had written it.
    pub fn write_chapter_1(&self) {
        for file in ["light.rs", "lamp.rs"] {
            let solution = self.read(&format!("solutions/src/{file}"));
            self.write(&format!("src/{file}"), solution);
        }
    }

    /// Every file below the folder `dir`.
    pub fn files(&self, dir: &str) -> Files {
        let mut files = Files::new();
        collect(&self.root(), &self.path(dir), &mut files);
        files
    }

    /// The files that a learner works on: the sources and `Cargo.toml`.
    pub fn work(&self) -> Files {
        let mut files = self.files("src");
        files.insert("Cargo.toml".to_string(), self.bytes("Cargo.toml"));
        files
    }

    /// Every file of the course and of the learner.
    pub fn everything(&self) -> Files {
        let mut files = self.work();
        for dir in ["book", "course", "solutions", "tests"] {
            files.extend(self.files(dir));
        }
        files
    }

    /// The command that runs `cargo course ARGUMENTS`. It has a cargo home of its own, since a
    /// download elsewhere locks the home that all share, and then the runner says that it waits.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(RUNNER);
        command
            .args(arguments.split_whitespace())
            .current_dir(self.root())
            .stdin(Stdio::null())
            .env_clear()
            .envs(environment())
            .env("CARGO_HOME", self.path("target/cargo-home"));
        command
    }

    /// Runs `cargo course ARGUMENTS`.
    pub fn run(&self, arguments: &str) -> Ran {
        Ran::of(&mut self.command(arguments))
    }

    /// The output of `cargo course status --json`.
    pub fn status(&self) -> Value {
        let ran = self.run("status --json").exits(0);
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("the status is no JSON: {error}\n{}", ran.stdout))
    }

    /// The state of a section, such as `not-written`, by `status --json`.
    pub fn state(&self, section: &str) -> String {
        let status = self.status();
        let sections = status["chapters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|chapter| chapter["sections"].as_array())
            .flatten();
        let found = sections.into_iter().find(|one| one["id"] == section);
        let section = found.unwrap_or_else(|| panic!("no section {section} in {status:#}"));
        section["state"].as_str().unwrap_or_default().to_string()
    }

    /// The tests and whether each passes, from a plain `cargo test`.
    pub fn plain_cargo_test(&self) -> BTreeMap<String, bool> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["test", "--no-fail-fast"])
            .current_dir(self.root())
            .env_clear()
            .envs(environment());
        let ran = Ran::of(&mut command);
        let outcomes = ran.stdout.lines().filter_map(|line| {
            let (path, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
            let name = path.rsplit("::").next()?;
            Some((name.to_string(), outcome == "ok"))
        });
        outcomes.collect()
    }

    /// The tests and whether each passes, from the runner.
    pub fn verdict(&self) -> BTreeMap<String, bool> {
        self.run("check");
        let status = self.status();
        let tests = status["chapters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|chapter| chapter["sections"].as_array())
            .flatten()
            .filter_map(|section| section["tests"].as_array())
            .flatten();
        tests
            .filter_map(|test| {
                Some((
                    test["name"].as_str()?.to_string(),
                    test["passed"].as_bool()?,
                ))
            })
            .collect()
    }

    /// The processes that run in the fixture's folder. Empty on systems without `/proc`.
    pub fn processes(&self) -> Vec<u32> {
        let root = self.root();
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter(|id| {
                fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|cwd| cwd.starts_with(&root))
            })
            .collect()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if let Ok(facts) = fs::read(self.dir.path().join(COMPILER_FACTS_FILE)) {
            let _ = COMPILER_FACTS.set(facts);
        }
    }
}

/// The result of a command.
#[derive(Debug)]
pub struct Ran {
    /// The command line.
    pub command: String,
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Its output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Ran {
    /// Runs `command` and waits for it.
    pub fn of(command: &mut Command) -> Self {
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        Self {
            command: format!("{command:?}"),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("the standard error is UTF-8"),
        }
    }

    /// Asserts the exit code.
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "the exit code of {self}");
        self
    }

    /// Asserts that the output contains `text`.
    pub fn prints(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "expected {text:?} from {self}");
        self
    }

    /// Asserts that the output does not contain `text`.
    pub fn does_not_print(self, text: &str) -> Self {
        assert!(
            !self.stdout.contains(text),
            "unexpected {text:?} from {self}"
        );
        self
    }

    /// Asserts exit code 2 and an error whose first line contains all of `texts`.
    pub fn fails_with(self, texts: &[&str]) -> Self {
        let ran = self.exits(2);
        let first = ran.stderr.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("course: "),
            "expected an error from {ran}"
        );
        for text in texts {
            assert!(
                first.contains(text),
                "expected {text:?} in the error of {ran}"
            );
        }
        assert!(!ran.stderr.contains("panicked"), "a panic in {ran}");
        ran
    }

    /// Asserts that the error contains `text`, on any line.
    pub fn explains(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "expected {text:?} in the error of {self}"
        );
        self
    }

    /// Asserts that the error is one line.
    pub fn on_one_line(self) -> Self {
        assert_eq!(
            self.stderr.lines().count(),
            1,
            "expected one line from {self}"
        );
        self
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}, which ended with {:?}:", self.command, self.code)?;
        write!(f, "--- output\n{}--- errors\n{}", self.stdout, self.stderr)
    }
}

/// The variables of [`ENVIRONMENT`] that are set.
pub fn environment() -> impl Iterator<Item = (&'static str, OsString)> {
    ENVIRONMENT
        .into_iter()
        .filter_map(|name| Some((name, env::var_os(name)?)))
        .map(|(name, value)| match name {
            "PATH" => (name, toolchain_first(value)),
            _ => (name, value),
        })
}

/// `path` with the folder of the running cargo in front. The `rustc` and `rustfmt` of rustup start
/// those in that folder, and the tests start them a thousand times.
fn toolchain_first(path: OsString) -> OsString {
    let cargo = env::var_os("CARGO").map(PathBuf::from);
    let folder = cargo.as_deref().and_then(Path::parent).map(PathBuf::from);
    let folders = folder.into_iter().chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or(path)
}

/// Waits until `is_so` returns `true`. After the time limit, fails with the text of `describe`.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool, describe: impl Fn() -> String) {
    let end = Instant::now() + DEADLINE;
    while !is_so() {
        assert!(
            Instant::now() < end,
            "timed out waiting for: {what}; found:\n{}",
            describe()
        );
        thread::sleep(Duration::from_millis(10));
    }
}

/// Asserts that two sets of files are the same, byte for byte.
pub fn assert_same_files(found: &Files, expected: &Files, when: &str) {
    let names: Vec<&String> = found.keys().chain(expected.keys()).collect();
    for name in names {
        let text = |files: &Files| {
            let bytes = files.get(name)?;
            Some(String::from_utf8_lossy(bytes).into_owned())
        };
        assert_eq!(
            text(found),
            text(expected),
            "{name}, {when}: left is the content found, right the expected content"
        );
    }
}

/// Writes a file and its folder.
pub fn write(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
    fs::write(path, content).unwrap_or_else(|error| panic!("cannot write {path:?}: {error}"));
}

/// Copies a folder without what cargo and the runner have written into it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder of the fixture");
    for entry in fs::read_dir(from).expect("the fixture can be listed") {
        let path = entry.expect("the fixture can be listed").path();
        let name = path.file_name().expect("an entry has a name");
        if path.is_dir() {
            // These exist if the runner has run in the original.
            if name != "target" && name != ".course" {
                copy_folder(&path, &to.join(name));
            }
        } else {
            fs::copy(&path, to.join(name)).expect("a file of the fixture can be copied");
        }
    }
}

fn collect(root: &Path, dir: &Path, files: &mut Files) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("it is inside the fixture");
            let content = fs::read(&path).expect("it can be read");
            files.insert(name.to_string_lossy().replace('\\', "/"), content);
        }
    }
}
