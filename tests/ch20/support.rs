//! Helpers of chapter 20.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use claw_code::agent::Usage;
use claw_code::chat::*;
use claw_code::session::*;
use rusqlite::Connection;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

pub use crate::support::to_json;

/// A temporary folder, in memory where Linux offers that: waiting for a disk at each commit
/// would take most of the tests' time, and none of them cuts the power.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a temporary folder")
}

/// A database of the newest version, in a file. It is set up and filled with SQL, so that a
/// test reaches the functions of its own section first.
pub struct Database {
    folder: TempDir,
}

impl Database {
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// A database with these sessions.
    pub fn with(sessions: &[Session]) -> Self {
        let database = Self { folder: folder() };
        let connection = database.connection();
        sql(&connection, "PRAGMA journal_mode = WAL");
        set_up(&connection, sessions);
        database
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("history.db")
    }

    /// A new connection to the database. For SQLite's locks, it is another process.
    pub fn connection(&self) -> Connection {
        Connection::open(self.path()).expect("the database can be opened")
    }

    /// The database as a history.
    pub fn history(&self) -> SessionHistory {
        let connection = self.connection();
        sql(&connection, "PRAGMA foreign_keys = ON");
        SessionHistory::over(connection)
    }
}

/// A connection to a database that another connection is writing to. When this one waits for
/// the first time, the other one executes `statements` and commits.
pub fn connection_with_writer(path: &Path, statements: &str) -> Connection {
    thread_local! {
        static WRITER: RefCell<Option<(Connection, String)>> = const { RefCell::new(None) };
    }
    let writer = Connection::open(path).expect("can be opened");
    sql(&writer, "BEGIN IMMEDIATE");
    WRITER.set(Some((writer, format!("{statements}; COMMIT"))));
    let mut connection = Connection::open(path).expect("can be opened");
    let while_waiting = |_| match WRITER.take() {
        Some((writer, statements)) => {
            sql(&writer, &statements);
            true
        }
        None => false,
    };
    let set = connection.busy_handler(Some(while_waiting));
    set.expect("a busy handler can be set");
    connection
}

/// A history over a [`connection_with_writer`].
pub fn history_with_writer(database: &Database, statements: &str) -> SessionHistory {
    SessionHistory::over(connection_with_writer(&database.path(), statements))
}

/// A history in memory with these sessions, set up like a [`Database`].
pub fn in_memory(sessions: &[Session]) -> SessionHistory {
    in_memory_with(sessions, "")
}

/// The same, where a query without `ORDER BY` gets its rows in reverse.
pub fn in_reverse(sessions: &[Session]) -> SessionHistory {
    in_memory_with(sessions, "PRAGMA reverse_unordered_selects = ON")
}

fn in_memory_with(sessions: &[Session], setting: &str) -> SessionHistory {
    let connection = Connection::open_in_memory().expect("a database in memory");
    set_up(&connection, sessions);
    sql(&connection, &format!("PRAGMA foreign_keys = ON; {setting}"));
    SessionHistory::over(connection)
}

fn set_up(connection: &Connection, sessions: &[Session]) {
    for step in MIGRATIONS {
        sql(connection, step);
    }
    set_header(connection, APPLICATION_ID, MIGRATIONS.len() as i64);
    for session in sessions {
        insert(connection, session);
    }
}

fn insert(connection: &Connection, session: &Session) {
    let row = (
        &session.session_id,
        &session.agent_name,
        &session.model,
        session.started_at.to_rfc3339(),
        session.ended_at.map(|time| time.to_rfc3339()),
        session.usage.map(|usage| json!(usage).to_string()),
    );
    let statement = "INSERT INTO sessions
                     (session_id, agent_name, model, started_at, ended_at, usage)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection.execute(statement, row).expect("a new session");
    let key = connection.last_insert_rowid();
    for (position, message) in session.messages.iter().enumerate() {
        let text = message.content.as_deref().unwrap_or_default();
        let row = (key, position as i64, json_line(message), text);
        let statement = "INSERT INTO messages (session, position, message, words)
                         VALUES (?1, ?2, ?3, ?4)";
        connection.execute(statement, row).expect("a new message");
    }
}

/// The messages of a session as the database stores them, in the order of their positions.
pub fn stored_messages(connection: &Connection, session_id: &str) -> Vec<ChatMessage> {
    let query = "SELECT message FROM messages WHERE session =
                 (SELECT id FROM sessions WHERE session_id = ?1) ORDER BY position";
    let mut statement = connection.prepare(query).expect("the table exists");
    let rows = statement.query_map([session_id], |row| row.get::<_, String>(0));
    rows.expect("messages can be read")
        .map(|json| serde_json::from_str(&json.expect("a text")).expect("a message"))
        .collect()
}

