//! A tool call, with its arguments as text.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::{Map, Value, json};

use crate::provider::parse_arguments;
use crate::types::ToolResult;

/// The only type of tool call.
const FUNCTION: &str = "function";

/// The number of characters of invalid arguments that an error quotes.
const MAX_QUOTED: usize = 200;

/// A request to run a tool, as chat histories store it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id of the call. The result has it as `tool_call_id`.
    pub id: String,
    /// `"type"` in JSON, always `"function"`. Reading or writing any other type is an error
    /// that names it. A missing type is read as `"function"`.
    #[serde(
        rename = "type",
        default = "function",
        serialize_with = "write_type",
        deserialize_with = "read_type"
    )]
    pub type_field: String,
    /// The tool and its arguments.
    pub function: ToolCallFunction,
    /// The fields that this program does not know. They are not sent to providers.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The tool of a call, and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCallFunction {
    /// The tool's name.
    pub name: String,
    /// The arguments exactly as the model wrote them: JSON inside a string. They may be cut
    /// off, nested too deeply or not JSON; see [`parse_arguments`](Self::parse_arguments).
    pub arguments: String,
    /// The fields that this program does not know. They are not sent to providers.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl ToolCall {
    /// A call of type `"function"`.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        todo!("tool-calls-with-arguments-as-text: write ToolCall::new")
    }
}

impl ToolCallFunction {
    /// The arguments as a JSON object. Blank arguments are an empty object; all others are
    /// parsed by chapter 2's [`parse_arguments`].
    ///
    /// The error is the call's result, ready for the model. It names the tool, says what is
    /// wrong and where, asks for one JSON object, and quotes the first 200 characters of the
    /// arguments.
    pub fn parse_arguments(&self) -> Result<Value, ToolResult> {
        todo!("arguments-that-may-be-incomplete: write ToolCallFunction::parse_arguments")
    }
}

/// A description of a value's JSON type, for an error.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The first [`MAX_QUOTED`] characters of `text`, followed by `…` if there are more.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// [`FUNCTION`], for the field of a call.
fn function() -> String {
    FUNCTION.to_string()
}

/// The type, or an error if it is not [`FUNCTION`].
fn checked_type(type_field: &str) -> Result<&str, String> {
    todo!("tool-calls-with-arguments-as-text: write checked_type")
}

// A type that could not be read again is not written either. An error on saving is visible at
// once; a session that does not load later is lost.
fn write_type<S: Serializer>(type_field: &str, serializer: S) -> Result<S::Ok, S::Error> {
    todo!("tool-calls-with-arguments-as-text: write write_type")
}

fn read_type<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    todo!("tool-calls-with-arguments-as-text: write read_type")
}
