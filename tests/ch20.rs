//! Chapter 20, Session History.
//!
//! Most histories here are in memory. Those in files are in a folder of their own for each
//! test, and where another program's database is needed, the test makes it with rusqlite.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use claw_code::agent::Usage;
use claw_code::chat::*;
use claw_code::session::convert::{Entry, Problem, UNITY, WHOLE, from_chat, from_types, lost};
use claw_code::session::*;
use rusqlite::Connection;
use rusqlite::ffi;
use serde_json::{Value, json};
use tempfile::TempDir;

// 20.1 A session

#[test]
fn test_ch20_a_new_session() {
    let before = claw_code::agent::now_ms() as i64;
    let session = Session::new("coder", "claude");
    let after = claw_code::agent::now_ms() as i64;
    assert_eq!(
        (&*session.agent_name, &*session.model),
        ("coder", "claude"),
        "the first argument is the agent's name, the second the model's"
    );
    assert!(
        (before..=after).contains(&session.started_at.timestamp_millis()),
        "a new session begins now; this one began at {}",
        session.started_at
    );
    assert_eq!(
        (session.messages.len(), session.ended_at, session.usage),
        (0, None, None),
        "nothing was said yet, it has not ended, and nobody has counted"
    );
    assert_eq!(session.total_usage(), Usage::default());
    let counted = Session {
        usage: Some(usage(7, 5)),
        ..session
    };
    assert_eq!(counted.total_usage(), usage(7, 5));
    let ids: HashSet<_> = (0..50).map(|_| Session::new("a", "m").session_id).collect();
    assert_eq!(ids.len(), 50, "each session gets an id of its own");
}

#[test]
fn test_ch20_a_session_as_json() {
    let mut session = Session::new("coder", "claude");
    assert_eq!(
        keys(&session),
        [
            "agent_name",
            "messages",
            "model",
            "session_id",
            "started_at"
        ],
        "what is `None` is left out"
    );
    session.ended_at = Some(session.started_at);
    session.usage = Some(usage(3, 4));
    session.messages = talk(2);
    let text = serde_json::to_string(&session).expect("a session can be written");
    assert_eq!(
        serde_json::from_str::<Session>(&text).expect("what was written can be read"),
        session,
        "a session comes back from JSON as it was: {text}"
    );
}

#[test]
fn test_ch20_open_calls() {
    for (why, said, open) in [
        ("nothing was called", vec![user("Hi.")], vec![]),
        (
            "all were answered",
            vec![calls(&["a", "b"]), result("b"), result("a")],
            vec![],
        ),
        (
            "nobody answered",
            vec![user("Go."), calls(&["a", "b"])],
            vec!["a", "b"],
        ),
        (
            "one was answered",
            vec![calls(&["a", "b", "c"]), result("b")],
            vec!["a", "c"],
        ),
        (
            "an earlier reply has open calls as well",
            vec![calls(&["a"]), user("Go on."), calls(&["b"])],
            vec!["a", "b"],
        ),
        (
            "a result without a call answers nothing",
            vec![result("x"), user("Hi.")],
            vec![],
        ),
    ] {
        assert_open(why, said, &open);
    }
}

#[test]
fn test_ch20_ids_may_come_again() {
    let twice = vec![calls(&["a"]), result("a"), calls(&["a"])];
    assert_open(
        "a result answers a call before it, not one after it",
        twice,
        &["a"],
    );
    let both = vec![calls(&["a"]), result("a"), calls(&["a"]), result("a")];
    assert_open("each of the two calls has its result", both, &[]);
    let first = vec![calls(&["a"]), calls(&["a"]), result("a")];
    assert_open(
        "one result answers one call: the last open one of its id before it",
        first,
        &["a"],
    );
    let in_a_row = vec![calls(&["a", "a"]), result("a"), result("a")];
    assert_open("two results answer two calls of their id", in_a_row, &[]);
    let one_more = vec![calls(&["a", "a", "a"]), result("a"), result("a")];
    assert_open(
        "two results answer two calls of their id, and not a third",
        one_more,
        &["a"],
    );
    let not_a_tool = vec![
        calls(&["a"]),
        ChatMessage {
            role: Role::User,
            ..result("a")
        },
    ];
    assert_open(
        "only a message of the role `Tool` is a result",
        not_a_tool,
        &["a"],
    );
}

#[test]
fn test_ch20_blocks_make_calls_and_results() {
    let blocks = |role, blocks: &[Value]| ChatMessage {
        raw_content_blocks: Some(blocks.iter().map(block).collect()),
        ..ChatMessage::new(role)
    };
    let results = |ids: &[&str]| ids.iter().map(|id| result_block(id)).collect::<Vec<_>>();
    assert_open(
        "one `Tool` message may hold several results, and its `tool_call_id` names the first",
        vec![
            calls(&["a", "b", "c"]),
            ChatMessage::from_blocks(Role::Tool, results(&["a", "b"]).iter().map(block).collect()),
        ],
        &["c"],
    );
    let asked = blocks(Role::Assistant, &[call_block("a"), call_block("b")]);
    assert_open(
        "calls may stand in raw blocks alone",
        vec![asked.clone()],
        &["a", "b"],
    );
    assert_open(
        "results may stand in raw blocks alone",
        vec![asked, blocks(Role::User, &results(&["a"]))],
        &["b"],
    );
    let [call, answer] = [call_block("a"), result_block("a")];
    for (why, order, open) in [
        ("behind it, answers it", [&call, &answer], vec![]),
        ("before it, does not", [&answer, &call], vec!["a"]),
    ] {
        let message = blocks(Role::Assistant, &order.map(Value::clone));
        assert_open(
            &format!("a result in the call's own message, {why}"),
            vec![message],
            &open,
        );
    }
    let both = ChatMessage {
        raw_content_blocks: Some(vec![block(&call_block("sent"))]),
        ..calls(&["shown"])
    };
    assert_open(
        "where there are raw blocks, they are what is sent, whatever `tool_calls` shows",
        vec![both],
        &["sent"],
    );
    let unnamed = ChatMessage {
        tool_call_id: None,
        ..result("a")
    };
    assert_open(
        "a result that names no call answers none",
        vec![calls(&["a"]), unnamed],
        &["a"],
    );
    let session = Session {
        messages: vec![calls(&["a"]), blocks(Role::Assistant, &[call_block("b")])],
        ..Session::new("coder", "claude")
    };
    assert_eq!(
        session.open_calls(),
        ["a", "b"].map(|id| ToolCall::new(id, "bash", "{}")),
        "an open call comes with its tool and its arguments"
    );
}

// 20.2 One line a message

#[test]
fn test_ch20_lines_are_messages() {
    let messages = talk(3);
    let text = lines(&messages);
    assert_eq!(
        parse(text.as_bytes()),
        (messages, None),
        "each line is a message, in order, and nothing is torn"
    );
    assert_eq!(
        parse(b""),
        (vec![], None),
        "an empty file holds no messages"
    );
    let odd = vec![user("two\nlines\r\nand\u{2028}\u{85}a third"), user("")];
    assert_eq!(
        parse(lines(&odd).as_bytes()),
        (odd, None),
        "line ends inside a message are written as escapes, and other signs end no line here"
    );
}

#[test]
fn test_ch20_a_torn_last_line_is_reported() {
    let whole = lines(&talk(2));
    let last = json_line(&user("Grüße, 世界"));
    for end in 1..last.len() {
        let torn = &last.as_bytes()[..end];
        let file = [whole.as_bytes(), torn].concat();
        if end == last.len() - 1 {
            break; // Only its line end is missing: the next test.
        }
        assert_eq!(
            parse(&file),
            (talk(2), Some(torn.to_vec())),
            "the last line was torn after {end} bytes, perhaps in the middle of a letter: \
             the lines before it are whole, and its bytes are in `torn`"
        );
    }
    let zeros = [whole.as_bytes(), &[0; 64]].concat();
    assert_eq!(
        parse(&zeros),
        (talk(2), Some(vec![0; 64])),
        "after the end of a machine, some file systems leave zeros: they are a torn line"
    );
}

#[test]
fn test_ch20_only_the_line_end_is_missing() {
    let text = lines(&talk(2));
    assert_eq!(
        parse(text.trim_end().as_bytes()),
        (talk(2), None),
        "the last line lacks its line end and nothing else: it is a whole message"
    );
}

#[test]
fn test_ch20_damage_is_named() {
    let [one, two] = [user("1"), user("2")].map(|message| json_line(&message));
    for (why, text, line) in [
        (
            "a last line that has its line end was written whole, so it is not torn but damaged",
            format!("{one}{{\"role\":\"us\n"),
            "line 2",
        ),
        (
            "a torn line that another was glued to",
            format!("{one}{{\"role\":\"us{two}{two}"),
            "line 2",
        ),
        (
            "no message, though JSON",
            format!("{one}{two}{{\"role\":\"king\"}}\n{one}"),
            "line 3",
        ),
        ("an empty line", format!("{one}\n{two}"), "line 2"),
        (
            "two messages on one line",
            format!("{}{two}", one.trim_end()),
            "line 1",
        ),
    ] {
        match parse_jsonl(text.as_bytes()) {
            Ok(contents) => panic!("this should be refused: {why}\n{text}\nit gave {contents:?}"),
            Err(error) => assert!(
                format!("{error:#}").contains(line),
                "{why}: the error should say where, `{line}`; it says: {error:#}"
            ),
        }
    }
}

#[test]
fn test_ch20_reading_a_file() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = format!("{}{{\"role", lines(&talk(2)));
    fs::write(&path, &text).expect("can be written");
    let contents = read_jsonl(&path).expect("can be read");
    assert_eq!(
        (contents.messages, contents.torn),
        (talk(2), Some(b"{\"role".to_vec())),
        "reading a file gives what is in it"
    );
    assert_eq!(
        fs::read_to_string(&path).expect("still there"),
        text,
        "reading changes nothing: somebody may be writing that line at this moment"
    );
    for (text, says) in [(Some("{}\n"), "line 1"), (None, "cannot read")] {
        let _ = fs::remove_file(&path);
        if let Some(text) = text {
            fs::write(&path, text).expect("can be written");
        }
        let error = read_jsonl(&path).expect_err("there is nothing to read");
        let error = format!("{error:#}");
        assert!(
            error.contains(says) && error.contains("talk.jsonl"),
            "the error should name the file and say `{says}`; it says: {error}"
        );
    }
}

// 20.3 Appending lines

#[test]
fn test_ch20_appending_lines() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let messages = talk(5);
    let mut file = open_jsonl(&path);
    assert_eq!(read(&path), "", "a new file is empty");
    append_lines(&mut file, &messages[..2]);
    append_lines(&mut file, &[]);
    append_lines(&mut file, &messages[2..3]);
    file.sync().expect("can be synced");
    assert_eq!(
        read(&path),
        lines(&messages[..3]),
        "each message is one line, behind those that are there"
    );
    drop(file);
    append_lines(&mut open_jsonl(&path), &messages[3..]);
    assert_eq!(
        read(&path),
        lines(&messages),
        "a file that is opened again is continued"
    );
    assert_eq!(
        names(folder.path()),
        ["talk.jsonl"],
        "no other file is made"
    );
}