pub fn sql(connection: &Connection, statements: &str) {
    let done = connection.execute_batch(statements);
    done.unwrap_or_else(|error| panic!("the test's own SQL failed: {statements}: {error}"));
}

pub fn query_number(connection: &Connection, query: &str) -> i64 {
    let answer = connection.query_row(query, [], |row| row.get(0));
    answer.unwrap_or_else(|error| panic!("`{query}` failed: {error}"))
}

pub fn set_header(connection: &Connection, application_id: i64, version: i64) {
    let pragmas =
        format!("PRAGMA application_id = {application_id}; PRAGMA user_version = {version}");
    sql(connection, &pragmas);
}

#[track_caller]
pub fn open(path: &Path) -> SessionHistory {
    match SessionHistory::open(path) {
        Ok(history) => history,
        Err(error) => panic!("this history should open, but: {error} ({error:?})"),
    }
}

#[track_caller]
pub fn create(history: &mut SessionHistory, session: &Session) -> Cursor {
    match history.create(session) {
        Ok(cursor) => cursor,
        Err(error) => panic!("this session should be stored, but: {error} ({error:?})"),
    }
}

#[track_caller]
pub fn load(history: &SessionHistory, session_id: &str) -> Session {
    match history.load(session_id) {
        Ok(session) => session,
        Err(error) => panic!("session {session_id} should load, but: {error} ({error:?})"),
    }
}

/// Fails with `rule` unless both sessions are equal, and shows the first message or field that
/// differs.
#[track_caller]
pub fn assert_session(rule: &str, got: &Session, expected: &Session) {
    assert_messages(rule, &got.messages, &expected.messages);
    let (got_json, expected_json) = (to_json(got), to_json(expected));
    for (field, expected) in expected_json.as_object().into_iter().flatten() {
        let got = &got_json[field];
        assert!(
            got == expected,
            "{rule}\n      got `{field}`: {got}\n expected `{field}`: {expected}"
        );
    }
    assert!(got == expected, "{rule}\n got: {got_json}");
}

/// Fails with `rule` unless both lists are equal, and shows the first message that differs.
#[track_caller]
pub fn assert_messages(rule: &str, got: &[ChatMessage], expected: &[ChatMessage]) {
    let count = got.len().max(expected.len());
    let differs = |index: &usize| got.get(*index) != expected.get(*index);
    if let Some(index) = (0..count).find(differs) {
        let show = |messages: &[ChatMessage]| {
            let message = messages
                .get(index)
                .map(|message| to_json(message).to_string());
            message.unwrap_or_else(|| "none".to_string())
        };
        panic!(
            "{rule}\n      got message {index}: {}\n expected message {index}: {}",
            show(got),
            show(expected)
        );
    }
}

/// Fails with `rule` unless the result is an error whose `Debug` text begins with `expected`.
#[track_caller]
pub fn assert_error<T>(rule: &str, result: Result<T, HistoryError>, expected: &str) {
    match result {
        Ok(_) => panic!("{rule}: expected `{expected}`, but there was no error"),
        Err(error) => assert!(
            format!("{error:?}").starts_with(expected),
            "{rule}: expected `{expected}`, got `{error:?}`"
        ),
    }
}

/// Fails unless the result is the error for the session `nobody`, which does not exist.
#[track_caller]
pub fn assert_not_found<T>(result: Result<T, HistoryError>) {
    assert_error(
        "there is no session `nobody`",
        result,
        "NotFound(\"nobody\")",
    );
}

/// The variable with the argument of a child process.
const CHILD_ARGUMENT: &str = "CLAW_TEST_CH20_CHILD";

/// The path that [`child`] passed to this process. `None` if this is not a child process.
pub fn child_argument() -> Option<PathBuf> {
    std::env::var_os(CHILD_ARGUMENT).map(PathBuf::from)
}

/// A command that runs one test of this chapter, such as `s02_json_lines::test_name`, in
/// another process, where [`child_argument`] is `argument`. With a `wrapper`, that program
/// gets the command as its last arguments.
pub fn child(test: &str, argument: &Path, wrapper: &[&str]) -> Command {
    let program = std::env::current_exe().expect("this test program is a file");
    let mut command = match wrapper {
        [] => Command::new(program),
        [wrapper, arguments @ ..] => {
            let mut command = Command::new(wrapper);
            command.args(arguments).arg(program);
            command
        }
    };
    let test = format!("ch20::{test}");
    command.args(["--exact", &test, "--nocapture"]);
    command.env(CHILD_ARGUMENT, argument);
    command
}

