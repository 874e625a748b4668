//! Recognize the database

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use claw_code::session::*;
use rusqlite::{Connection, Error, ffi};

use super::support::*;

#[test]
fn sqlite_errors_become_history_errors() {
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
        let error = format!("{:?}", HistoryError::from(failure(code)));
        assert!(
            error.starts_with(name),
            "SQLite's error number {code} should become `{name}`; it became {error}"
        );
    }
    let text = failure(ffi::SQLITE_CORRUPT).to_string();
    let message = HistoryError::from(failure(ffi::SQLITE_CORRUPT)).to_string();
    assert!(
        message.contains(&text),
        "`Corrupt` has the text of SQLite's error, `{text}`; the message is: {message}"
    );
}

#[test]
fn other_errors_are_passed_on() {
    let error = HistoryError::from(Error::QueryReturnedNoRows);
    assert!(
        matches!(error, HistoryError::Sqlite(_)),
        "an error without a number of SQLite should become `Sqlite`; it became {error:?}"
    );
    let message = Error::QueryReturnedNoRows.to_string();
    assert!(
        error.to_string().contains(&message),
        "its message contains rusqlite's message `{message}`; it is: {error}"
    );
}

#[test]
fn open_failure_has_its_own_message() {
    let error = HistoryError::from(failure(ffi::SQLITE_CANTOPEN));
    assert!(
        error.to_string().contains("cannot be opened"),
        "the message should say that the file cannot be opened; it is: {error}"
    );
}

#[test]
fn error_chain_repeats_no_message() {
    let detail = Some("cannot open it".to_string());
    for cause in [
        Error::QueryReturnedNoRows,
        failure(ffi::SQLITE_CANTOPEN),
        Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), detail),
    ] {
        let error = HistoryError::from(cause);
        let message = error.to_string();
        assert_eq!(
            format!("{:#}", anyhow::Error::from(error)),
            message,
            "printed with its causes, an error says everything once"
        );
    }
}

#[test]
fn examine_recognizes_a_history() {
    let ours = APPLICATION_ID;
    assert_examined("an empty database is new", [0, 0, 0], "Ok(0)");
    assert_examined("a history of version 1", [ours, 1, 1], "Ok(1)");
    assert_examined("a history of version 2", [ours, 2, 1], "Ok(2)");
}

#[test]
fn examine_recognizes_a_newer_history() {
    for (rule, version, tables) in [
        ("the next version", 3, 1),
        ("a much later version without tables", 900, 0),
    ] {
        let newer = format!("Err(NewerVersion {{ found: {version}, known: 2 }})");
        assert_examined(rule, [APPLICATION_ID, version, tables], &newer);
    }
}

#[test]
fn examine_rejects_other_databases() {
    let ours = APPLICATION_ID;
    for (rule, header_and_tables) in [
        ("our id, but no version", [ours, 0, 1]),
        ("our id alone", [ours, 0, 0]),
        ("our id, but a negative version", [ours, -1, 1]),
        ("a table alone", [0, 0, 1]),
        ("a version and a table, but no id", [0, 2, 1]),
        ("a version alone", [0, 2, 0]),
        ("another id alone", [1, 0, 0]),
        ("another id and a table", [1, 0, 1]),
        ("another id and version 2", [1, 2, 1]),
        ("another id and a later version", [1, 900, 1]),
    ] {
        assert_examined(rule, header_and_tables, "Err(NotOurs)");
    }
}

#[test]
fn history_without_tables_is_corrupt() {
    for version in [1, 2] {
        let examined = examine(&database_in_memory(APPLICATION_ID, version));
        assert_error(
            &format!("the header says version {version} of a history, and it has no tables"),
            examined,
            "Corrupt",
        );
    }
}

#[test]
fn open_takes_every_name_as_a_file() {
    // In a folder of its own, a child process finds a text file under each of these names.
    if child_argument().is_some() {
        for name in NAMES_WITH_A_MEANING {
            assert_rejected("a text file is not a history", Path::new(name), "NotOurs");
        }
        return;
    }
    open_rejected(Path::new(""), "an empty path names no file");
    let folder = folder();
    for name in NAMES_WITH_A_MEANING {
        fs::write(folder.path().join(name), "no history").expect("can be written");
    }
    let test = "open_database::open_takes_every_name_as_a_file";
    let mut child = child(test, folder.path(), &[]);
    child.current_dir(folder.path());
    if let Err(output) = run(child) {
        panic!("a path always names a file, since a database elsewhere would be lost: {output}");
    }
}

