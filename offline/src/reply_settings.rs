//! What a request asks of the form of its reply. The rule model keeps to it; a scripted
//! reply is sent as the script has it.

use serde_json::Value;

/// The settings of a request for its reply.
#[derive(Debug, Default)]
pub(crate) struct ReplySettings {
    /// The most output tokens.
    pub(crate) max_tokens: Option<u64>,
    /// The text ends before the first of these.
    pub(crate) stop_sequences: Vec<String>,
    pub(crate) tool_choice: ToolChoice,
    /// The form of the final text, `None` for plain text.
    pub(crate) json_format: Option<JsonFormat>,
}

/// Which tools a reply may or must call.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum ToolChoice {
    /// Any number of calls, or none.
    #[default]
    Auto,
    /// No call.
    None,
    /// At least one call.
    Required,
    /// Only calls of this tool, and at least one.
    Tool(String),
}

/// A form of JSON.
#[derive(Debug)]
pub(crate) enum JsonFormat {
    /// Any object.
    Object,
    /// A value that fits this JSON Schema.
    Schema(Value),
}
