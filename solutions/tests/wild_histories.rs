//! Histories and event logs of other programs: each line of `wild/` loads and comes back
//! equal, whatever kinds and fields it has that this program does not know.

use claw_code_solutions::agent::{AgentEvent, AgentMessage};
use claw_code_solutions::chat::ChatMessage;
use claw_code_solutions::session::{Session, SessionHistory, parse_jsonl};
use claw_code_solutions::{transcript, types};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

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

/// JSON has one type of number. The field is an `f64`, which is written as `12.0`.
#[test]
fn a_whole_duration_comes_back_as_the_same_number() {
    let line = CHAT.lines().find(|line| line.contains("12.5"));
    let line = line.expect("a duration of 12.5").replace("12.5", "12");
    let message: ChatMessage = serde_json::from_str(&line).expect("it loads");
    let written = serde_json::to_value(&message).expect("it can be written");
    assert_eq!(written["tool_metadata"]["duration_ms"].as_f64(), Some(12.0));
}

#[test]
fn an_unknown_field_in_any_object_comes_back() {
    in_every_object::<AgentMessage>(AGENT);
    in_every_object::<AgentEvent>(EVENTS);
    in_every_object::<transcript::AgentMessage>(TRANSCRIPT);
    in_every_object::<ChatMessage>(CHAT);
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

/// Adds an unknown field to one object of each line, in turn for every object.
fn in_every_object<T: Serialize + DeserializeOwned>(lines: &str) {
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).expect("a line of JSON");
        let mut paths = Vec::new();
        add_object_paths(&value, "", &mut paths);
        for path in paths {
            let mut value = value.clone();
            let object = value.pointer_mut(&path).expect("the path of an object");
            object["unknown_field"] = json!({ "a": [1, null] });
            assert_equal::<T>(&value.to_string());
        }
    }
}

/// Adds the JSON pointer of every object in `value`. An enum that JSON writes as an object with
/// the variant's name has no place for a second field, so its object is left out.
fn add_object_paths(value: &Value, path: &str, paths: &mut Vec<String>) {
    let is_variant = [
        "/delta",
        "/continuation_kind",
        "/config_snapshot/cache_config/strategy",
    ]
    .contains(&path);
    match value {
        Value::Object(fields) => {
            if !is_variant {
                paths.push(path.to_string());
            }
            for (name, value) in fields {
                add_object_paths(value, &format!("{path}/{name}"), paths);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                add_object_paths(value, &format!("{path}/{index}"), paths);
            }
        }
        _ => {}
    }
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
