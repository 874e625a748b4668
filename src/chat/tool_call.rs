//! A call whose arguments are text.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::{Value, json};

use crate::provider::parse_arguments;
use crate::types::ToolResult;

/// The one type of tool call that there is.
const FUNCTION: &str = "function";

/// How much of a model's arguments is quoted back to it, in characters.
const MAX_QUOTED: usize = 200;

/// One tool that the model wants run, as chat histories keep it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Pairs the call with its result, which repeats it as `tool_call_id`.
    pub id: String,
    /// `"type"` in JSON, and always `"function"`: any other type is refused, on reading
    /// and on writing, with an error that names it. A call read without a type is a
    /// function.
    #[serde(
        rename = "type",
        default = "function",
        serialize_with = "write_type",
        deserialize_with = "read_type"
    )]
    pub type_field: String,
    /// What to run.
    pub function: ToolCallFunction,
}

/// The tool that a call names, and what it is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCallFunction {
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them, to the letter: JSON inside a string. They
    /// may be torn, too deep or no JSON at all; see [`parse_arguments`](Self::parse_arguments).
    pub arguments: String,
}

impl ToolCall {
    /// A call of type `"function"`.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        todo!("18.2: write ToolCall::new")
    }
}

impl ToolCallFunction {
    /// The arguments as JSON, always an object. Nothing but white space means none: an
    /// empty object. What counts as JSON, [chapter 2](parse_arguments) decides.
    ///
    /// The error is the call's result, ready to be sent to the model. It names the tool,
    /// says what is wrong and where, and quotes the first 200 characters of the arguments.
    pub fn parse_arguments(&self) -> Result<Value, ToolResult> {
        todo!("18.3: write ToolCallFunction::parse_arguments")
    }
}

/// The words for a kind of JSON value.
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

/// The first [`MAX_QUOTED`] characters of `text`, with `…` behind them if there are more.
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

/// The type, or why it is none.
fn checked_type(type_field: &str) -> Result<&str, String> {
    todo!("18.2: write checked_type")
}

// What could not be read again is not written either: a session that is refused today is
// a mistake somebody sees, and one that does not load tomorrow is lost.
fn write_type<S: Serializer>(type_field: &str, serializer: S) -> Result<S::Ok, S::Error> {
    todo!("18.2: write write_type")
}

fn read_type<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    todo!("18.2: write read_type")
}