#[test]
fn test_ch20_a_message_that_cannot_be_written() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let mut file = open_jsonl(&path);
    append_lines(&mut file, &talk(1));
    let both = [user("fine"), unwritable()];
    assert!(
        file.append(&both).is_err(),
        "an endless duration cannot be written as JSON"
    );
    assert_eq!(
        read(&path),
        lines(&talk(1)),
        "after an error nothing of the messages is in the file, not even the good one"
    );
    append_lines(&mut file, &[user("next")]);
    assert_eq!(read(&path).lines().count(), 2, "and it can go on");
}

#[test]
fn test_ch20_a_line_that_could_not_be_read() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let mut file = open_jsonl(&path);
    append_lines(&mut file, &[deep(50)]);
    let before = read(&path);
    for message in unreadable() {
        let appended = file.append(&[user("fine"), message]);
        assert!(
            appended.is_err(),
            "JSON holds this message, but nobody can read it again: with it the whole file \
             would be lost"
        );
        assert_eq!(
            read(&path),
            before,
            "after an error nothing of the messages is in the file, not even the good one"
        );
    }
    append_lines(&mut file, &[user("next")]);
    assert_eq!(
        parse(read(&path).as_bytes()),
        (vec![deep(50), user("next")], None),
        "and it can go on; what is deep but can be read is written"
    );
}

#[test]
fn test_ch20_a_write_that_breaks_off() {
    const VARIABLE: &str = "CLAW_TEST_CH20_FULL";
    if let Some(path) = std::env::var_os(VARIABLE) {
        return append_to_a_full_disk(Path::new(&path));
    }
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let messages = talk(3);
    fs::write(&path, lines(&messages[..1]).trim_end()).expect("can be written");
    // Files may not grow beyond some KB there, which is how a full disk looks to a writer.
    let test = std::env::current_exe().expect("this test has a file");
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(test)
        .args(["--exact", "ch20::test_ch20_a_write_that_breaks_off"])
        .env(VARIABLE, &path)
        .output()
        .expect("this test can run itself");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "on a full disk: {said}");
    assert_eq!(
        read(&path),
        lines(&messages),
        "a write that breaks off leaves nothing of its line, and takes nothing of the others; \
         what is appended after it stands behind them"
    );
}

/// The child of the test above: the second of three messages has no room.
fn append_to_a_full_disk(path: &Path) {
    let messages = talk(3);
    let mut file = open_jsonl(path);
    append_lines(&mut file, &messages[1..2]);
    let long = user(&"long ".repeat(10_000));
    assert!(
        file.append(&[long]).is_err(),
        "what was not written has to be an error"
    );
    append_lines(&mut file, &messages[2..]);
}

#[test]
fn test_ch20_a_torn_line_is_kept() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    for torn in ["{\"role\":\"us", "{\"role\":\"assis"] {
        let mut text = read_or_empty(&path);
        if text.is_empty() {
            text = lines(&talk(2));
        }
        fs::write(&path, format!("{text}{torn}")).expect("can be written");
        let mut file = open_jsonl(&path);
        assert_eq!(read(&path), text, "opening cuts the torn line off");
        append_lines(&mut file, &[user("next")]);
        assert_eq!(
            read(&path),
            text + &json_line(&user("next")),
            "what is appended is a line of its own"
        );
    }
    assert_eq!(
        read_or_empty(&folder.path().join("talk.jsonl.torn")),
        "{\"role\":\"us\n{\"role\":\"assis\n",
        "what was cut off is kept in talk.jsonl.torn, a line for each: nothing is lost"
    );
}

#[test]
fn test_ch20_a_torn_line_that_cannot_be_kept() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = lines(&talk(2)) + "{\"role\":\"us";
    fs::write(&path, &text).expect("can be written");
    fs::create_dir(folder.path().join("talk.jsonl.torn")).expect("a folder of that name");
    let opened = JsonlFile::open(&path);
    assert!(
        opened.is_err(),
        "talk.jsonl.torn is a folder here, so the torn line can't be kept: `open` must fail"
    );
    assert_eq!(
        read(&path),
        text,
        "what could not be kept must stay in the file: first keep it, then cut it off"
    );
}

#[test]
fn test_ch20_a_missing_line_end_is_added() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    fs::write(&path, lines(&talk(2)).trim_end()).expect("can be written");
    append_lines(&mut open_jsonl(&path), &[user("next")]);
    assert_eq!(
        read(&path),
        lines(&talk(2)) + &json_line(&user("next")),
        "a whole message without its line end is kept, and gets one"
    );
    assert_eq!(names(folder.path()), ["talk.jsonl"], "nothing was torn");
}

#[test]
fn test_ch20_a_damaged_file_is_not_continued() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = format!("oh\n{}{{\"ro", lines(&talk(1)));
    fs::write(&path, &text).expect("can be written");
    let error = JsonlFile::open(&path).expect_err("line 1 is damaged");
    let error = format!("{error:#}");
    assert!(
        error.contains("line 1") && error.contains("talk.jsonl"),
        "the error should name the file and the line; it says: {error}"
    );
    assert_eq!(read(&path), text, "a damaged file stays as it is");
}

#[test]
fn test_ch20_one_process_appends() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let first = open_jsonl(&path);
    // Half of a line that the first one is writing at this moment.
    fs::write(&path, "{\"ro").expect("can be written");
    let Err(error) = JsonlFile::open(&path) else {
        panic!("the second `open` must be an error, as long as the first one's file lives");
    };
    assert!(
        error.to_string().contains("in use"),
        "a second writer is refused as long as the first one lives; it got: {error:#}"
    );
    assert_eq!(
        read(&path),
        "{\"ro",
        "whoever has no lock must not have changed the file: lock first, then read"
    );
    drop(first);
    open_jsonl(&path);
}

// 20.4 Whose database is it?

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
        .args(["--exact", "ch20::test_ch20_a_path_is_a_path"])
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

// 20.5 One version after the other

#[test]
fn test_ch20_a_new_history() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    fs::write(&path, "").expect("an empty file is a new history too");
    drop(open(&path));
    let connection = Connection::open(&path).expect("can be opened");
    assert_eq!(
        (
            number(&connection, "PRAGMA application_id"),
            number(&connection, "PRAGMA user_version")
        ),
        (APPLICATION_ID, 2),
        "a new history says whose it is and has the newest version"
    );
    let mode: String = connection
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .expect("has a mode");
    assert_eq!(
        mode, "wal",
        "readers and writers should not wait for each other"
    );
    drop(connection);
    let before = read_bytes(&path);
    drop(open(&path));
    assert!(
        before == read_bytes(&path),
        "opening it again changes nothing"
    );
    assert_eq!(
        names(folder.path()),
        ["history.db"],
        "once closed, it is one file"
    );
}

#[test]
fn test_ch20_an_old_history_is_brought_up_to_date() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    old_history(&path);
    drop(open(&path));
    let connection = Connection::open(&path).expect("can be opened");
    assert_eq!(
        number(&connection, "PRAGMA user_version"),
        2,
        "a history of version 1 gets version 2"
    );
    let found = "SELECT count(*) FROM message_search WHERE message_search MATCH 'walnut'";
    assert_eq!(
        number(&connection, found),
        1,
        "the messages that were there are in the index that version 2 brings"
    );
}

#[test]
fn test_ch20_a_step_is_taken_whole_or_not_at_all() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    old_history(&path);
    let connection = Connection::open(&path).expect("can be opened");
    let in_the_way = "CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN SELECT 1; END";
    sql(&connection, in_the_way);
    refused(
        &path,
        "a history in which the second step's last statement fails",
    );
    assert_eq!(
        (
            number(&connection, "PRAGMA user_version"),
            number(
                &connection,
                "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'message_search%' OR name = 'message_added'"
            ),
        ),
        (1, 0),
        "a step that fails leaves nothing behind, neither its tables nor the new version"
    );
    sql(&connection, "DROP TRIGGER message_removed");
    drop(open(&path));
    assert_eq!(
        number(&connection, "PRAGMA user_version"),
        2,
        "with the cause gone, it can be taken"
    );
}

#[test]
fn test_ch20_each_step_is_one_transaction() {
    let folder = folder();
    let old = folder.path().join("old.db");
    old_history(&old);
    for (path, steps) in [(folder.path().join("new.db"), 2), (old, 1)] {
        let mut connection = Connection::open(&path).expect("can be opened");
        let before = changes(&path);
        let migrated = migrate(&mut connection);
        assert!(
            migrated.is_ok(),
            "it can be brought up to date; it gave {:?}",
            migrated.err()
        );
        let made = changes(&path) - before;
        assert!(
            made <= steps,
            "a step and its number belong into one transaction: {steps} steps were to be taken, \
             and the file's header counts {made} transactions"
        );
        assert!(
            made >= steps,
            "each step is a transaction of its own, so that what was taken stays taken: {steps} \
             steps were to be taken, and the file's header counts {made} transactions"
        );
    }
}

/// How many transactions have changed this file: a number in the header of each database
/// that has no log beside it.
fn changes(path: &Path) -> u32 {
    let bytes = read_bytes(path);
    let counter = bytes.get(24..28).and_then(|bytes| bytes.try_into().ok());
    counter.map_or(0, u32::from_be_bytes)
}

#[test]
fn test_ch20_a_step_that_another_process_takes() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    old_history(&path);
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    let opener = std::thread::spawn({
        let path = path.clone();
        move || SessionHistory::open(path).map(drop)
    });
    // Long enough for it to see version 1, and to wait.
    std::thread::sleep(Duration::from_millis(200));
    sql(&other, MIGRATIONS[1]);
    sql(&other, "PRAGMA user_version = 2; COMMIT");
    let opened = opener.join().expect("opening does not panic");
    assert!(
        opened.is_ok(),
        "another process was taking the step to version 2 when this one came; it waits, and \
         finds nothing left to do; it gave {opened:?}"
    );
}

#[test]
fn test_ch20_the_log_waits_for_writers() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    drop(open(&path));
    let other = Connection::open(&path).expect("can be opened");
    let mode = |question: &str| {
        let answer = other.query_row(question, [], |row| row.get::<_, String>(0));
        answer.expect("can be asked")
    };
    assert_eq!(mode("PRAGMA journal_mode = DELETE"), "delete");
    sql(&other, "BEGIN IMMEDIATE");
    let reader = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        sql(&other, "COMMIT");
    });
    let opened = SessionHistory::open(&path);
    reader.join().expect("the other process is done");
    assert!(
        opened.is_ok(),
        "while another process writes a history that has no log yet, none can be begun; that is \
         waited for, as for anything else; it gave {:?}",
        opened.err()
    );
    let other = Connection::open(&path).expect("can be opened");
    let mode = other.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
    assert_eq!(mode.as_deref(), Ok("wal"));
}

#[test]
fn test_ch20_opening_waits_for_nobody() {
    assert_an_empty_database_is_migrated();
    let folder = folder();
    let path = folder.path().join("history.db");
    let first = open(&path);
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    let second = SessionHistory::open(&path);
    assert!(
        second.is_ok(),
        "a history that is up to date can be opened while another process writes: nothing has \
         to be written for that; it gave {:?}",
        second.err()
    );
    drop((first, second));
}

// 20.6 Storing a session

