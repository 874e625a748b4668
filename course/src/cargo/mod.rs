//! Runs the real `cargo test` and reads what it says. There is no truth here that a
//! plain `cargo test` in another window would contradict.

mod libtest;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

/// What one run of the tests came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Run {
    /// The code does not compile, or cargo itself failed.
    NotBuilt {
        /// The compiler's errors, first to last. Empty when cargo failed.
        errors: Vec<Diagnostic>,
        /// What cargo said on its own behalf.
        cargo: String,
    },
    /// The tests ran.
    Ran {
        /// The compiler's warnings.
        warnings: Vec<Diagnostic>,
        /// Each test that was reported, in the order reported.
        tests: Vec<Test>,
        /// Why some tests have no outcome, if the run did not come to its end.
        cut_short: Option<String>,
    },
}

impl Run {
    /// The part of it that is about the tests called `names`. It is cut short only
    /// where one of them has no outcome.
    pub fn about(&self, names: &[&str]) -> Self {
        let Self::Ran {
            warnings,
            tests,
            cut_short,
        } = self
        else {
            return self.clone();
        };
        let is_meant = |test: &&Test| names.contains(&test.name.as_str());
        let tests: Vec<Test> = tests.iter().filter(is_meant).cloned().collect();
        let complete = tests.len() == names.len();
        Self::Ran {
            warnings: warnings.clone(),
            tests,
            cut_short: cut_short.clone().filter(|_| !complete),
        }
    }

    /// Whether cargo failed before the compiler had a say.
    pub fn is_cargo_failure(&self) -> bool {
        matches!(self, Self::NotBuilt { errors, .. } if errors.is_empty())
    }
}

/// A message of the compiler's, ready to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// As rustc renders it, colours included.
    pub rendered: String,
    /// The file, relative to the workspace.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// One test's outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The function's name, without its module.
    pub name: String,
    /// Why it failed; `None` when it passed.
    pub failure: Option<Failure>,
}

/// Why a test failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The panic's message.
    pub message: String,
    /// The file in which it panicked.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// What to run.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The folder whose `Cargo.toml` is meant.
    pub dir: &'a Path,
    /// Arguments that choose the package and the test target.
    pub select: &'a [&'a str],
    /// Only tests whose path contains one of these.
    pub filters: &'a [String],
    /// How long no test may end before the run is taken to hang.
    pub patience: Duration,
}

/// The process group that is running, so that an interrupt can end it.
static RUNNING: Mutex<Option<u32>> = Mutex::new(None);

/// Ends the run that is under way, with everything it started. It has no outcome then.
pub fn kill_running() {
    let running = RUNNING.lock().map_or(None, |mut running| running.take());
    if let Some(id) = running {
        kill_group(id);
    }
}

/// A `cargo` command: the very cargo that started the runner, where it was cargo.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    command
}

/// The error for a `cargo` that could not be started.
pub fn not_started(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!(
            "`cargo` was not found; install Rust with rustup, open a new terminal and try again"
        ),
        _ => anyhow!("cannot start cargo: {error}"),
    }
}

/// Builds and runs tests.
///
/// `news` is told how many tests have ended so far. A build error or a failing test
/// is an outcome, not an `Err`.
pub fn test(request: &Request, mut news: impl FnMut(usize)) -> Result<Run> {
    let mut command = cargo();
    command
        .current_dir(request.dir)
        .arg("test")
        .args(request.select)
        .args(["--no-fail-fast", "--message-format", MESSAGES, "--"])
        .args(request.filters)
        .args(["--color", "never"]);
    let output = follow(&mut command, Some(request.patience), &mut news)?;
    let messages = Messages::read(&output.stdout);
    if !messages.built {
        return Ok(Run::NotBuilt {
            errors: messages.of("error"),
            cargo: cargo_words(&output.stderr),
        });
    }
    Ok(ran(messages.of("warning"), &messages.rest, &output))
}

/// What building the tests of a whole workspace came to.
#[derive(Debug)]
pub struct Built {
    /// Each package's test program.
    pub programs: BTreeMap<String, PathBuf>,
    /// What the compiler had to say of each package, warnings and errors alike.
    pub diagnostics: BTreeMap<String, Vec<Diagnostic>>,
    /// What cargo said on its own behalf, if it failed.
    pub cargo: Option<String>,
}

