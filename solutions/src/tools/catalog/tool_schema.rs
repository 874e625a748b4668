//! A tool as each of the three APIs wants it.

use serde_json::{Value, json};

use crate::provider::wire_tool;
use crate::tools::{Registry, is_strict};
use crate::types::ToolDefinition;

/// Whose form it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// `POST /v1/chat/completions`
    ChatCompletions,
    /// `POST /v1/responses`
    Responses,
    /// `POST /v1/messages`
    Messages,
}

/// One tool for the `tools` of a request:
///
/// - Chat Completions: as [`wire_tool`] writes it.
/// - Responses: `{"type": "function", "name", "description", "parameters", "strict"}`,
///   with `strict` as [`is_strict`] says. Left out, it does not mean `false` there.
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
    /// All tools as this API wants them, in the order of the names. Equal registries
    /// have equal lists, to the byte.
    pub fn schemas(&self, api: Api) -> Vec<Value> {
        let definitions = self.definitions().into_iter();
        definitions.map(|tool| tool_schema(api, tool)).collect()
    }
}
