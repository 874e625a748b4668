//! What is kept of conversations: shown, taken elsewhere, and lost to another process.

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use claw_code_solutions::session::SessionHistory;
use program::{Folder, command, run, stdout};
use rusqlite::Connection;

#[test]
fn a_session_is_shown_as_the_search_numbers_it() {
    let place = Place::new();
    place.claw(&["--offline", "-p", "list the files here"]);
    let found = stdout(&place.claw(&["sessions", "notes"]));
    let number = found.lines().find(|line| line.ends_with("[notes].txt"));
    let number = number.expect("the tool's result").split_whitespace().nth(2);
    let id = &found.lines().nth(1).expect("a row")[..8];
    let shown = stdout(&place.claw(&["sessions", "--show", &id[..3]]));
    let heading = format!("\n{} tool (list)\n  notes.txt\n", number.expect("a number"));
    assert!(shown.contains(&heading), "{heading:?}: {shown}");
    assert!(
        shown.starts_with(&format!("Session {id}"))
            && shown.contains(", 4 messages since ")
            && shown.contains("\n\n1 user\n  list the files here\n"),
        "{shown}"
    );
    assert!(shown.contains("\n  ● list {"), "what it called: {shown}");
    assert_eq!(
        stdout(&place.claw(&["sessions", "--show"])),
        shown,
        "the latest"
    );
    let unknown = place.claw(&["sessions", "--show", "zz"]);
    assert_fails(&unknown, "begins with `zz`; `claw sessions` lists them");
}

#[test]
fn what_is_shown_moves_no_cursor() {
    let place = Place::new();
    place.claw(&["--offline", "-p", "one\ttwo\nbefore\u{1b}[31mred\rgone"]);
    let shown = stdout(&place.claw(&["sessions", "--show"]));
    assert!(
        shown.contains("\n  one\ttwo\n  before[31mredgone\n"),
        "tabs and line ends stay: {shown:?}"
    );
    let is_safe = |sign: char| !sign.is_control() || ['\n', '\t'].contains(&sign);
    assert!(shown.chars().all(is_safe), "{shown:?}");
}

#[test]
fn a_session_is_taken_elsewhere() {
    let place = Place::new();
    let none = place.claw(&["sessions", "--show", "--jsonl"]);
    assert_fails(&none, "this folder has no sessions yet");
    place.claw(&["--offline", "-p", "list the files here"]);
    let lines = stdout(&place.claw(&["sessions", "--show", "--jsonl"]));
    let history = SessionHistory::open(place.database()).expect("a history");
    let latest = history.latest().expect("can be read").expect("a session");
    let session = history.load(&latest).expect("a session");
    let kept = session.messages.iter();
    let kept = kept.map(|it| serde_json::to_string(it).expect("JSON") + "\n");
    assert_eq!(lines, kept.collect::<String>());
    let convert = ["convert", "--from", "chat", "--to", "agent"];
    let converted = run(place.command().args(convert), &lines);
    assert!(converted.status.success(), "{converted:?}");
    assert_eq!(stdout(&converted).lines().count(), 4, "{converted:?}");
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let place = Place::new();
    for arguments in [
        &["sessions"][..],
        &["sessions", "hello"],
        &["sessions", "--show"],
    ] {
        place.claw(&["--offline", "-p", "hello"]);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = place.command().args(arguments).stdout(writer).output();
        let output = output.expect("claw starts");
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = Place::new();
    place.claw(&["--offline", "-p", "hello"]);
    for arguments in [&["sessions"][..], &["sessions", "--show", "--jsonl"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let full = full.expect("Linux has it");
        let output = place.command().args(arguments).stdout(full).output();
        let output = output.expect("claw starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(
            stderr(&output).starts_with("claw: cannot write to standard output: No space left"),
            "{output:?}"
        );
    }
}

#[test]
fn what_another_process_kept_from_being_kept_is_told() {
    let place = Place::new();
    place.claw(&["--offline", "-p", "hello"]);
    let lock = place.lock();
    let output = place.claw(&["--offline", "-p", "list the files here"]);
    assert!(
        stdout(&output).contains("notes.txt"),
        "it goes on: {output:?}"
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let name = place.database().display().to_string();
    assert_eq!(
        stderr(&output),
        format!(
            "claw: not saved yet: another process is writing to {name}\n\
             claw: this conversation is not saved: another process is writing to {name}\n"
        )
    );
    drop(lock);
    let list = stdout(&place.claw(&["sessions"]));
    assert_eq!(list.lines().count(), 2, "it is not: {list}");
}

#[test]
fn what_had_to_wait_is_kept_in_the_end() {
    let place = Place::new();
    place.claw(&["--offline", "-p", "hello"]);
    let lock = place.lock();
    let told = place.folder.path().join("told");
    let wait = "run until [ -e go ]; do sleep 0.02; done";
    let mut child = place
        .command()
        .args(["--offline", "-p", wait])
        .stdout(Stdio::null())
        .stderr(fs::File::create(&told).expect("a file"))
        .spawn()
        .expect("claw starts");
    wait_until(|| fs::read_to_string(&told).is_ok_and(|it| it.contains("not saved yet")));
    drop(lock);
    fs::write(place.folder.path().join("go"), "").expect("can be written");
    let status = child.wait().expect("claw ends");
    let told = fs::read_to_string(&told).expect("a file");
    assert!(status.success(), "{told}");
    assert_eq!(told.lines().count(), 1, "once: {told}");
    let list = stdout(&place.claw(&["sessions"]));
    assert!(list.contains("4 messages  run until"), "{list}");
}

/// A folder to work in, and one to keep sessions in.
struct Place {
    folder: Folder,
    home: Folder,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: Folder::with(&[("notes.txt", "milk\n")]),
            home: Folder::with(&[]),
        }
    }

    fn command(&self) -> Command {
        command(self.folder.path(), self.home.path())
    }

    fn claw(&self, arguments: &[&str]) -> Output {
        run(self.command().args(arguments), "")
    }

    fn database(&self) -> PathBuf {
        let entries = fs::read_dir(self.home.path().join("sessions")).expect("a folder");
        let mut paths = entries.map(|it| it.expect("an entry").path());
        let is_database = |path: &PathBuf| path.extension().is_some_and(|it| it == "db");
        paths.find(is_database).expect("a database")
    }

    /// Keeps everybody else from writing to the database, until it goes.
    fn lock(&self) -> Connection {
        let connection = Connection::open(self.database()).expect("a database");
        let begun = connection.execute_batch("BEGIN IMMEDIATE");
        begun.expect("nobody writes");
        connection
    }
}

fn assert_fails(output: &Output, words: &str) {
    let error = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(words), "{words:?}: {error}");
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn wait_until(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        let waited = begin.elapsed();
        assert!(waited < Duration::from_secs(30), "it does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}