/// Runs a [`child`] until it ends. The error is what it printed to standard error.
pub fn run(mut child: Command) -> Result<(), String> {
    let output = child.output().expect("a child process can be started");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.contains("running 1 test\n"),
        "no test has the child's path: {stdout}"
    );
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

pub fn session(id: &str, messages: usize) -> Session {
    let json = json!({
        "session_id": id, "agent_name": "coder", "model": "claude",
        "messages": talk(messages), "started_at": "2026-01-02T03:04:05.678Z"
    });
    serde_json::from_value(json).expect("a session")
}

pub fn session_of(id: &str, messages: Vec<ChatMessage>) -> Session {
    Session {
        messages,
        ..session(id, 0)
    }
}

/// This many messages, no two of them equal.
pub fn talk(count: usize) -> Vec<ChatMessage> {
    let message = |number| match number % 2 {
        0 => ChatMessage::user(format!("message {number}")),
        _ => ChatMessage::assistant(format!("message {number}, answered")),
    };
    (0..count).map(message).collect()
}

pub fn user(text: &str) -> ChatMessage {
    ChatMessage::user(text)
}

pub fn calls(ids: &[&str]) -> ChatMessage {
    let calls = ids.iter().map(|id| ToolCall::new(*id, "bash", "{}"));
    ChatMessage {
        tool_calls: Some(calls.collect()),
        ..ChatMessage::new(Role::Assistant)
    }
}

pub fn result(id: &str) -> ChatMessage {
    ChatMessage::tool_result(id, "done")
}

pub fn usage(input: u64, output: u64) -> Usage {
    Usage {
        input,
        output,
        ..Usage::default()
    }
}

/// A message that JSON cannot represent: a duration is infinite.
pub fn unwritable() -> ChatMessage {
    ChatMessage {
        tool_metadata: Some(ToolExecutionMetadata {
            success: true,
            duration_ms: f64::INFINITY,
            tool_name: "bash".into(),
            arguments: "{}".into(),
            other: Map::new(),
        }),
        ..result("a")
    }
}

/// Messages that can be written as JSON, but not read again: the arguments of a call are
/// nested too deeply, once by one level and once by far, and then an unknown field.
pub fn unreadable() -> Vec<ChatMessage> {
    let levels: Vec<usize> = (1..200).collect();
    let readable = levels.partition_point(|levels| can_be_read(&nested_arguments(*levels)));
    let first = *levels.get(readable).expect("JSON readers have a limit");
    let mut unknown = user("fine");
    unknown.other.insert("new".into(), nested_lists(400));
    let messages = vec![nested_arguments(first), nested_arguments(400), unknown];
    assert!(!messages.iter().any(can_be_read));
    messages
}

/// A signed thought and a call whose arguments contain this many lists inside each other.
pub fn nested_arguments(levels: usize) -> ChatMessage {
    let thought = json!({ "type": "thinking", "thinking": "Hm.", "signature": "seal" });
    let mut call = block(&call_block("a"));
    // Not through `block`, which could not read the deepest ones.
    if let UnifiedContentBlock::ToolUse { input, .. } = &mut call {
        *input = json!({ "path": nested_lists(levels) });
    }
    ChatMessage::from_blocks(Role::Assistant, vec![block(&thought), call])
}

fn nested_lists(levels: usize) -> Value {
    // Not `json!([inner])`, which copies what is inside.
    (0..levels).fold(json!(1), |inner, _| Value::Array(vec![inner]))
}

fn can_be_read(message: &ChatMessage) -> bool {
    serde_json::from_str::<ChatMessage>(&json_line(message)).is_ok()
}

/// A message with these blocks and no other content.
pub fn raw(role: Role, blocks: &[Value]) -> ChatMessage {
    ChatMessage {
        raw_content_blocks: Some(blocks.iter().map(block).collect()),
        ..ChatMessage::new(role)
    }
}

pub fn block(block: &Value) -> UnifiedContentBlock {
    serde_json::from_value(block.clone()).expect("a block")
}

pub fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub fn call_block(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "bash", "input": {} })
}

pub fn result_block(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": "done" })
}

pub fn json_line(message: &ChatMessage) -> String {
    serde_json::to_string(message).expect("the message can be written") + "\n"
}

pub fn json_lines(messages: &[ChatMessage]) -> String {
    messages.iter().map(json_line).collect()
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

pub fn read_bytes(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file can be read")
}

pub fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|it| it.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
