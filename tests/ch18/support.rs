//! Helpers for the tests of chapter 18, Chat Messages.
//!
//! Tests write messages and blocks as JSON and compare results as JSON. So they do not name
//! the fields and variants that you add yourself.

pub use crate::support::*;
use claw_code::chat::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

pub fn bash_call() -> Value {
    call("call_1", "bash", "{\"command\":\"ls\"}")
}

pub fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub fn image() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" } })
}

pub fn signed(thinking: &str) -> Value {
    json!({ "type": "thinking", "thinking": thinking, "signature": "c2lnbmVk", "redacted": false })
}

pub fn redacted() -> Value {
    json!({ "type": "thinking", "thinking": "", "encrypted_content": "ZW5j", "id": "rs_1", "redacted": true })
}

/// A call of `bash` as a block.
pub fn tool_use(id: &str, input: Value) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "bash", "input": input })
}

pub fn result(id: &str, content: Value) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": content })
}

#[track_caller]
pub fn from_json<T: DeserializeOwned>(json: Value) -> T {
    match serde_json::from_value(json.clone()) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {json}\nserde says: {error}"),
    }
}

/// Asserts that `json` does not load as a `T`, and returns the error.
#[track_caller]
pub fn rejected<T: DeserializeOwned>(json: Value, why: &str) -> String {
    match serde_json::from_value::<T>(json.clone()) {
        Ok(_) => panic!("this JSON loaded: {json}\nit should be rejected: {why}"),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
pub fn assert_round_trip<T: DeserializeOwned + Serialize>(json: Value) {
    let back = to_json(&from_json::<T>(json.clone()));
    assert_json("the JSON loaded, but is written differently", &back, &json);
}

/// Asserts the result of to_blocks() for a message.
#[track_caller]
pub fn assert_blocks(why: &str, message: Value, blocks: Value) {
    let silent = from_json::<ChatMessage>(json!({ "role": "assistant" }));
    assert!(
        silent.to_blocks().is_ok_and(|blocks| blocks.is_empty()),
        "an empty message has no blocks"
    );
    match from_json::<ChatMessage>(message.clone()).to_blocks() {
        Ok(made) => assert_json(
            &format!("{why}\n the message: {message}"),
            &to_json(&made),
            &blocks,
        ),
        Err(error) => panic!("{why}\nto_blocks() gave an error: {error}\n the message: {message}"),
    }
}
