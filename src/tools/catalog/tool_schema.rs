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
    todo!("tool-schemas-for-three-apis: write tool_schema")
}

impl Registry {
    /// All tools in the format of this API, sorted by name. Equal registries produce equal
    /// lists, byte for byte.
    pub fn schemas(&self, api: Api) -> Vec<Value> {
        todo!("tool-schemas-for-three-apis: write Registry::schemas")
    }
}
