//! Section 20.4: Whose database is it?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use claw_code::session::*;
use rusqlite::Connection;
use rusqlite::ffi;

use super::support::*;

#[test]
fn test_ch20_errors_that_callers_match() {
    let told =
        |code| HistoryError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
    for (code, name) in [
        (ffi::SQLITE_NOTADB, "NotOurs"),
        (ffi::SQLITE_CORRUPT, "Corrupt"),
        (ffi::SQLITE_READONLY, "ReadOnly"),
        (ffi::SQLITE_BUSY, "Busy"),
        (ffi::SQLITE_LOCKED, "Busy"),
        (ffi::SQLITE_FULL, "Full"),
        (ffi::SQLITE_READONLY_DIRECTORY, "ReadOnly"),
        (ffi::SQLITE_BUSY_SNAPSHOT, "Busy"),
        (ffi::SQLITE_CANTOPEN, "Sqlite"),
    ] {
        let error = format!("{:?}", told(code));
        assert!(
            error.starts_with(name),
            "SQLite's error number {code} should become `{name}`; it became {error}"
        );
    }
    let other = HistoryError::from(rusqlite::Error::QueryReturnedNoRows);
    assert!(
        matches!(other, HistoryError::Sqlite(_)),
        "an error of another kind is handed on; it became {other:?}"
    );
    let closed = told(ffi::SQLITE_CANTOPEN).to_string();
    assert!(
        closed.contains("cannot be opened"),
        "a file that cannot be opened is told in words of its own: {closed}"
    );
    let words = rusqlite::Error::QueryReturnedNoRows.to_string();
    assert!(
        other.to_string().contains(&words),
        "and says what SQLite says; it reads: {other}"
    );
    let failure = || ffi::Error::new(ffi::SQLITE_CANTOPEN);
    for cause in [
        rusqlite::Error::QueryReturnedNoRows,
        rusqlite::Error::SqliteFailure(failure(), None),
        rusqlite::Error::SqliteFailure(failure(), Some("cannot open it".into())),
    ] {
        let error = HistoryError::from(cause);
        let words = error.to_string();
        assert_eq!(
            format!("{:#}", anyhow::Error::from(error)),
            words,
            "printed with its causes, an error says everything once"
        );
    }
}

#[test]
fn test_ch20_whose_it_is() {
    for (application_id, version, tables, expected) in [
        (0, 0, 0, "Ok(0)"),
        (APPLICATION_ID, 1, 1, "Ok(1)"),
        (APPLICATION_ID, 2, 1, "Ok(2)"),
        (
            APPLICATION_ID,
            3,
            1,
            "Err(NewerVersion { found: 3, known: 2 })",
        ),
        (
            APPLICATION_ID,
            900,
            0,
            "Err(NewerVersion { found: 900, known: 2 })",
        ),
        (APPLICATION_ID, 0, 1, "Err(NotOurs)"),
        (APPLICATION_ID, -1, 1, "Err(NotOurs)"),
        (0, 0, 1, "Err(NotOurs)"),
        (0, 2, 1, "Err(NotOurs)"),
        (0, 2, 0, "Err(NotOurs)"),
        (1, 0, 0, "Err(NotOurs)"),
        (1, 2, 1, "Err(NotOurs)"),
        (1, 900, 1, "Err(NotOurs)"),
        (1, 0, 1, "Err(NotOurs)"),
        (APPLICATION_ID, 0, 0, "Err(NotOurs)"),
    ] {
        let connection = Connection::open_in_memory().expect("in memory");
        mark(&connection, application_id, version);
        for number in 0..tables {
            sql(&connection, &format!("CREATE TABLE t{number} (a)"));
        }
        assert_eq!(
            format!("{:?}", examine(&connection)),
            expected,
            "application id {application_id}, version {version}, {tables} tables"
        );
    }
}

#[test]
fn test_ch20_a_history_without_tables() {
    for version in [1, 2] {
        let connection = Connection::open_in_memory().expect("in memory");
        mark(&connection, APPLICATION_ID, version);
        let examined = examine(&connection);
        assert!(
            matches!(examined, Err(HistoryError::Corrupt(_))),
            "its header says that it is ours and has version {version}, and it has no tables: \
             that is damage, and `Corrupt`; it gave {examined:?}"
        );
    }
}

