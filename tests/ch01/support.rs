//! Helpers for chapter 1.
//!
//! The tests use only the public types. They see the fields and variants that a learner
//! adds as JSON, so that they compile before those exist.

use async_trait::async_trait;
use claw_code::types::*;
use serde_json::{Value, json};

pub use crate::support::*;

/// A tool that implements only the required methods.
pub struct MinimalTool(pub ToolDefinition);

impl MinimalTool {
    pub fn named(name: &'static str) -> Self {
        Self::new(name, "A tool for tests")
    }

    /// Makes the definition without section 1.6, so that tests of the trait don't need it.
    pub fn new(name: &'static str, description: &'static str) -> Self {
        Self(ToolDefinition {
            name,
            description,
            parameters: json!({ "type": "object", "properties": {}, "required": [] }),
        })
    }
}

#[async_trait]
impl Tool for MinimalTool {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text("done"))
    }
}

/// A read-only tool that checks its arguments and counts the lines of a file.
pub struct CountLinesTool(ToolDefinition);

impl Default for CountLinesTool {
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
impl Tool for CountLinesTool {
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

/// Loads a message and checks that it is written back as `written`.
#[track_caller]
pub fn assert_loads_as(json: Value, written: Value) {
    assert_json(
        "the message loaded, but its JSON is different when it is written back",
        &to_json(&from_json::<Message>(&json)),
        &written,
    );
}

/// Checks that a message's JSON loads and is written back unchanged.
#[track_caller]
pub fn assert_round_trip(json: Value) {
    assert_loads_as(json.clone(), json);
}

/// Checks that a message's id comes from `new_id()`.
#[track_caller]
pub fn assert_is_new_id(id: &str) {
    assert!(
        uuid::Uuid::parse_str(id).is_ok(),
        "a constructor should take the message's id from new_id(); the id is {id:?}"
    );
}

/// A text with white space at both ends, a tab, both kinds of line ends, and more than 1,000
/// characters.
pub fn long_text() -> String {
    format!("  one\r\n\ttwo\n{}\n", "three ".repeat(200))
}