#[test]
fn test_ch20_a_session_is_stored() {
    let mut history = in_memory();
    let mut full = session("full", 7);
    full.ended_at = Some("2026-01-02T03:04:05.000000678Z".parse().expect("a time"));
    full.usage = Some(usage(30, 40));
    full.messages.push(calls(&["a"]));
    full.messages.push(ChatMessage {
        raw_content_blocks: Some(vec![
            serde_json::from_value(json!({ "type": "thinking", "thinking": "", "signature": "s" }))
                .expect("a block"),
        ]),
        ..user("with \u{0} and 'quotes' and 🦀")
    });
    for session in [session("empty", 0), full, session("short", 1)] {
        let cursor = create(&mut history, &session);
        assert_eq!(
            (cursor.session_id(), cursor.position()),
            (&*session.session_id, session.messages.len()),
            "the cursor stands behind the last message"
        );
        assert_eq!(
            load(&history, &session.session_id),
            session,
            "what was stored is loaded, field by field"
        );
    }
}

#[test]
fn test_ch20_words_that_can_be_found() {
    let flat = ChatMessage {
        reasoning: Some("Look there.".into()),
        tool_calls: Some(vec![ToolCall::new("t", "grep", "{\"pattern\": 1}")]),
        ..ChatMessage::assistant("I look.")
    };
    assert_eq!(
        searchable(&flat),
        "I look.\nLook there.\ngrep\n{\"pattern\": 1}",
        "the text, the thoughts, and the name and the arguments of each call, a line each"
    );
    assert_eq!(
        searchable(&ChatMessage {
            tool_call_id: None,
            ..result("a")
        }),
        "done",
        "a result's text, also where nobody knows which call it answers"
    );
    for (why, role, blocks, words) in [
        (
            "words in raw blocks alone",
            Role::User,
            vec![text_block("A walnut."), text_block("Another.")],
            "A walnut.\nAnother.",
        ),
        (
            "thoughts and calls in raw blocks alone",
            Role::Assistant,
            vec![
                json!({ "type": "thinking", "thinking": "A nut?", "signature": "seal" }),
                json!({ "type": "tool_use", "id": "t", "name": "grep", "input": { "n": 1 } }),
            ],
            "A nut?\ngrep\n{\"n\":1}",
        ),
        (
            "results in a user's raw blocks",
            Role::User,
            vec![result_block("a"), text_block("Well?")],
            "done\nWell?",
        ),
    ] {
        let message = ChatMessage {
            raw_content_blocks: Some(blocks.iter().map(block).collect()),
            ..ChatMessage::new(role)
        };
        assert_eq!(searchable(&message), words, "{why} can be found");
    }
    let empty = ChatMessage {
        raw_content_blocks: Some(vec![]),
        ..user("A walnut.")
    };
    assert_eq!(
        searchable(&empty),
        "A walnut.",
        "an empty list of blocks counts as none"
    );
}

#[test]
fn test_ch20_a_session_is_stored_once() {
    let mut history = in_memory();
    create(&mut history, &session("a", 2));
    let mut other = session("a", 1);
    other.model = "another".into();
    let error = history.create(&other).expect_err("it is there already");
    assert!(
        matches!(&error, HistoryError::Exists(id) if id == "a"),
        "a second session of an id is `Exists`; it gave {error:?}"
    );
    assert_eq!(load(&history, "a"), session("a", 2), "the first one stays");
}

#[test]
fn test_ch20_a_session_is_stored_whole_or_not_at_all() {
    let mut history = in_memory();
    let mut broken = session("a", 2);
    broken.messages.push(unwritable());
    let error = history.create(&broken).expect_err("an endless duration");
    assert!(
        matches!(error, HistoryError::Unwritable(_)),
        "what JSON cannot hold is `Unwritable`; it gave {error:?}"
    );
    let words = error.to_string();
    assert!(
        words.contains("duration_ms"),
        "the error says what JSON says; it reads: {words}"
    );
    assert_eq!(
        format!("{:#}", anyhow::Error::from(error)),
        words,
        "printed with its causes, it says everything once"
    );
    let error = history.load("a").expect_err("nothing was stored");
    assert!(
        matches!(error, HistoryError::NotFound(_)),
        "after an error nothing of the session is there; loading it gave {error:?}"
    );
    create(&mut history, &session("a", 2));
}

#[test]
fn test_ch20_a_session_that_could_not_be_read() {
    let mut history = in_memory();
    for message in unreadable() {
        let mut lost = session("a", 2);
        lost.messages.push(message);
        let created = history.create(&lost);
        assert!(
            matches!(created, Err(HistoryError::Unwritable(_))),
            "JSON holds this message, but nobody can read it again: with it the whole session \
             would be lost, so it is `Unwritable`; it gave {created:?}"
        );
        assert_not_there(&history, "a");
    }
    let mut deepest = session("a", 2);
    deepest.messages.push(deep(50));
    create(&mut history, &deepest);
    assert_eq!(
        load(&history, "a"),
        deepest,
        "what is deep but can be read is stored"
    );
}

#[test]
fn test_ch20_what_is_loaded_is_of_one_moment() {
    assert_not_found(in_memory().load("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    create(&mut history, &session("a", 1));
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "PRAGMA synchronous = OFF");
    std::thread::scope(|scope| {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let over = std::sync::mpsc::TryRecvError::Disconnected;
            for number in 0.. {
                if stopped.try_recv() == Err(over) {
                    break;
                }
                let message = json_line(&user(&number.to_string()));
                let change = format!(
                    "BEGIN IMMEDIATE; UPDATE sessions SET agent_name = '{number}'; \
                     UPDATE messages SET message = '{message}'; COMMIT"
                );
                sql(&other, &change);
            }
        });
        for _ in 0..2_000 {
            let found = load(&history, "a");
            let said = found.messages[0].content.as_deref();
            if said.is_some_and(|said| said.starts_with(|it: char| it.is_ascii_digit())) {
                assert_eq!(
                    said,
                    Some(found.agent_name.as_str()),
                    "another process writes a number into the session and the same one into its \
                     message, both at once; they have to be read at once, too"
                );
            }
        }
        drop(stop);
    });
}

#[test]
fn test_ch20_what_is_not_there() {
    let mut history = in_memory();
    create(&mut history, &session("a", 1));
    for error in [history.load("A").err(), history.delete("b").err()] {
        assert!(
            matches!(&error, Some(HistoryError::NotFound(id)) if id == "A" || id == "b"),
            "a session that is not there is `NotFound`, with its id; it gave {error:?}"
        );
    }
}

#[test]
fn test_ch20_delete() {
    assert_not_found(in_memory().delete("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    for id in ["a", "b"] {
        create(&mut history, &session(id, 3));
    }
    assert!(history.delete("a").is_ok(), "a session can be deleted");
    assert!(history.load("a").is_err(), "a deleted session is gone");
    assert_eq!(load(&history, "b"), session("b", 3), "others stay");
    let connection = Connection::open(&path).expect("can be opened");
    let found = "SELECT count(*) FROM message_search WHERE message_search MATCH 'message'";
    assert_eq!(
        [
            number(&connection, "SELECT count(*) FROM messages"),
            number(&connection, found)
        ],
        [3, 3],
        "its messages are gone as well, from the table and from the index"
    );
}

#[test]
fn test_ch20_damage_inside_is_reported() {
    assert_not_found(in_memory().load("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let connection = Connection::open(&path).expect("can be opened");
    for (id, damage, says) in [
        ("gap", "DELETE FROM messages WHERE position = 1", "1"),
        (
            "json",
            "UPDATE messages SET message = '{\"role\":' WHERE position = 2",
            "2",
        ),
        (
            "bytes",
            "UPDATE messages SET message = CAST(x'FF' AS TEXT) WHERE position = 3",
            "3",
        ),
        ("time", "UPDATE sessions SET started_at = 'soon'", "soon"),
        ("usage", "UPDATE sessions SET usage = '{}'", "usage"),
    ] {
        create(&mut history, &session(id, 4));
        sql(&connection, damage);
        match history.load(id) {
            Err(HistoryError::Corrupt(what)) => assert!(
                what.contains(says),
                "the error should say what is damaged, with `{says}`; it says: {what}"
            ),
            other => panic!("after `{damage}` it is `Corrupt`; loading gave {other:?}"),
        }
    }
}

#[test]
fn test_ch20_a_damaged_page() {
    assert_not_found(in_memory().load("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    create(&mut history, &session("a", 200));
    drop(history);
    let mut bytes = read_bytes(&path);
    for page in (4096..bytes.len()).step_by(4096) {
        bytes[page..page + 64].fill(0xAB);
    }
    fs::write(&path, &bytes).expect("can be written");
    let error = match SessionHistory::open(&path) {
        Ok(history) => history.load("a").err(),
        Err(error) => Some(error),
    };
    assert!(
        matches!(error, Some(HistoryError::Corrupt(_))),
        "pages that are overwritten are `Corrupt`; it gave {error:?}"
    );
    assert!(bytes == read_bytes(&path), "and the file stays as it is");
}

// 20.7 Appending at a cursor

#[test]
fn test_ch20_messages_are_appended() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut expected = session("a", 1);
    let mut cursor = create(&mut history, &expected);
    create(&mut history, &session("b", 2));
    for more in [1, 0, 3] {
        let messages = talk(more);
        let added = history.append(&mut cursor, &messages);
        assert!(
            added.is_ok(),
            "{more} messages can be appended; it gave {added:?}"
        );
        expected.messages.extend(messages);
        assert_eq!(
            cursor.position(),
            expected.messages.len(),
            "the cursor moves along"
        );
        assert_eq!(
            load(&history, "a"),
            expected,
            "they are behind the others, in order"
        );
    }
    assert_eq!(
        load(&history, "b"),
        session("b", 2),
        "other sessions stay as they are"
    );
    let mut cursor = create(&mut history, &session("empty", 0));
    let added = history.append(&mut cursor, &talk(1));
    assert!(
        added.is_ok(),
        "an empty session can be continued: of no messages, `max` is `NULL`; it gave {added:?}"
    );
}

#[test]
fn test_ch20_an_append_is_whole_or_not_at_all() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut cursor = create(&mut history, &session("a", 1));
    let error = history
        .append(&mut cursor, &[user("fine"), unwritable()])
        .expect_err("an endless duration");
    assert!(
        matches!(error, HistoryError::Unwritable(_)),
        "what JSON cannot hold is `Unwritable`; it gave {error:?}"
    );
    assert_eq!(
        load(&history, "a"),
        session("a", 1),
        "not even the good message is stored"
    );
    assert_eq!(
        cursor.position(),
        1,
        "after an error the cursor stands where it stood"
    );
    let added = history.append(&mut cursor, &[user("next")]);
    assert!(added.is_ok(), "and it can go on; it gave {added:?}");
}

#[test]
fn test_ch20_what_could_not_be_read_is_not_appended() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut cursor = create(&mut history, &session("a", 1));
    for message in unreadable() {
        let appended = history.append(&mut cursor, &[user("fine"), message]);
        assert!(
            matches!(appended, Err(HistoryError::Unwritable(_))),
            "JSON holds this message, but nobody can read it again: it is `Unwritable`; it gave \
             {appended:?}"
        );
        assert_eq!(
            (load(&history, "a"), cursor.position()),
            (session("a", 1), 1),
            "not even the good message is stored, and the cursor stands where it stood"
        );
    }
    let added = history.append(&mut cursor, &[deep(50)]);
    assert!(added.is_ok(), "and it can go on; it gave {added:?}");
}

#[test]
fn test_ch20_two_processes_never_interleave() {
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    let (mut one, mut two) = (open(&path), open(&path));
    let mut cursor = create(&mut one, &session("a", 2));
    let mut other = cursor.clone();
    one.append(&mut cursor, &[user("one")])
        .expect("nobody else has written");
    let error = two
        .append(&mut other, &[user("two")])
        .expect_err("there is a message that the second process has not seen");
    assert!(
        matches!(error, HistoryError::Conflict { known: 2, found: 3 }),
        "the second process knows 2 messages and there are 3: a `Conflict`; it gave {error:?}"
    );
    assert_eq!(
        other.position(),
        2,
        "after an error the cursor stands where it stood"
    );
    let mut expected = session("a", 2);
    expected.messages.push(user("one"));
    assert_eq!(
        load(&two, "a"),
        expected,
        "nothing of the second process is stored"
    );
    let beyond = two.append(&mut Cursor::new("a", 7), &[user("eight")]);
    assert!(
        matches!(beyond, Err(HistoryError::Conflict { known: 7, found: 3 })),
        "whoever knows more messages than there are knows another session, one that was deleted \
         since: a `Conflict`; it gave {beyond:?}"
    );
    let mut gone = cursor.clone();
    two.delete("a").expect("can be deleted");
    let error = one
        .append(&mut gone, &[user("three")])
        .expect_err("deleted");
    assert!(
        matches!(&error, HistoryError::NotFound(id) if id == "a"),
        "a session that was deleted meanwhile is `NotFound`; it gave {error:?}"
    );
}

#[test]
fn test_ch20_a_writer_waits_its_turn() {
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let mut cursor = create(&mut history, &session("a", 1));
    history
        .set_patience(Duration::from_millis(1))
        .expect("can be set");
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    let error = history
        .append(&mut cursor, &[user("next")])
        .expect_err("locked");
    assert!(
        matches!(error, HistoryError::Busy),
        "while another process writes, it is `Busy` once the patience is at its end; it gave {error:?}"
    );
    assert_eq!(
        load(&history, "a"),
        session("a", 1),
        "reading goes on meanwhile"
    );
    sql(&other, "COMMIT");
    let added = history.append(&mut cursor, &[user("next")]);
    assert!(
        added.is_ok(),
        "then it is this one's turn; it gave {added:?}"
    );
    sql(&other, "BEGIN IMMEDIATE");
    let (tell, told) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        // Until the others have given up, or long after they should have.
        let _ = told.recv_timeout(Duration::from_secs(2));
        sql(&other, "COMMIT");
        other
    });
    let given_up = history.append(&mut cursor, &[user("and next")]);
    let _ = tell.send(());
    let other = writer.join().expect("the other process is done");
    assert!(
        matches!(given_up, Err(HistoryError::Busy)),
        "a patience of a millisecond is over within two seconds; it gave {given_up:?}"
    );
    history
        .set_patience(Duration::from_secs(10))
        .expect("can be set");
    sql(&other, "BEGIN IMMEDIATE");
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        sql(&other, "COMMIT");
    });
    let waited = history.append(&mut cursor, &[user("and next")]);
    writer.join().expect("the other process is done");
    assert!(
        waited.is_ok(),
        "it waits for the other process: a transaction that began as a reader gives up at \
         once when it wants to write; it gave {waited:?}"
    );
}

