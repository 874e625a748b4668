//! Tool schemas in the formats of the three APIs.

use serde_json::{Value, json};

use crate::provider::wire_tool;
use crate::tools::{Registry, is_strict};
use crate::types::ToolDefinition;

/// An API and its format for tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// `POST /v1/chat/completions`
    ChatCompletions,
    /// `POST /v1/responses`
    Responses,
    /// `POST /v1/messages`
    Messages,
}

/// An entry for the `tools` of a request:
///
/// - Chat Completions: the output of [`wire_tool`].
/// - Responses: `{"type": "function", "name", "description", "parameters", "strict"}`,
///   with the result of [`is_strict`] as `strict`. In this API, a missing `strict` does not
///   mean `false`.
/// - Messages: `{"name", "description", "input_schema"}`.
pub fn tool_schema(api: Api, tool: &ToolDefinition) -> Value {
    match api {
        Api::ChatCompletions => wire_tool(tool),
        Api::Responses => json!({
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
            "strict": is_strict(&tool.parameters),
        }),
        Api::Messages => json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.parameters,
        }),
    }
}

impl Registry {
    /// All tools in the format of this API, sorted by name. Equal registries produce equal
    /// lists, byte for byte.
    pub fn schemas(&self, api: Api) -> Vec<Value> {
        let definitions = self.definitions().into_iter();
        definitions.map(|tool| tool_schema(api, tool)).collect()
    }
}
