//! Histories and event logs of other programs: each line of `wild/` loads and comes back
//! equal, whatever kinds and fields it has that this program does not know.

use claw_code_solutions::agent::{AgentEvent, AgentMessage};
use claw_code_solutions::chat::ChatMessage;
use claw_code_solutions::session::{Session, SessionHistory, parse_jsonl};
use claw_code_solutions::{transcript, types};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const AGENT: &str = include_str!("wild/agent.jsonl");
const EVENTS: &str = include_str!("wild/events.jsonl");
const TRANSCRIPT: &str = include_str!("wild/transcript.jsonl");
const CHAT: &str = include_str!("wild/chat.jsonl");

#[test]
fn agent_histories_come_back_equal() {
    assert_equal::<AgentMessage>(AGENT);
}

#[test]
fn event_logs_come_back_equal() {
    let events = assert_equal::<AgentEvent>(EVENTS);
    let unknown = events.iter().filter(|event| event.known().is_none());
    assert_eq!(
        unknown.count(),
        3,
        "the events whose types only other programs have"
    );
}

#[test]
fn transcripts_come_back_equal() {
    assert_equal::<transcript::AgentMessage>(TRANSCRIPT);
}

#[test]
fn chat_histories_come_back_equal() {
    assert_equal::<ChatMessage>(CHAT);
}

#[test]
fn chat_histories_come_back_equal_from_the_database() {
    let messages = parse_jsonl(CHAT.as_bytes()).expect("lines of chat messages");
    let session = Session {
        messages: messages.messages,
        ..Session::new("coder", "model")
    };
    let mut history = SessionHistory::in_memory().expect("a new history");
    history.create(&session).expect("the session can be stored");
    let loaded = history.load(&session.session_id).expect("it can be loaded");
    for (line, message) in CHAT.lines().zip(loaded.messages) {
        assert_json_equal(line, &message);
    }
}

#[test]
fn the_vocabulary_of_chapter_1_is_closed() {
    for unknown in ["Audio", "user"] {
        let message = format!(r#"{{"type":"{unknown}","id":"m1","content":"Hi."}}"#);
        let error = serde_json::from_str::<types::Message>(&message)
            .expect_err("a type that chapter 1 does not know");
        assert!(
            error.to_string().contains(unknown),
            "the error names the type: {error}"
        );
    }
}

/// Reads each line, and compares what is written for it.
fn assert_equal<T: Serialize + DeserializeOwned>(lines: &str) -> Vec<T> {
    let read = lines.lines().map(|line| {
        let value: T = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("this line does not load: {line}\n{error}"));
        assert_json_equal(line, &value);
        value
    });
    read.collect()
}

/// Compares JSON values. An absent key and one that is `null` are equal.
fn assert_json_equal(line: &str, value: &impl Serialize) {
    let mut read: Value = serde_json::from_str(line).expect("a line of JSON");
    let mut written = serde_json::to_value(value).expect("it can be written");
    drop_null(&mut read);
    drop_null(&mut written);
    assert_eq!(written, read, "this line came back changed: {line}");
}

fn drop_null(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(drop_null);
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_null),
        _ => {}
    }
}