#[test]
fn test_ch20_a_path_is_a_path() {
    const VARIABLE: &str = "CLAW_TEST_CH20_PATHS";
    // Names that mean something else to SQLite, in a folder where files of these names are.
    let paths = [
        ":memory:",
        "file:x.db",
        "file:x.db?mode=memory",
        "file::memory:",
    ];
    if std::env::var_os(VARIABLE).is_some() {
        for path in paths {
            let error = refused_at_once(Path::new(path), "a file of this name, which holds a text");
            assert!(
                matches!(error, HistoryError::NotOurs),
                "the file {path} holds a text, so it is `NotOurs`; it gave {error:?}"
            );
        }
        return;
    }
    refused_at_once(Path::new(""), "an empty path names no file");
    let folder = folder();
    for path in paths {
        fs::write(folder.path().join(path), "no history").expect("can be written");
    }
    let output = Command::new(std::env::current_exe().expect("this test has a file"))
        .args([
            "--exact",
            "ch20::s04_open_database::test_ch20_a_path_is_a_path",
        ])
        .current_dir(folder.path())
        .env(VARIABLE, "1")
        .output()
        .expect("this test can run itself");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "a path names a file, whatever it looks like; SQLite makes something else of \
         some names, and what is stored there would be on no disk: {said}"
    );
}

#[test]
fn test_ch20_what_is_not_ours_stays() {
    let folder = folder();
    let path = folder.path().join("other.db");
    let connection = Connection::open(&path).expect("can be made");
    sql(
        &connection,
        "CREATE TABLE songs (name); INSERT INTO songs VALUES ('Hey')",
    );
    drop(connection);
    let text = "Not a database at all, but a text of some length. ".repeat(30);
    for (why, bytes) in [
        ("another program's database", read_bytes(&path)),
        ("a text", text.into_bytes()),
        ("a short text", b"hello\n".to_vec()),
    ] {
        fs::write(&path, &bytes).expect("can be written");
        let error = refused_at_once(&path, why);
        assert!(
            matches!(error, HistoryError::NotOurs),
            "{why} is `NotOurs`; it gave {error:?}"
        );
        assert_eq!(
            read_bytes(&path),
            bytes,
            "{why} stays as it is, byte for byte"
        );
        assert_eq!(
            names(folder.path()),
            ["other.db"],
            "and nothing is put beside it"
        );
    }
}

#[test]
fn test_ch20_a_newer_history_stays() {
    let folder = folder();
    let [written, found] = ["written", "found"].map(|name| folder.path().join(name));
    let connection = Connection::open(&written).expect("can be made");
    mark(&connection, APPLICATION_ID, 3);
    sql(
        &connection,
        "PRAGMA journal_mode = WAL; CREATE TABLE later (a); INSERT INTO later VALUES (1)",
    );
    // As if that program had been killed: what it wrote last is in the file beside.
    let files = ["", "-wal"].map(|end| {
        let [from, to] = [&written, &found].map(|path| format!("{}{end}", path.display()));
        fs::copy(from, &to).expect("can be copied");
        PathBuf::from(to)
    });
    let before = files.each_ref().map(|file| read_bytes(file));
    assert!(!before[1].is_empty(), "the newer program has written a log");
    let error = refused_at_once(&found, "a history of version 3");
    assert!(
        matches!(error, HistoryError::NewerVersion { found: 3, known: 2 }),
        "the error should be `NewerVersion`, with both versions; it is {error:?}"
    );
    let after = files.each_ref().map(|file| read_or_empty_bytes(file));
    assert!(
        before == after,
        "a newer history stays as it is, byte for byte, and so does the log beside it: closing \
         a database can take the log over into it"
    );
}

#[test]
fn test_ch20_a_history_that_may_not_be_written() {
    let folder = folder();
    let path = folder.path().join("history.db");
    let text = "no history";
    fs::write(&path, text).expect("can be made");
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("can be set");
    let error = refused_at_once(&path, "a read-only file");
    // The administrator may write everything; the reference tests this as another user too.
    let may_write = fs::OpenOptions::new().write(true).open(&path).is_ok();
    assert!(
        matches!(error, HistoryError::ReadOnly) || may_write,
        "a file that may not be written is `ReadOnly`; it gave {error:?}"
    );
    assert_eq!(read(&path), text, "and it stays as it is");
}

fn read_or_empty_bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_default()
}

/// What `open` has to refuse before `prepare`. On a thread of its own, so that a panic in
/// `prepare`, which may not be written yet, can be told in words.
#[track_caller]
fn refused_at_once(path: &Path, why: &str) -> HistoryError {
    let file = path.to_owned();
    let opened = std::thread::spawn(move || SessionHistory::open(file).map(drop)).join();
    match opened {
        Ok(Err(error)) => error,
        Ok(Ok(())) => panic!("here `open` let through what it must refuse: {why}"),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
            assert!(
                !words.is_some_and(|words| words.contains(" 20.5: ")),
                "here `open` let through what it must refuse, and got as far as `prepare`: {why}"
            );
            std::panic::resume_unwind(panic)
        }
    }
}