#[test]
fn test_ch20_what_comes_while_it_waits_is_seen() {
    thread_local! {
        static OTHER: RefCell<Option<Connection>> = const { RefCell::new(None) };
    }
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut cursor = create(&mut open(&path), &session("a", 1));
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    OTHER.set(Some(other));
    let mut connection = Connection::open(&path).expect("can be opened");
    // Called when it has to wait: just now the other process adds a message.
    let waiting = |_| match OTHER.take() {
        Some(other) => {
            let message = json_line(&user("sooner"));
            let add =
                "INSERT INTO messages (session, position, message, words) VALUES (1, 1, ?1, '')";
            other.execute(add, [message]).expect("there is room");
            sql(&other, "COMMIT");
            true
        }
        None => false,
    };
    connection.busy_handler(Some(waiting)).expect("can be set");
    let mut history = SessionHistory::over(connection);
    let added = history.append(&mut cursor, &[user("late")]);
    assert!(
        matches!(added, Err(HistoryError::Conflict { known: 1, found: 2 })),
        "while this one waited for its turn, another process added a message to the same \
         session: compare inside the transaction that writes, and it is a `Conflict`; it gave \
         {added:?}"
    );
}

#[test]
fn test_ch20_an_ended_session_goes_on() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut ended = session("a", 1);
    ended.ended_at = Some(ended.started_at);
    let mut cursor = create(&mut history, &ended);
    history
        .append(&mut cursor, &[user("One more thing.")])
        .expect("can be appended");
    assert_eq!(
        load(&history, "a").ended_at,
        None,
        "a session to which something is added has not ended"
    );
}

#[test]
fn test_ch20_killed_while_appending() {
    const VARIABLE: &str = "CLAW_TEST_CH20_APPEND";
    if let Some(path) = std::env::var_os(VARIABLE) {
        return append_forever(Path::new(&path));
    }
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    for (round, kill_after) in [1, 7].into_iter().enumerate() {
        let mut child = Command::new(std::env::current_exe().expect("this test has a file"))
            .args([
                "--exact",
                "ch20::test_ch20_killed_while_appending",
                "--nocapture",
            ])
            .env(VARIABLE, &path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test can run itself");
        let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut stored = said.by_ref().map_while(Result::ok).filter_map(acknowledged);
        let (id, mut last) = stored
            .nth(kill_after)
            .expect("the child appends until it is killed");
        child.kill().expect("can be killed");
        child.wait().expect("was killed");
        for (_, number) in stored {
            last = number;
        }
        let found = load(&open(&path), &id).messages;
        assert!(
            found.len() == last || found.len() == last + 1,
            "in round {round} the process said of {last} messages that they are stored, and was \
             killed; now there are {}: those, and at most one more, should be there",
            found.len()
        );
        assert_eq!(
            found,
            talk(found.len()),
            "they are the right ones, in order"
        );
    }
}

/// The child of the test above: says of each message that it is stored, once it is.
fn append_forever(path: &Path) {
    let mut history = open(path);
    let session = Session::new("coder", "claude");
    let mut cursor = create(&mut history, &session);
    // Not for ever: if nobody kills it, it has to end.
    for message in talk(5000) {
        history
            .append(&mut cursor, &[message])
            .expect("can be appended");
        let mut out = std::io::stdout().lock();
        let said = writeln!(out, "stored {} {}", session.session_id, cursor.position());
        if said.and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn acknowledged(line: String) -> Option<(String, usize)> {
    let (id, number) = line.strip_prefix("stored ")?.split_once(' ')?;
    Some((id.to_owned(), number.parse().ok()?))
}

// 20.8 Resume and branch

#[test]
fn test_ch20_a_session_is_resumed() {
    assert_not_found(in_memory().resume("nobody"));
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let mut stored = session("a", 3);
    stored.ended_at = Some(stored.started_at);
    create(&mut history, &stored);
    drop(history);
    let mut history = open(&path);
    let (resumed, mut cursor) = history.resume("a").expect("can be resumed");
    assert_eq!(resumed, stored, "resuming gives the session as it is");
    assert_eq!(
        load(&history, "a"),
        stored,
        "and changes nothing in the history"
    );
    assert_eq!(
        (cursor.session_id(), cursor.position()),
        ("a", 3),
        "the cursor stands behind its last message"
    );
    history
        .append(&mut cursor, &[user("next")])
        .expect("can go on");
    assert_eq!(
        load(&history, "a").messages.len(),
        4,
        "and it goes on there"
    );
}

#[test]
fn test_ch20_the_latest_session() {
    let mut history = in_memory();
    let latest = |history: &SessionHistory| history.latest().expect("can be asked");
    assert_eq!(
        latest(&history),
        None,
        "an empty history has no latest session"
    );
    let mut began_last = session("began last", 1);
    began_last.started_at += Duration::from_secs(60);
    create(&mut history, &began_last);
    let mut cursor = create(&mut history, &session("a", 1));
    create(&mut history, &session("b", 1));
    create(&mut history, &session("c", 0));
    assert_eq!(
        latest(&history).as_deref(),
        Some("b"),
        "the one with the newest message, whenever it began"
    );
    history
        .append(&mut cursor, &[user("again")])
        .expect("can go on");
    assert_eq!(latest(&history).as_deref(), Some("a"), "it went on last");
}

#[test]
fn test_ch20_a_session_is_finished() {
    assert_not_found(in_memory().finish("nobody", session("a", 0).started_at, None));
    let mut history = in_memory();
    for id in ["a", "b"] {
        create(&mut history, &session(id, 2));
    }
    let mut expected = session("a", 2);
    let end = "2026-03-04T05:06:07.5Z".parse().expect("a time");
    for counted in [Some(usage(5, 6)), None] {
        history
            .finish("a", end, counted.as_ref())
            .expect("can be finished");
        expected.ended_at = Some(end);
        expected.usage = Some(usage(5, 6));
        assert_eq!(
            load(&history, "a"),
            expected,
            "it has the end, and the usage if there is one; without one, what is there stays"
        );
    }
    assert_eq!(
        load(&history, "b"),
        session("b", 2),
        "others stay as they are"
    );
}

#[test]
fn test_ch20_a_session_is_branched() {
    assert_not_found(in_memory().branch("nobody", 0));
    let mut history = in_memory();
    let mut stored = session("a", 4);
    stored.usage = Some(usage(5, 6));
    stored.ended_at = Some(stored.started_at);
    create(&mut history, &stored);
    for position in [2, 0, 4] {
        let (branch, mut cursor) = history.branch("a", position).expect("can be branched");
        assert_ne!(branch.session_id, "a", "a branch is a session of its own");
        assert_eq!(
            branch.messages,
            stored.messages[..position],
            "it begins with the first {position} messages"
        );
        assert_eq!(
            (
                &branch.agent_name,
                &branch.model,
                branch.ended_at,
                branch.usage
            ),
            (&stored.agent_name, &stored.model, None, None),
            "with the same agent and model; it has not ended, and has cost nothing yet"
        );
        assert!(
            branch.started_at > stored.started_at,
            "it begins now, not when the other one began"
        );
        let origin = Origin {
            session_id: "a".into(),
            position,
        };
        assert_eq!(
            history.origin(&branch.session_id).expect("can be asked"),
            Some(origin),
            "the history knows where it comes from"
        );
        let next = user("another way");
        history
            .append(&mut cursor, std::slice::from_ref(&next))
            .expect("goes its own way");
        assert_eq!(
            load(&history, &branch.session_id).messages[position..],
            [next],
            "what is appended to a branch stands behind what was copied"
        );
        assert_eq!(
            load(&history, "a"),
            stored,
            "the session that it comes from stays as it is"
        );
    }
}

#[test]
fn test_ch20_a_branch_beyond_the_end() {
    assert_not_found(in_memory().branch("nobody", 0));
    let mut history = in_memory();
    create(&mut history, &session("a", 2));
    let error = history.branch("a", 3).expect_err("there are two messages");
    assert!(
        matches!(error, HistoryError::TooShort { asked: 3, found: 2 }),
        "two messages are too few for a branch behind the third; it gave {error:?}"
    );
}

#[test]
fn test_ch20_a_branch_outlives_its_origin() {
    assert_not_found(in_memory().branch("nobody", 0));
    let mut history = in_memory();
    create(&mut history, &session("a", 2));
    let (branch, _) = history.branch("a", 1).expect("can be branched");
    history.delete("a").expect("can be deleted");
    assert_eq!(
        load(&history, &branch.session_id),
        branch,
        "a branch has all it needs"
    );
    assert_eq!(
        history.origin(&branch.session_id).expect("can be asked"),
        None,
        "the session that it comes from is gone"
    );
}

// 20.9 Search

#[test]
fn test_ch20_words_are_quoted() {
    for (words, expected) in [
        ("walnut", Some("\"walnut\"")),
        ("  two \t words\n", Some("\"two\" \"words\"")),
        ("say \"hi\"", Some("\"say\" \"\"\"hi\"\"\"")),
        ("a\u{0}b", Some("\"a\" \"b\"")),
        ("AND NOT", Some("\"AND\" \"NOT\"")),
        ("", None),
        (" \n\u{0} ", None),
    ] {
        assert_eq!(
            expression(words).as_deref(),
            expected,
            "each word of {words:?} in double quotes, and those inside it doubled"
        );
    }
}

#[test]
fn test_ch20_messages_are_found() {
    let mut history = in_memory();
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "an empty history holds no words"
    );
    let mut a = session("a", 0);
    a.messages = vec![
        user("A walnut has two halves."),
        ChatMessage {
            reasoning: Some("Look in the cellar.".into()),
            tool_calls: Some(vec![ToolCall::new(
                "t",
                "grep",
                "{\"pattern\":\"parse_arguments\"}",
            )]),
            ..ChatMessage::new(Role::Assistant)
        },
        user("Schöne Grüße, main.rs"),
        ChatMessage {
            raw_content_blocks: Some(vec![block(&text_block("A hazelnut."))]),
            ..ChatMessage::new(Role::User)
        },
    ];
    create(&mut history, &a);
    let mut cursor = create(&mut history, &session("b", 0));
    history
        .append(&mut cursor, &[user("Halves of what?")])
        .expect("can be appended");
    for (why, words, mut found) in [
        ("a word of the text", "walnut", vec![("a", 0)]),
        ("case does not matter", "WALNUT", vec![("a", 0)]),
        ("accents do not matter", "grusse schone", vec![]),
        ("accents do not matter", "schone", vec![("a", 2)]),
        ("a word of two messages", "halves", vec![("a", 0), ("b", 0)]),
        ("all words have to be there", "halves two", vec![("a", 0)]),
        ("half a word is not the word", "wal", vec![]),
        ("thoughts are searched", "cellar", vec![("a", 1)]),
        ("names of tools are searched", "grep", vec![("a", 1)]),
        ("arguments are searched", "parse_arguments", vec![("a", 1)]),
        ("words in raw blocks alone", "hazelnut", vec![("a", 3)]),
        ("signs part words", "main.rs", vec![("a", 2)]),
        ("their order counts", "rs.main", vec![]),
        ("no words", "  ", vec![]),
    ] {
        let mut hits: Vec<_> = search(&history, words, 10)
            .into_iter()
            .map(|hit| (hit.session_id, hit.position))
            .collect();
        hits.sort();
        found.sort();
        let found: Vec<_> = found
            .into_iter()
            .map(|(id, at)| (id.to_owned(), at))
            .collect();
        assert_eq!(hits, found, "{why}: {words:?}");
    }
    let hit = &search(&history, "walnut", 10)[0];
    assert_eq!(
        hit.snippet, "A [walnut] has two halves.",
        "the snippet shows the word where it stands"
    );
    let (branch, _) = history.branch("a", 1).expect("can be branched");
    assert_eq!(
        search(&history, "walnut", 10).len(),
        2,
        "what was copied into a branch is found there as well"
    );
    history.delete(&branch.session_id).expect("can be deleted");
    history.delete("a").expect("can be deleted");
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "what was deleted is not found"
    );
}

#[test]
fn test_ch20_no_words_break_the_search() {
    let mut history = in_memory();
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "an empty history holds no words"
    );
    let mut a = session("a", 0);
    a.messages = vec![user("say \"hi\" to col:x AND NEAR(y)")];
    create(&mut history, &a);
    for words in [
        "\"", "'", "*", "hi*", "(", ")", "AND", "OR", "NOT", "NEAR(", "col:", "-hi", "^hi", "{a}",
        "+", "a\u{0}b", "\u{0}", "\\", "%", ";", "--", "?1", "🦀", "\"hi\"", "say \"hi",
    ] {
        let found = history.search(words, 10);
        assert!(
            found.is_ok(),
            "any text can be searched for, and {words:?} gave {:?}",
            found.err()
        );
    }
    for words in ["\"hi\"", "col:x", "AND", "near(y)"] {
        assert_eq!(
            search(&history, words, 10).len(),
            1,
            "{words:?} stands in the message"
        );
    }
}