/// Builds every package's tests in the workspace at `dir`, side by side.
pub fn build_tests(dir: &Path, target: &Path) -> Result<Built> {
    let mut command = cargo();
    command
        .current_dir(dir)
        .args(["build", "--workspace", "--tests", "--keep-going"])
        .args(["--message-format", MESSAGES, "--target-dir"])
        .arg(target);
    let output = follow(&mut command, None, &mut |_| {})?;
    let messages = Messages::read(&output.stdout);
    let mut built = Built {
        programs: BTreeMap::new(),
        diagnostics: BTreeMap::new(),
        cargo: (!messages.built).then(|| cargo_words(&output.stderr)),
    };
    for message in messages.all {
        let package = package_name(&message.package_id);
        if let Some(program) = message.executable {
            built.programs.insert(package, program);
        } else if let Some(said) = message.message
            && said.is_about_code()
        {
            let heard = built.diagnostics.entry(package).or_default();
            heard.push(said.into());
        }
    }
    Ok(built)
}

/// Runs a test program that [`build_tests`] has built, in the folder `dir`.
pub fn run_program(
    program: &Path,
    dir: &Path,
    filters: &[String],
    env: &[(&str, String)],
    patience: Duration,
) -> Result<Run> {
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .stdin(Stdio::null())
        .env("RUST_BACKTRACE", "0")
        .env("CARGO_MANIFEST_DIR", dir)
        .args(filters)
        .args(["--color", "never"])
        .envs(env.iter().map(|(key, value)| (key, value)));
    let output = follow(&mut command, Some(patience), &mut |_| {})?;
    Ok(ran(Vec::new(), &output.stdout, &output))
}

/// What a program printed, and how it ended.
struct Output {
    stdout: String,
    stderr: String,
    hung: bool,
    status: ExitStatus,
}

/// Runs a command to its end, or ends it when its tests hang: when none has come to
/// an end for as long as `patience`.
fn follow(
    command: &mut Command,
    patience: Option<Duration>,
    news: &mut impl FnMut(usize),
) -> Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let mut child = command.spawn().map_err(not_started)?;
    remember(Some(child.id()));
    let output = collect(&mut child, patience, news);
    let broken_off = RUNNING
        .lock()
        .is_ok_and(|mut running| running.take().is_none());
    let (stdout, stderr, hung) = output?;
    let status = child.wait().context("cannot wait for the tests to end")?;
    ensure!(!broken_off, "the run was broken off");
    Ok(Output {
        stdout,
        stderr,
        hung,
        status,
    })
}

fn collect(
    child: &mut Child,
    patience: Option<Duration>,
    news: &mut impl FnMut(usize),
) -> Result<(String, String, bool)> {
    let stdout = child.stdout.take().context("cargo has no output")?;
    let stderr = child.stderr.take().context("cargo has no error output")?;
    let errors = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = BufReader::new(stderr).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            if sender
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                break;
            }
            line.clear();
        }
    });
    let mut text = String::new();
    let mut ended = 0;
    let mut testing = false;
    let mut hung = false;
    loop {
        // Compiling may take as long as it takes; only tests can hang.
        let wait = patience.filter(|_| testing).unwrap_or(FOREVER);
        match lines.recv_timeout(wait) {
            Ok(line) => {
                testing |= line.starts_with("running ");
                if line.starts_with("test ") && line.contains(" ... ") {
                    ended += 1;
                    news(ended);
                }
                text.push_str(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                hung = true;
                kill_group(child.id());
                let _ = child.kill();
                break;
            }
        }
    }
    let errors = errors.join().unwrap_or_default();
    Ok((text, errors, hung))
}

/// What the test harness reported, and whether it came to its end.
fn ran(warnings: Vec<Diagnostic>, report: &str, output: &Output) -> Run {
    let complete = report.contains("\ntest result: ");
    let cut_short = match (complete, output.hung) {
        (true, _) => None,
        (false, true) => Some(HUNG.to_string()),
        (false, false) => Some(format!(
            "the test program ended early ({}): {}",
            output.status,
            last_words(&output.stderr)
        )),
    };
    Run::Ran {
        warnings,
        tests: libtest::parse(report),
        cut_short,
    }
}