#[test]
fn open_leaves_another_database_unchanged() {
    let folder = folder();
    let path = folder.path().join("songs.db");
    let connection = Connection::open(&path).expect("can be created");
    sql(
        &connection,
        "CREATE TABLE songs (name); INSERT INTO songs VALUES ('Hey')",
    );
    drop(connection);
    assert_left_unchanged("another program's database", read_bytes(&path));
}

#[test]
fn open_leaves_a_text_unchanged() {
    let text = "Not a database at all, but a text of some length. ".repeat(30);
    assert_left_unchanged("a long text", text.into_bytes());
    assert_left_unchanged("a short text", b"hello\n".to_vec());
}

#[test]
fn open_leaves_a_newer_history_unchanged() {
    let folder = folder();
    let files = newer_history_of_a_killed_program(folder.path());
    let before = files.each_ref().map(|path| read_bytes(path));
    assert!(!before[1].is_empty(), "the newer program has written a log");
    let rule = "version 3 is newer than this program";
    assert_rejected(rule, &files[0], "NewerVersion { found: 3, known: 2 }");
    let after = files.map(|path| fs::read(path).unwrap_or_default());
    assert!(
        before == after,
        "a newer history stays as it is, byte for byte, and so does the log beside it, which \
         closing a database can copy into it"
    );
}

#[test]
fn open_rejects_a_read_only_file() {
    let folder = folder();
    let path = folder.path().join("history.db");
    fs::write(&path, "no history").expect("can be created");
    let mut permissions = fs::metadata(&path).expect("exists").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("can be set");
    let error = open_rejected(&path, "a read-only file");
    // An administrator can write every file. The reference tests this as another user too.
    let can_write = fs::OpenOptions::new().write(true).open(&path).is_ok();
    assert!(
        matches!(error, HistoryError::ReadOnly) || can_write,
        "a file that cannot be written is `ReadOnly`; it gave {error:?}"
    );
    assert_eq!(read(&path), "no history", "the file stays as it is");
}

fn failure(code: i32) -> Error {
    Error::SqliteFailure(ffi::Error::new(code), None)
}

fn database_in_memory(application_id: i64, version: i64) -> Connection {
    let connection = Connection::open_in_memory().expect("a database in memory");
    set_header(&connection, application_id, version);
    connection
}

#[track_caller]
fn assert_rejected(rule: &str, path: &Path, expected: &str) {
    assert_error::<()>(rule, Err(open_rejected(path, rule)), expected);
}

#[track_caller]
fn open_rejected(path: &Path, rule: &str) -> HistoryError {
    match SessionHistory::open(path) {
        Ok(_) => panic!("`open` must reject this: {rule}"),
        Err(error) => error,
    }
}

/// File names to which SQLite gives another meaning.
const NAMES_WITH_A_MEANING: [&str; 4] = [
    ":memory:",
    "file:x.db",
    "file:x.db?mode=memory",
    "file::memory:",
];

/// Examines a database with this application id, this version and this many tables.
#[track_caller]
fn assert_examined(rule: &str, header_and_tables: [i64; 3], expected: &str) {
    let [application_id, version, tables] = header_and_tables;
    let connection = database_in_memory(application_id, version);
    for number in 0..tables {
        sql(&connection, &format!("CREATE TABLE t{number} (a)"));
    }
    assert_eq!(
        format!("{:?}", examine(&connection)),
        expected,
        "{rule}: application id {application_id}, version {version}, {tables} tables"
    );
}

/// Fails unless `open` rejects a file with these bytes, and neither changes it nor makes
/// another file.
#[track_caller]
fn assert_left_unchanged(rule: &str, bytes: Vec<u8>) {
    let folder = folder();
    let path = folder.path().join("other.db");
    fs::write(&path, &bytes).expect("can be written");
    assert_rejected(rule, &path, "NotOurs");
    assert_eq!(
        read_bytes(&path),
        bytes,
        "{rule} stays as it is, byte for byte"
    );
    assert_eq!(
        file_names(folder.path()),
        ["other.db"],
        "{rule} gets no file beside it"
    );
}

/// A history of version 3 and its log, with the last changes. Both were copied while the
/// database was open, as if its program had been killed.
fn newer_history_of_a_killed_program(folder: &Path) -> [PathBuf; 2] {
    let [written, found] = ["written", "found"].map(|name| folder.join(name));
    let connection = Connection::open(&written).expect("can be created");
    set_header(&connection, APPLICATION_ID, 3);
    sql(
        &connection,
        "PRAGMA journal_mode = WAL; CREATE TABLE later (a); INSERT INTO later VALUES (1)",
    );
    ["", "-wal"].map(|suffix| {
        let [from, to] = [&written, &found].map(|path| format!("{}{suffix}", path.display()));
        fs::copy(from, &to).expect("can be copied");
        PathBuf::from(to)
    })
}