#[test]
fn test_ch20_the_best_come_first() {
    let mut history = in_memory();
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "an empty history holds no words"
    );
    let mut a = session("a", 0);
    a.messages = vec![
        user(&format!("walnut {}", "and much else ".repeat(30))),
        user("walnut"),
        user("nothing"),
        user("walnut"),
    ];
    create(&mut history, &a);
    let places = |limit| -> Vec<usize> {
        let hits = search(&history, "walnut", limit);
        hits.iter().map(|hit| hit.position).collect()
    };
    assert_eq!(
        places(10),
        [3, 1, 0],
        "the shortest text with the word comes first; of equals, the newest"
    );
    assert_eq!(places(1), [3], "no more than asked for");
    assert_eq!(places(0), [0; 0], "none, if none are asked for");
    assert_eq!(
        places(usize::MAX).len(),
        3,
        "all, if there is no limit to speak of"
    );
}

// 20.10 Which sessions there are

#[test]
fn test_ch20_a_list_of_sessions() {
    let mut history = in_memory();
    assert_eq!(list(&history), [], "an empty history has no sessions");
    let mut cursor = create(&mut history, &session("a", 3));
    create(&mut history, &session("empty", 0));
    create(&mut history, &session("b", 2));
    create(&mut history, &session("later", 0));
    history
        .append(&mut cursor, &[user("again")])
        .expect("can go on");
    let listed = list(&history);
    let rows: Vec<(&str, usize)> = listed
        .iter()
        .map(|summary| (summary.session_id.as_str(), summary.messages))
        .collect();
    let mut ids: Vec<&str> = rows.iter().map(|(id, _)| *id).collect();
    ids.sort();
    assert_eq!(
        ids,
        ["a", "b", "empty", "later"],
        "every session is listed, also one without messages"
    );
    let counts: HashMap<&str, usize> = rows.iter().copied().collect();
    assert_eq!(
        counts,
        HashMap::from([("a", 4), ("b", 2), ("empty", 0), ("later", 0)]),
        "each session comes with the number of its messages, which may be 0"
    );
    assert_eq!(
        rows,
        [("a", 4), ("b", 2), ("later", 0), ("empty", 0)],
        "the session with the newest message comes first, those without messages last, and of \
         these the one that was stored last first"
    );
    assert_eq!(
        (listed[0].model.as_str(), listed[0].started_at),
        ("claude", session("a", 0).started_at),
        "with the model and the time that it began with"
    );
    history.delete("a").expect("can be deleted");
    assert_eq!(list(&history).len(), 3, "what was deleted is not listed");
}

#[test]
fn test_ch20_how_a_session_opens() {
    let mut history = in_memory();
    assert_eq!(list(&history), [], "no session, no opening");
    let picture = ChatMessage::new(Role::User);
    let blocks = [text_block("Look"), image_block(), text_block("here")];
    let in_blocks = ChatMessage {
        raw_content_blocks: Some(blocks.iter().map(block).collect()),
        ..ChatMessage::new(Role::User)
    };
    for (why, messages, opening) in [
        (
            "what others said is passed over",
            vec![
                ChatMessage::system("Be brief."),
                user("Hello"),
                user("Well?"),
            ],
            Some("Hello"),
        ),
        (
            "the user has said nothing",
            vec![ChatMessage::assistant("Hello")],
            None,
        ),
        (
            "the user's first message has no text, and the second is not the first",
            vec![picture, user("What is it?")],
            None,
        ),
        (
            "an empty text is a text",
            vec![user(""), user("What is it?")],
            Some(""),
        ),
        (
            "where there are raw blocks, it is what they say that counts",
            vec![in_blocks],
            Some("Look\nhere"),
        ),
    ] {
        let mut session = session(why, 0);
        session.messages = messages;
        create(&mut history, &session);
        let opened = list(&history).remove(0).opening;
        assert_eq!(
            opened.as_deref(),
            opening,
            "a session opens with the text of the user's first message: {why}; this one opened \
             with {opened:?}"
        );
    }
}

#[test]
fn test_ch20_a_damaged_message_hides_no_session() {
    assert_eq!(list(&in_memory()), [], "no session, no opening");
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let [damaged, later, good] = ["damaged", "later", "good"];
    for id in [damaged, later, good] {
        let mut session = session(id, 0);
        session.messages = vec![user("Hello"), user("Well?")];
        create(&mut history, &session);
    }
    let connection = Connection::open(&path).expect("can be opened");
    let damage = |id: &str, position: usize, message: &str| {
        let change = format!(
            "UPDATE messages SET message = {message} WHERE position = {position} AND session =
             (SELECT id FROM sessions WHERE session_id = '{id}')"
        );
        sql(&connection, &change);
    };
    damage(later, 1, "'{\"role\":'");
    for message in [
        "'{\"role\":\"us'",
        "'{\"role\":\"king\"}'",
        "CAST(x'FF' AS TEXT)",
        "''",
    ] {
        damage(damaged, 0, message);
        let listed = match history.list() {
            Ok(listed) => listed,
            Err(error) => panic!(
                "one message is damaged, `{message}`: all sessions are listed nevertheless; it \
                 gave {error:?}"
            ),
        };
        let rows: Vec<_> = listed
            .iter()
            .map(|it| (it.session_id.as_str(), it.messages, it.opening.as_deref()))
            .collect();
        assert_eq!(
            rows,
            [
                (good, 2, Some("Hello")),
                (later, 2, Some("Hello")),
                (damaged, 2, None)
            ],
            "with its first message damaged, `{message}`, a session has no opening: nobody knows \
             what the user said first"
        );
    }
}

