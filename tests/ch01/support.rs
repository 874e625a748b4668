//! Chapter 1, Messages & Types.
//!
//! What a section asks for is tested through the public types alone. Fields and
//! variants that you add yourself are seen through JSON, so nothing here names them.

pub use crate::support::*;
use async_trait::async_trait;
use claw_code::types::*;
use serde_json::{Value, json};

/// A tool that implements no more than it must.
pub struct Plain(pub ToolDefinition);

impl Plain {
    pub fn named(name: &'static str) -> Self {
        Self::new(name, "Does as it is told")
    }

    /// Made by hand, so that a test of the trait needs none of section 1.6.
    pub fn new(name: &'static str, description: &'static str) -> Self {
        Self(ToolDefinition {
            name,
            description,
            parameters: json!({ "type": "object", "properties": {}, "required": [] }),
        })
    }
}

#[async_trait]
impl Tool for Plain {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text("done"))
    }
}

/// A tool that does real work: it counts the lines of a file.
pub struct CountLines(pub ToolDefinition);

impl Default for CountLines {
    fn default() -> Self {
        Self(ToolDefinition {
            name: "count_lines",
            description: "Count the lines of a file",
            parameters: json!({
                "type": "object",
                "properties": { "path": { "type": "string", "description": "The file" } },
                "required": ["path"]
            }),
        })
    }
}

#[async_trait]
impl Tool for CountLines {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let path = args["path"].as_str().unwrap_or_default();
        Ok(match std::fs::read_to_string(path) {
            Ok(text) => ToolResult::text(text.lines().count().to_string()),
            Err(_) => ToolResult::error(format!("cannot read {path}")),
        })
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        if args["path"].is_string() {
            ValidationResult::Ok
        } else {
            ValidationResult::Error {
                message: "`path` must be a string".to_string(),
                code: 1,
            }
        }
    }

    fn is_read_only(&self) -> bool {
        true
    }
}

#[track_caller]
pub fn from_json<T: serde::de::DeserializeOwned>(json: Value) -> T {
    match serde_json::from_value(json.clone()) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {json}\nserde says: {error}"),
    }
}

#[track_caller]
pub fn load(json: &Value) -> Message {
    match serde_json::from_value(json.clone()) {
        Ok(message) => message,
        Err(error) => panic!("this JSON should load as a Message: {json}\nserde says: {error}"),
    }
}

/// Loads a message and expects it to be written back as `written`.
#[track_caller]
pub fn assert_loads_as(json: Value, written: Value) {
    let back = to_json(&load(&json));
    assert_json(
        "the message loaded, but is not written back as expected",
        &back,
        &written,
    );
}

#[track_caller]
pub fn assert_round_trip(json: Value) {
    assert_loads_as(json.clone(), json);
}

#[track_caller]
pub fn assert_is_new_id(id: &str) {
    assert!(
        uuid::Uuid::parse_str(id).is_ok(),
        "a constructor takes the message's id from new_id(); this one set {id:?}"
    );
}
