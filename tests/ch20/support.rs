//! Chapter 20, Session History.
//!
//! Most histories here are in memory. Those in files are in a folder of their own for each
//! test, and where another program's database is needed, the test makes it with rusqlite.

pub use crate::support::{from_json, to_json};

use std::fs;
use std::path::Path;

use claw_code::agent::{AgentMessage, Usage};
use claw_code::chat::*;
use claw_code::session::convert::HubMessage;
use claw_code::session::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

/// In memory, where Linux offers that: no test here ends the machine, and waiting for a disk
/// at each commit would take most of the time.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a temporary folder")
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

/// A message that JSON cannot hold.
pub fn unwritable() -> ChatMessage {
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
pub fn deep(levels: usize) -> ChatMessage {
    let nested = (0..levels).fold(json!(1), |inner, _| json!([inner]));
    reply_with(json!({ "path": nested }))
}

/// A signed thought, for which there is no flat field, and a call.
pub fn reply_with(input: Value) -> ChatMessage {
    let thought = json!({ "type": "thinking", "thinking": "Hm.", "signature": "seal" });
    let mut call = block(&call_block("a"));
    if let UnifiedContentBlock::ToolUse { input: empty, .. } = &mut call {
        *empty = input;
    }
    ChatMessage::from_blocks(Role::Assistant, vec![block(&thought), call])
}

/// Messages that can be written as JSON, and that nobody can read again.
pub fn unreadable() -> Vec<ChatMessage> {
    let deepest = (1..200).map(deep).find(|message| !can_be_read(message));
    let messages = [
        deepest.expect("readers of JSON give up at some depth"),
        deep(1000),
    ];
    assert!(!messages.iter().any(can_be_read));
    messages.into()
}

pub fn can_be_read(message: &ChatMessage) -> bool {
    let json = serde_json::to_string(message).expect("can be written");
    serde_json::from_str::<ChatMessage>(&json).is_ok()
}

pub fn block(block: &Value) -> UnifiedContentBlock {
    serde_json::from_value(block.clone()).expect("a block")
}

pub fn call_block(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "bash", "input": {} })
}

pub fn result_block(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": "done" })
}

/// So many messages, each another.
pub fn talk(count: usize) -> Vec<ChatMessage> {
    let message = |number| match number % 2 {
        0 => ChatMessage::user(format!("message {number}")),
        _ => ChatMessage::assistant(format!("message {number}, answered")),
    };
    (0..count).map(message).collect()
}

pub fn session(id: &str, messages: usize) -> Session {
    let json = json!({
        "session_id": id, "agent_name": "coder", "model": "claude",
        "messages": talk(messages), "started_at": "2026-01-02T03:04:05.678Z"
    });
    serde_json::from_value(json).expect("a session")
}

pub fn usage(input: u64, output: u64) -> Usage {
    Usage {
        input,
        output,
        ..Usage::default()
    }
}

pub fn json_line(message: &ChatMessage) -> String {
    serde_json::to_string(message).expect("can be written") + "\n"
}

pub fn lines(messages: &[ChatMessage]) -> String {
    messages.iter().map(json_line).collect()
}

#[track_caller]
pub fn parse(bytes: &[u8]) -> (Vec<ChatMessage>, Option<Vec<u8>>) {
    match parse_jsonl(bytes) {
        Ok(contents) => (contents.messages, contents.torn),
        Err(error) => panic!(
            "{error:#}\nbut only the last line of this is not whole:\n{}",
            String::from_utf8_lossy(bytes)
        ),
    }
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

pub fn read_bytes(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file can be read")
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .expect("the folder can be read")
        .flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub fn sql(connection: &Connection, statements: &str) {
    connection
        .execute_batch(statements)
        .expect("the test's own SQL works");
}

pub fn number(connection: &Connection, question: &str) -> i64 {
    let answer = connection.query_row(question, [], |row| row.get(0));
    answer.unwrap_or_else(|error| panic!("`{question}` gave: {error}"))
}

pub fn mark(connection: &Connection, application_id: i64, version: i64) {
    sql(
        connection,
        &format!("PRAGMA application_id = {application_id}; PRAGMA user_version = {version}"),
    );
}

#[track_caller]
pub fn open(path: &Path) -> SessionHistory {
    match SessionHistory::open(path) {
        Ok(history) => history,
        Err(error) => panic!("this history can be opened, but it gave: {error} ({error:?})"),
    }
}

/// A history that the tests have set up themselves, so that a section is tested by itself.
pub fn in_memory() -> SessionHistory {
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
pub fn assert_not_found<T>(answer: Result<T, HistoryError>) {
    match answer {
        Ok(_) => panic!("there is no session `nobody`, so this is `NotFound`; it gave no error"),
        Err(error) => assert!(
            matches!(&error, HistoryError::NotFound(id) if id == "nobody"),
            "there is no session `nobody`, so this is `NotFound` with that id; it gave {error:?}"
        ),
    }
}

#[track_caller]
pub fn create(history: &mut SessionHistory, session: &Session) -> Cursor {
    match history.create(session) {
        Ok(cursor) => cursor,
        Err(error) => panic!("this session can be stored, but it gave: {error} ({error:?})"),
    }
}

#[track_caller]
pub fn load(history: &SessionHistory, session_id: &str) -> Session {
    match history.load(session_id) {
        Ok(session) => session,
        Err(error) => {
            panic!("session {session_id} is there, but loading gave: {error} ({error:?})")
        }
    }
}

pub fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub fn instructions(content: &str, timestamp: u64) -> HubMessage {
    let content = content.to_string();
    HubMessage::Instructions { content, timestamp }
}

pub fn agent_message(message: Value) -> HubMessage {
    HubMessage::Agent(from_json::<AgentMessage>(&message))
}

pub fn user_message(text: &str, timestamp: u64) -> HubMessage {
    agent_message(json!({ "role": "user", "content": [text_block(text)], "timestamp": timestamp }))
}

pub fn tool_result(id: &str, name: &str, text: &str, is_error: bool) -> HubMessage {
    agent_message(
        json!({ "role": "toolResult", "toolCallId": id, "toolName": name,
        "content": [text_block(text)], "isError": is_error, "timestamp": 0 }),
    )
}