#[test]
fn test_ch20_ids_by_their_beginning() {
    let mut history = in_memory();
    let ids = |history: &SessionHistory, start: &str| match history.ids(start) {
        Ok(ids) => ids.join(" "),
        Err(error) => panic!("ids that begin with {start:?}: it gave {error:?}"),
    };
    assert_eq!(ids(&history, ""), "", "an empty history has no ids");
    for id in ["b1", "a_1", "ab2", "äb", "a%3", "a[4]"] {
        create(&mut history, &session(id, 1));
    }
    for (start, expected) in [
        ("a", "a%3 a[4] a_1 ab2"),
        ("ab2", "ab2"),
        ("", "a%3 a[4] a_1 ab2 b1 äb"),
        ("b", "b1"),
        ("A", ""),
        ("a_", "a_1"),
        ("a%", "a%3"),
        ("*", ""),
        ("[", ""),
        ("a[", "a[4]"),
        ("1", ""),
        ("ab23", ""),
        ("'", ""),
    ] {
        assert_eq!(
            ids(&history, start),
            expected,
            "the ids that begin with {start:?}, in alphabetical order; no letter and no sign \
             stands for another"
        );
    }
}

// 20.11 Through one entry

#[test]
fn test_ch20_messages_of_the_first_loop_as_entries() {
    use claw_code::types::Message;
    let said = |text: &str| {
        agent_entry(json!({ "role": "user", "content": [text_block(text)], "timestamp": 0 }))
    };
    let result = |text: &str, is_error: bool| {
        agent_entry(
            json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "",
            "content": [text_block(text)], "isError": is_error, "timestamp": 0 }),
        )
    };
    let reply = json!({ "type": "Assistant", "id": "m1", "text": "Let me look.",
        "tool_calls": [{ "id": "t1", "name": "bash", "arguments": { "command": "ls" } }],
        "stop_reason": "ToolUse", "usage": { "input_tokens": 3, "output_tokens": 2 } });
    let same_reply = json!({ "role": "assistant",
        "content": [text_block("Let me look."),
            { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }],
        "stopReason": "toolUse", "model": "", "provider": "", "timestamp": 0,
        "usage": { "input": 3, "output": 2, "total_tokens": 5 } });
    for (why, message, expected) in [
        (
            "instructions have an entry of their own, since no history holds them",
            json!({ "type": "System", "id": "m1", "content": "Be brief.", "tag": "t" }),
            Some(instructions("Be brief.", 0)),
        ),
        (
            "what the user typed is one text, and its time is not known: 0",
            json!({ "type": "User", "id": "m1", "content": "Hi." }),
            Some(said("Hi.")),
        ),
        (
            "an attachment is what chapter 2 sends of it: a line with the path, an empty one, the content",
            json!({ "type": "Attachment", "id": "m1", "path": "CLAUDE.md", "content": "Use tabs.", "content_type": "instructions" }),
            Some(said("Attached: CLAUDE.md\n\nUse tabs.")),
        ),
        (
            "a reply is what chapter 16's adapter makes of it, but its time is not known: 0",
            reply,
            Some(agent_entry(same_reply)),
        ),
        (
            "a result does not say which tool it is of",
            json!({ "type": "ToolResult", "id": "m1", "tool_use_id": "t1", "content": "src" }),
            Some(result("src", false)),
        ),
        (
            "a result that begins with `error: ` failed, and the flag says so in place of the prefix",
            json!({ "type": "ToolResult", "id": "m1", "tool_use_id": "t1", "content": "error: no such file" }),
            Some(result("no such file", true)),
        ),
        (
            "a message of a tool that runs is never kept",
            json!({ "type": "Progress", "tool_use_id": "t1", "data": "half" }),
            None,
        ),
    ] {
        let message: Message = serde_json::from_value(message).expect("a message of chapter 1");
        assert_eq!(
            from_types::to_entry(&message),
            expected,
            "{why}: {message:?}"
        );
    }
}

#[test]
fn test_ch20_entries_as_messages_of_the_first_loop() {
    let reply = |content: Value, usage: Value| {
        agent_entry(
            json!({ "role": "assistant", "content": content, "stopReason": "stop",
            "model": "m", "provider": "p", "usage": usage, "timestamp": 5 }),
        )
    };
    let none = json!({ "input": 0, "output": 0 });
    let some = json!({ "input": 3, "output": 2, "reasoning": 1, "cache_read": 7, "cache_write": 8, "total_tokens": 20 });
    let plain_reply = |text: Value, usage: Value| {
        Some(
            json!({ "type": "Assistant", "text": text, "tool_calls": [], "stop_reason": "Stop", "usage": usage }),
        )
    };
    for (why, entry, expected) in [
        (
            "instructions are a system message without a tag",
            instructions("Be brief.", 5),
            Some(json!({ "type": "System", "content": "Be brief.", "tag": null })),
        ),
        (
            "chapter 16's `to_types` says what becomes of a result that failed",
            agent_entry(
                json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "bash",
                "content": [text_block("no such file")], "isError": true, "timestamp": 5 }),
            ),
            Some(
                json!({ "type": "ToolResult", "tool_use_id": "t1", "content": "error: no such file", "is_truncated": false }),
            ),
        ),
        (
            "`to_types` gives no usage, but a file has a place for it",
            reply(json!([text_block("Hi.")]), some),
            plain_reply(
                json!("Hi."),
                json!({ "input_tokens": 3, "output_tokens": 2, "cache_read_tokens": 7, "cache_creation_tokens": 8 }),
            ),
        ),
        (
            "a usage in which all is 0 is none",
            reply(json!([text_block("Hi.")]), none.clone()),
            plain_reply(json!("Hi."), Value::Null),
        ),
        (
            "a reply without words stays, though `to_types` leaves it out",
            reply(json!([]), none),
            plain_reply(Value::Null, Value::Null),
        ),
        (
            "a user's message without words stays as well",
            agent_entry(json!({ "role": "user", "content": [], "timestamp": 5 })),
            Some(json!({ "type": "User", "content": "" })),
        ),
        (
            "an extension has no place here",
            agent_entry(json!({ "role": "extension", "kind": "note", "data": 1 })),
            None,
        ),
    ] {
        let message = from_types::from_entry(&entry).map(|message| {
            let mut json = serde_json::to_value(message).expect("it can be written");
            let id = json.as_object_mut().and_then(|fields| fields.remove("id"));
            assert!(id.is_some(), "each message has a new id");
            json
        });
        assert_eq!(message, expected, "{why}: {entry:?}");
    }
}

#[test]
fn test_ch20_chat_messages_as_entries() {
    let result = |id: &str, name: &str, text: &str, is_error: bool| {
        agent_entry(
            json!({ "role": "toolResult", "toolCallId": id, "toolName": name,
            "content": [text_block(text)], "isError": is_error, "timestamp": 0 }),
        )
    };
    let said = |text: &str, time: u64| {
        agent_entry(json!({ "role": "user", "content": [text_block(text)], "timestamp": time }))
    };
    let metadata =
        json!({ "success": false, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    let result_block = json!({ "type": "tool_result", "tool_use_id": "t1", "content": "src" });
    for (why, message, expected) in [
        (
            "instructions, whoever they are from",
            json!({ "role": "developer", "content": "Be brief.", "timestamp": "1970-01-01T00:00:01.5Z" }),
            vec![instructions("Be brief.", 1500)],
        ),
        (
            "a time is in milliseconds",
            json!({ "role": "user", "content": "Hi.", "timestamp": "1970-01-01T00:00:01.5Z" }),
            vec![said("Hi.", 1500)],
        ),
        (
            "`tool_metadata` names the tool and says that it failed",
            json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "other", "tool_metadata": metadata }),
            vec![result("t1", "bash", "src", true)],
        ),
        (
            "without it, `name` is the tool's",
            json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "bash" }),
            vec![result("t1", "bash", "src", false)],
        ),
        (
            "raw blocks take precedence, and a result among them is an entry of its own",
            json!({ "role": "user", "content": "shown", "raw_content_blocks": [
                { "type": "text", "text": "a" }, result_block, { "type": "text", "text": "b" }] }),
            vec![said("a", 0), result("t1", "", "src", false), said("b", 0)],
        ),
    ] {
        assert_eq!(entries_of(message.clone()), expected, "{why}: {message}");
    }
    let message: ChatMessage =
        serde_json::from_value(json!({ "role": "tool", "content": "src" })).expect("a message");
    assert!(
        from_chat::to_entries(&message).is_err(),
        "chapter 18 has no blocks for a result that names no call, and says why; pass its error on"
    );
}