/// Cargo's messages, which are lines of JSON, apart from all else that was printed.
#[derive(Default)]
struct Messages {
    all: Vec<Message>,
    built: bool,
    rest: String,
}

impl Messages {
    fn read(stdout: &str) -> Self {
        let mut messages = Self::default();
        for line in stdout.lines() {
            let message = line
                .starts_with("{\"reason\":")
                .then(|| serde_json::from_str::<Message>(line).ok())
                .flatten();
            match message {
                Some(message) => {
                    messages.built |= message.success == Some(true);
                    messages.all.push(message);
                }
                None => {
                    messages.rest.push_str(line);
                    messages.rest.push('\n');
                }
            }
        }
        messages
    }

    fn of(&self, level: &str) -> Vec<Diagnostic> {
        self.all
            .iter()
            .filter_map(|message| message.message.as_ref())
            .filter(|said| said.is_about_code() && said.level == level)
            .cloned()
            .map(Diagnostic::from)
            .collect()
    }
}

#[derive(Deserialize)]
struct Message {
    success: Option<bool>,
    message: Option<Said>,
    #[serde(default)]
    package_id: String,
    executable: Option<PathBuf>,
}

#[derive(Clone, Deserialize)]
struct Said {
    rendered: Option<String>,
    level: String,
    code: Option<serde_json::Value>,
    spans: Vec<SaidSpan>,
}

#[derive(Clone, Deserialize)]
struct SaidSpan {
    file_name: String,
    line_start: usize,
    is_primary: bool,
}

impl Said {
    /// Not a summary such as "2 warnings emitted".
    fn is_about_code(&self) -> bool {
        !self.spans.is_empty() || self.code.is_some()
    }
}

impl From<Said> for Diagnostic {
    fn from(said: Said) -> Self {
        let primary = said.spans.iter().find(|span| span.is_primary);
        Self {
            rendered: said.rendered.unwrap_or_default().trim_end().to_string(),
            file: primary.map(|span| span.file_name.clone()),
            line: primary.map_or(0, |span| span.line_start),
        }
    }
}

/// What cargo said, without its progress and without rustc's closing line.
fn cargo_words(stderr: &str) -> String {
    let kept: Vec<&str> = stderr
        .lines()
        .skip_while(|line| !line.starts_with("error"))
        .filter(|line| !line.starts_with("error: could not compile"))
        .filter(|line| !line.contains("build failed, waiting"))
        .collect();
    kept.join("\n").trim().to_string()
}

fn last_words(stderr: &str) -> String {
    let kept: Vec<&str> = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .filter(|line| !CARGOS_OWN.iter().any(|words| line.starts_with(words)))
        .take(4)
        .collect();
    kept.join(" ")
}

fn remember(id: Option<u32>) {
    if let Ok(mut running) = RUNNING.lock() {
        *running = id;
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_command: &mut Command) {}

#[cfg(unix)]
fn kill_group(id: u32) {
    let pid = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended by itself a moment ago: that is as good.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_id: u32) {}

/// `path+file:///…/start-1#0.1.0` and `path+file:///…/x#start-1@0.1.0` are `start-1`.
fn package_name(id: &str) -> String {
    let (path, version) = id.rsplit_once('#').unwrap_or((id, ""));
    let name = match version.split_once('@') {
        Some((name, _)) => name,
        None => path.rsplit('/').next().unwrap_or(path),
    };
    name.to_string()
}

/// Compiling may take as long as it takes; only tests can hang.
const FOREVER: Duration = Duration::from_secs(24 * 3600);

/// One JSON object a line, and in it rustc's words as a terminal would show them.
const MESSAGES: &str = "json-diagnostic-rendered-ansi";

/// How lines begin in which cargo speaks of its progress.
const CARGOS_OWN: [&str; 6] = [
    "Blocking",
    "Caused by:",
    "Compiling",
    "Finished",
    "Running",
    "error: test failed, to rerun",
];

const HUNG: &str = "the run was stopped since no test came to an end for a long while: look for a loop that never ends, or a lock that is never released";