#[test]
fn test_ch20_entries_as_chat_messages() {
    let thoughts = |signature: &str| {
        let mut reply = json!({ "role": "assistant", "stopReason": "stop", "model": "m", "provider": "p",
            "usage": Usage::default(), "timestamp": 0, "content": [] });
        reply["content"] =
            json!([{ "type": "thinking", "thinking": "Hm.", "signature": signature }]);
        reply
    };
    for (why, entry, expected) in [
        (
            "instructions keep their time",
            instructions("Be brief.", 1500),
            Some(
                json!({ "role": "system", "content": "Be brief.", "timestamp": "1970-01-01T00:00:01.500Z" }),
            ),
        ),
        (
            "0 is a time that is not known",
            agent_entry(json!({ "role": "user", "content": [text_block("Hi.")], "timestamp": 0 })),
            Some(json!({ "role": "user", "content": "Hi." })),
        ),
        (
            "what the flat fields can't hold is in the raw blocks",
            agent_entry(json!({ "role": "user", "timestamp": 0,
                "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] })),
            Some(json!({ "role": "user", "raw_content_blocks": [
                { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AA==" } }] })),
        ),
        (
            "a result's tool is its `name`",
            agent_entry(
                json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "bash",
                "content": [text_block("src")], "isError": false, "timestamp": 0 }),
            ),
            Some(json!({ "role": "tool", "tool_call_id": "t1", "content": "src", "name": "bash" })),
        ),
        (
            "that it failed is in its block; a tool without a name has none",
            agent_entry(
                json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "",
                "content": [text_block("no")], "isError": true, "timestamp": 0 }),
            ),
            Some(
                json!({ "role": "tool", "tool_call_id": "t1", "content": "no", "raw_content_blocks": [
                { "type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": true }] }),
            ),
        ),
        (
            "a provider's thoughts stay, with the seal where its API has it",
            agent_entry(thoughts("EqQB")),
            Some(
                json!({ "role": "assistant", "status": "completed", "reasoning": "Hm.", "raw_content_blocks": [
                { "type": "thinking", "thinking": "Hm.", "signature": "EqQB", "redacted": false }] }),
            ),
        ),
        (
            "thoughts with an id are those of the other API",
            agent_entry(thoughts("rs_1|ENC")),
            Some(
                json!({ "role": "assistant", "status": "completed", "reasoning": "Hm.", "raw_content_blocks": [
                { "type": "thinking", "thinking": "Hm.", "encrypted_content": "ENC", "id": "rs_1", "redacted": false }] }),
            ),
        ),
        (
            "an extension has no place here",
            agent_entry(json!({ "role": "extension", "kind": "note", "data": 1 })),
            None,
        ),
    ] {
        let message = from_chat::from_entry(&entry);
        let message = message.map(|message| serde_json::to_value(message).expect("can be written"));
        assert_eq!(message, expected, "{why}: {entry:?}");
    }
}

#[test]
fn test_ch20_how_a_reply_ended() {
    let call = json!([{ "id": "t1", "type": "function", "function": { "name": "bash", "arguments": "{}" } }]);
    for (status, calls, reason) in [
        (Value::Null, Value::Null, "stop"),
        (json!("completed"), Value::Null, "stop"),
        (json!("completed"), call.clone(), "toolUse"),
        (json!("incomplete"), call, "length"),
        (json!("failed"), Value::Null, "error"),
        (json!("in_progress"), Value::Null, "paused"),
    ] {
        let message =
            json!({ "role": "assistant", "content": "Hi.", "tool_calls": calls, "status": status });
        let entries = entries_of(message.clone());
        let [Entry::Agent(reply)] = entries.as_slice() else {
            panic!("a reply is one entry: {message} gave {entries:?}");
        };
        let json = serde_json::to_value(reply).expect("it can be written");
        assert_eq!(json["stopReason"], reason, "the stop reason of {message}");
    }
}

// 20.12 From any to any

#[test]
fn test_ch20_vocabularies_by_name() {
    for vocabulary in Vocabulary::ALL {
        let name = vocabulary.to_string();
        assert_eq!(
            name.parse(),
            Ok(vocabulary),
            "`{name}` is the name of {vocabulary:?}"
        );
    }
    for name in ["", "Agent", "agents"] {
        let error = name
            .parse::<Vocabulary>()
            .expect_err("this is no name of any");
        for part in [name, "types", "agent", "transcript", "chat"] {
            assert!(
                error.contains(part),
                "the error says what it was given and which names there are; it does not say `{part}`: {error}"
            );
        }
    }
}

#[test]
fn test_ch20_what_is_lost() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "data": "AA==" });
    for (why, sent, returned, expected) in [
        (
            "nothing",
            json!({ "a": 1, "b": [1, "x"] }),
            json!({ "b": [1, "x"], "a": 1 }),
            vec![],
        ),
        (
            "what is new has not been lost",
            json!({ "a": 1 }),
            json!({ "a": 1, "b": 2 }),
            vec![],
        ),
        (
            "a field is missing",
            json!({ "a": 1, "b": 2 }),
            json!({ "a": 1 }),
            vec!["b"],
        ),
        (
            "a field is another",
            json!({ "a": 1, "b": 2 }),
            json!({ "a": 1, "b": 3 }),
            vec!["b"],
        ),
        (
            "a field is of another kind",
            json!({ "a": "1" }),
            json!({ "a": 1 }),
            vec!["a"],
        ),
        (
            "a field in a field",
            json!({ "usage": { "in": 1, "out": 2 } }),
            json!({ "usage": { "in": 1 } }),
            vec!["usage.out"],
        ),
        (
            "`null` and nothing are the same",
            json!({ "a": null }),
            json!({}),
            vec![],
        ),
        (
            "so are numbers of one value",
            json!({ "a": 12 }),
            json!({ "a": 12.0 }),
            vec![],
        ),
        (
            "large numbers are compared to the last digit",
            json!({ "a": 9007199254740993_u64 }),
            json!({ "a": 9007199254740992_u64 }),
            vec!["a"],
        ),
        (
            "so are two spellings of a name",
            json!({ "errorMessage": "x" }),
            json!({ "error_message": "x" }),
            vec![],
        ),
        (
            "an element is another",
            json!({ "c": [1, 2] }),
            json!({ "c": [1, 3] }),
            vec!["c[]"],
        ),
        (
            "an element is named by its type",
            json!({ "content": [text("a"), image] }),
            json!({ "content": [text("a")] }),
            vec!["content[image]"],
        ),
        (
            "what stands behind a block that is missing has not been lost",
            json!({ "content": [image, text("a")] }),
            json!({ "content": [text("a")] }),
            vec!["content[image]"],
        ),
        (
            "a block became another one, and those behind it stand where they stood",
            json!({ "content": [image, text("a")] }),
            json!({ "content": [text("[image]"), text("a")] }),
            vec!["content[image]"],
        ),
        (
            "two of a kind, of which one is another",
            json!({ "content": [text("a"), text("b")] }),
            json!({ "content": [text("a"), text("c")] }),
            vec!["content[text].text"],
        ),
        (
            "two blocks that became one",
            json!({ "content": [text("a"), text("b")] }),
            json!({ "content": [text("a\nb")] }),
            vec!["content[text].text", "content[text]"],
        ),
    ] {
        assert_eq!(
            lost(&sent, std::slice::from_ref(&returned)),
            expected,
            "{why}: {sent} came back as {returned}"
        );
    }
    let sent = json!({ "a": 1 });
    assert_eq!(lost(&sent, &[]), [WHOLE], "nothing has come back");
    assert_eq!(
        lost(&sent, &[sent.clone(), sent.clone()]),
        [UNITY],
        "it has come back as two messages"
    );
}

#[test]
fn test_ch20_to_the_same_nothing_is_lost() {
    let message = json!({ "role": "tool", "id": "m", "name": "bash", "tool_call_id": "1",
        "content": "ok", "timestamp": "2026-01-02T03:04:05.678912Z",
        "tool_metadata": { "tool_name": "bash", "duration_ms": 5.0, "success": true, "arguments": "{}" } });
    let same = converted(
        Vocabulary::Chat,
        Vocabulary::Chat,
        std::slice::from_ref(&message),
    );
    let back: Vec<Value> = same
        .messages
        .iter()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(
        (back, same.losses.len()),
        (vec![message], 0),
        "within a vocabulary no message has to leave it"
    );
}

#[test]
fn test_ch20_from_any_to_any() {
    let said = |vocabulary| match vocabulary {
        Vocabulary::Types => json!({ "type": "User", "id": "m1", "content": "Hi." }),
        Vocabulary::Agent => {
            json!({ "role": "user", "content": [text_block("Hi.")], "timestamp": 1500 })
        }
        Vocabulary::Transcript => json!({ "role": "user", "content": "Hi.", "timestamp": 1500 }),
        Vocabulary::Chat => {
            json!({ "role": "user", "content": "Hi.", "timestamp": "1970-01-01T00:00:01.500Z" })
        }
    };
    for from in Vocabulary::ALL {
        for to in Vocabulary::ALL.into_iter().filter(|to| *to != from) {
            let converted = converted(from, to, &[said(from)]);
            let [message] = converted.messages.as_slice() else {
                panic!(
                    "from {from} to {to}: one message becomes one, not {:?}",
                    converted.messages
                );
            };
            let mut message: Value = serde_json::from_str(message).expect("a line of JSON");
            let mut expected = said(to);
            // An id is new each time; a time that `types` does not tell is not known.
            message.as_object_mut().map(|fields| fields.remove("id"));
            expected.as_object_mut().map(|fields| fields.remove("id"));
            if from == Vocabulary::Types {
                match to {
                    Vocabulary::Agent => expected["timestamp"] = json!(0),
                    _ => drop(
                        expected
                            .as_object_mut()
                            .map(|fields| fields.remove("timestamp")),
                    ),
                }
            }
            assert_eq!(message, expected, "from {from} to {to}");
            let expected: &[&str] = match (from, to) {
                (Vocabulary::Types, _) => &["id"],
                (_, Vocabulary::Types) => &["timestamp"],
                _ => &[],
            };
            let lost: Vec<_> = converted
                .losses
                .iter()
                .map(|loss| loss.field.as_str())
                .collect();
            assert_eq!(
                lost, expected,
                "what is lost from {from} to {to} and does not come back"
            );
        }
    }
}

#[test]
fn test_ch20_instructions_keep_their_time() {
    for told in [
        json!({ "role": "system", "content": "Be brief.", "timestamp": 1500 }),
        json!({ "role": "system", "content": "Be brief." }),
    ] {
        let there = converted(
            Vocabulary::Transcript,
            Vocabulary::Chat,
            std::slice::from_ref(&told),
        );
        let line: Value = serde_json::from_str(&there.messages[0]).expect("a line of JSON");
        let back = converted(Vocabulary::Chat, Vocabulary::Transcript, &[line]);
        let back: Value = serde_json::from_str(&back.messages[0]).expect("a line of JSON");
        assert_eq!(back, told, "there and back, with the time or without one");
    }
}

#[test]
fn test_ch20_losses_say_which_message() {
    let messages = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "custom", "kind": "note", "payload": 1 }),
        json!({ "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
            "is_error": false, "narration": "Ran ls.", "details": { "entries": 1 }, "new": 1 }),
    ];
    let converted = converted(Vocabulary::Transcript, Vocabulary::Chat, &messages);
    assert_eq!(
        converted.messages.len(),
        2,
        "instructions have a place in both, a host's note has none in a session: {:?}",
        converted.messages
    );
    let losses: Vec<_> = converted
        .losses
        .iter()
        .map(|loss| (loss.message, loss.field.as_str()))
        .collect();
    assert_eq!(
        losses,
        [(1, WHOLE), (2, "details"), (2, "narration"), (2, "new")],
        "messages are counted from 0 before the conversion, and a field that nobody knows is lost too"
    );
}

#[test]
fn test_ch20_a_result_finds_its_tool() {
    let call = |id: &str, name: &str| {
        json!({ "type": "Assistant", "id": "m", "text": null, "stop_reason": "ToolUse", "usage": null,
            "tool_calls": [{ "id": id, "name": name, "arguments": {} }] })
    };
    let result =
        |id: &str| json!({ "type": "ToolResult", "id": "m", "tool_use_id": id, "content": "x" });
    let messages = [
        call("t1", "read"),
        result("t1"),
        call("t1", "bash"),
        call("t2", "grep"),
        result("t2"),
        result("t1"),
        result("t3"),
    ];
    let converted = converted(Vocabulary::Types, Vocabulary::Agent, &messages);
    let names: Vec<Value> = converted
        .messages
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
        .filter_map(|message| message.get("toolName").cloned())
        .collect();
    assert_eq!(
        names,
        ["read", "grep", "bash", ""],
        "each result has the name of the tool from the last call of its id before it"
    );
    let own = json!({ "role": "toolResult", "toolCallId": "t1", "toolName": "mine", "content": [],
        "isError": false, "timestamp": 1 });
    let call = json!({ "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
        "usage": Usage::default(), "timestamp": 1,
        "content": [{ "type": "toolCall", "id": "t1", "name": "bash", "arguments": {} }] });
    let kept = self::converted(Vocabulary::Agent, Vocabulary::Transcript, &[call, own]);
    let result: Value = serde_json::from_str(&kept.messages[1]).expect("a line of JSON");
    assert_eq!(
        result["tool_name"], "mine",
        "a result that says its tool's name keeps that one"
    );
}

#[test]
fn test_ch20_a_broken_message_ends_it() {
    let good = r#"{"role":"user","content":"Hi."}"#;
    for (broken, field, what) in [
        (r#"{"role":"user","content":["#, "", "EOF"),
        (r#"{"role":"usher","content":"Hi."}"#, "role", "usher"),
        (
            r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":null}]}"#,
            "content[1].text",
            "null",
        ),
        (
            r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text"}]}"#,
            "content[1]",
            "missing field `text`",
        ),
        (
            r#"{"role":"assistant","content":[]}"#,
            "",
            "missing field `stop_reason`",
        ),
    ] {
        let error = convert(Vocabulary::Transcript, Vocabulary::Agent, &[good, broken])
            .expect_err("the second message is broken");
        assert_eq!(
            error.message, 1,
            "it is the second that is broken: {broken}"
        );
        assert_eq!(error.problem.field, field, "where it is broken: {broken}");
        assert!(
            error.problem.what.contains(what),
            "why: {broken} gave {:?}",
            error.problem.what
        );
    }
    let problem = |field: &str| {
        let problem = Problem {
            line: 1,
            field: field.into(),
            what: "is missing".into(),
        };
        problem.to_string()
    };
    assert_eq!(
        (problem("role").as_str(), problem("").as_str()),
        ("`role`: is missing", "is missing"),
        "a problem in words says where it is, if that is known"
    );
    let error = convert(
        Vocabulary::Chat,
        Vocabulary::Agent,
        &[r#"{"role":"tool","content":"src"}"#],
    )
    .expect_err("a result that names no call has no place in an agent's history");
    assert!(
        error.problem.what.contains("tool_call_id"),
        "it says why: {error:?}"
    );
}

// What the tests share

/// In memory, where Linux offers that: no test here ends the machine, and waiting for a disk
/// at each commit would take most of the time.
fn folder() -> TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a temporary folder")
}

fn user(text: &str) -> ChatMessage {
    ChatMessage::user(text)
}

fn calls(ids: &[&str]) -> ChatMessage {
    let calls = ids.iter().map(|id| ToolCall::new(*id, "bash", "{}"));
    ChatMessage {
        tool_calls: Some(calls.collect()),
        ..ChatMessage::new(Role::Assistant)
    }
}

fn result(id: &str) -> ChatMessage {
    ChatMessage::tool_result(id, "done")
}

/// A message that JSON cannot hold.
fn unwritable() -> ChatMessage {
    ChatMessage {
        tool_metadata: Some(ToolExecutionMetadata {
            success: true,
            duration_ms: f64::INFINITY,
            tool_name: "bash".into(),
            arguments: "{}".into(),
        }),
        ..result("a")
    }
}

/// A reply whose call has arguments of so many lists in each other.
fn deep(levels: usize) -> ChatMessage {
    let nested = (0..levels).fold(json!(1), |inner, _| json!([inner]));
    reply_with(json!({ "path": nested }))
}

/// A signed thought, for which there is no flat field, and a call.
fn reply_with(input: Value) -> ChatMessage {
    let thought = json!({ "type": "thinking", "thinking": "Hm.", "signature": "seal" });
    let mut call = block(&call_block("a"));
    if let UnifiedContentBlock::ToolUse { input: empty, .. } = &mut call {
        *empty = input;
    }
    ChatMessage::from_blocks(Role::Assistant, vec![block(&thought), call])
}

/// Messages that can be written as JSON, and that nobody can read again.
fn unreadable() -> Vec<ChatMessage> {
    let deepest = (1..200).map(deep).find(|message| !can_be_read(message));
    let messages = [
        deepest.expect("readers of JSON give up at some depth"),
        deep(1000),
    ];
    assert!(!messages.iter().any(can_be_read));
    messages.into()
}

fn can_be_read(message: &ChatMessage) -> bool {
    let json = serde_json::to_string(message).expect("can be written");
    serde_json::from_str::<ChatMessage>(&json).is_ok()
}

fn block(block: &Value) -> UnifiedContentBlock {
    serde_json::from_value(block.clone()).expect("a block")
}

fn call_block(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "bash", "input": {} })
}

fn result_block(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": "done" })
}

fn image_block() -> Value {
    json!({ "type": "image", "source": { "type": "url", "url": "https://example.org/a.png" } })
}

/// So many messages, each another.
fn talk(count: usize) -> Vec<ChatMessage> {
    let message = |number| match number % 2 {
        0 => ChatMessage::user(format!("message {number}")),
        _ => ChatMessage::assistant(format!("message {number}, answered")),
    };
    (0..count).map(message).collect()
}

fn session(id: &str, messages: usize) -> Session {
    let json = json!({
        "session_id": id, "agent_name": "coder", "model": "claude",
        "messages": talk(messages), "started_at": "2026-01-02T03:04:05.678Z"
    });
    serde_json::from_value(json).expect("a session")
}

fn usage(input: u64, output: u64) -> Usage {
    Usage {
        input,
        output,
        ..Usage::default()
    }
}

fn keys(session: &Session) -> Vec<String> {
    match serde_json::to_value(session).expect("a session can be written") {
        Value::Object(fields) => fields.keys().cloned().collect(),
        other => panic!("a session is an object, not {other}"),
    }
}

#[track_caller]
fn assert_open(why: &str, said: Vec<ChatMessage>, open: &[&str]) {
    let session = Session {
        messages: said,
        ..Session::new("coder", "claude")
    };
    let calls = session.open_calls();
    let found: Vec<_> = calls.iter().map(|call| &*call.id).collect();
    assert_eq!(found, open, "{why}: these calls are open");
}

fn json_line(message: &ChatMessage) -> String {
    serde_json::to_string(message).expect("can be written") + "\n"
}

fn lines(messages: &[ChatMessage]) -> String {
    messages.iter().map(json_line).collect()
}

#[track_caller]
fn parse(bytes: &[u8]) -> (Vec<ChatMessage>, Option<Vec<u8>>) {
    match parse_jsonl(bytes) {
        Ok(contents) => (contents.messages, contents.torn),
        Err(error) => panic!(
            "{error:#}\nbut only the last line of this is not whole:\n{}",
            String::from_utf8_lossy(bytes)
        ),
    }
}

#[track_caller]
fn open_jsonl(path: &Path) -> JsonlFile {
    match JsonlFile::open(path) {
        Ok(file) => file,
        Err(error) => panic!("it can be opened, but it gave: {error:#}"),
    }
}

#[track_caller]
fn append_lines(file: &mut JsonlFile, messages: &[ChatMessage]) {
    if let Err(error) = file.append(messages) {
        panic!("they can be appended, but it gave: {error:#}");
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

fn read_or_empty(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn read_bytes(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file can be read")
}

fn read_or_empty_bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_default()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .expect("the folder can be read")
        .flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn sql(connection: &Connection, statements: &str) {
    connection
        .execute_batch(statements)
        .expect("the test's own SQL works");
}

fn number(connection: &Connection, question: &str) -> i64 {
    let answer = connection.query_row(question, [], |row| row.get(0));
    answer.unwrap_or_else(|error| panic!("`{question}` gave: {error}"))
}

fn mark(connection: &Connection, application_id: i64, version: i64) {
    sql(
        connection,
        &format!("PRAGMA application_id = {application_id}; PRAGMA user_version = {version}"),
    );
}

/// A history of version 1 with one message.
fn old_history(path: &Path) {
    let connection = Connection::open(path).expect("can be made");
    sql(&connection, MIGRATIONS[0]);
    mark(&connection, APPLICATION_ID, 1);
    sql(
        &connection,
        "INSERT INTO sessions (session_id, agent_name, model, started_at)
         VALUES ('old', 'coder', 'claude', '2026-01-02T03:04:05Z');
         INSERT INTO messages (session, position, message, words)
         VALUES (1, 0, '{\"role\":\"user\",\"content\":\"A walnut.\"}', 'A walnut.')",
    );
}

#[track_caller]
fn refused(path: &Path, why: &str) -> HistoryError {
    match SessionHistory::open(path) {
        Ok(_) => panic!("this should be refused, and was opened: {why}"),
        Err(error) => error,
    }
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

#[track_caller]
fn open(path: &Path) -> SessionHistory {
    match SessionHistory::open(path) {
        Ok(history) => history,
        Err(error) => panic!("this history can be opened, but it gave: {error} ({error:?})"),
    }
}

/// A history that the tests have set up themselves, so that a section is tested by itself.
fn in_memory() -> SessionHistory {
    let connection = Connection::open_in_memory().expect("in memory");
    for step in MIGRATIONS {
        sql(&connection, step);
    }
    mark(&connection, APPLICATION_ID, MIGRATIONS.len() as i64);
    sql(&connection, "PRAGMA foreign_keys = ON");
    SessionHistory::over(connection)
}

/// What is asked of a session that is not there is `NotFound`, with its id.
#[track_caller]
fn assert_not_found<T>(answer: Result<T, HistoryError>) {
    match answer {
        Ok(_) => panic!("there is no session `nobody`, so this is `NotFound`; it gave no error"),
        Err(error) => assert!(
            matches!(&error, HistoryError::NotFound(id) if id == "nobody"),
            "there is no session `nobody`, so this is `NotFound` with that id; it gave {error:?}"
        ),
    }
}

#[track_caller]
fn assert_not_there(history: &SessionHistory, session_id: &str) {
    let error = history.load(session_id).err();
    assert!(
        matches!(error, Some(HistoryError::NotFound(_))),
        "after an error nothing of the session is there; loading it gave {error:?}"
    );
}

#[track_caller]
fn assert_nobody_is_appended_to() {
    assert_not_found(in_memory().append(&mut Cursor::new("nobody", 0), &talk(1)));
}

#[track_caller]
fn assert_an_empty_database_is_migrated() {
    let mut connection = Connection::open_in_memory().expect("in memory");
    let migrated = migrate(&mut connection);
    assert!(
        migrated.is_ok(),
        "an empty database can be brought up to date; it gave {:?}",
        migrated.err()
    );
}

#[track_caller]
fn create(history: &mut SessionHistory, session: &Session) -> Cursor {
    match history.create(session) {
        Ok(cursor) => cursor,
        Err(error) => panic!("this session can be stored, but it gave: {error} ({error:?})"),
    }
}

#[track_caller]
fn load(history: &SessionHistory, session_id: &str) -> Session {
    match history.load(session_id) {
        Ok(session) => session,
        Err(error) => {
            panic!("session {session_id} is there, but loading gave: {error} ({error:?})")
        }
    }
}

#[track_caller]
fn list(history: &SessionHistory) -> Vec<Summary> {
    history.list().expect("can be listed")
}

fn search(history: &SessionHistory, words: &str, limit: usize) -> Vec<Hit> {
    match history.search(words, limit) {
        Ok(hits) => hits,
        Err(error) => panic!("searching for {words:?} gave: {error} ({error:?})"),
    }
}

fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// An entry of chapter 15's kind, from its JSON.
fn agent_entry(message: Value) -> Entry {
    Entry::Agent(serde_json::from_value(message).expect("a message of chapter 15"))
}

fn instructions(content: &str, timestamp: u64) -> Entry {
    let content = content.to_string();
    Entry::System { content, timestamp }
}

#[track_caller]
fn entries_of(message: Value) -> Vec<Entry> {
    let message: ChatMessage = serde_json::from_value(message).expect("a message of chapter 18");
    match from_chat::to_entries(&message) {
        Ok(entries) => entries,
        Err(error) => panic!("{message:?} has a place in an agent's history, but gave: {error}"),
    }
}

#[track_caller]
fn converted(from: Vocabulary, to: Vocabulary, messages: &[Value]) -> Converted {
    let texts: Vec<String> = messages.iter().map(Value::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    match convert(from, to, &texts) {
        Ok(converted) => converted,
        Err(broken) => panic!("from {from} to {to}, nothing is broken, but it gave {broken:?}"),
    }
}
