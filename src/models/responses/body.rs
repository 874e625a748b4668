//! The body of a request to the Responses API.

use serde_json::{Value, json};

use super::ResponsesConfig;
use crate::agent::{ModelRequest, ThinkingLevel};
use crate::chat::{from_agent, to_input};
use crate::provider::ProviderError;
use crate::tools::{Api, tool_schema};

/// The body of a streamed request.
///
/// - `store` is false: each request sends the whole conversation, and the server keeps
///   nothing.
/// - `instructions` is the prompt, if there is one.
/// - `input` is the conversation, converted by [`from_agent`] and [`to_input`].
/// - `tools` is present only if there are tools, and `max_output_tokens` only if the request
///   sets a limit.
/// - `reasoning` asks for an [effort](reasoning_effort) and, with `auto`, for a `summary`.
///   `include` asks for the encrypted thinking, `reasoning.encrypted_content`, which later
///   requests must send back. With thinking off, both are left out, since some models reject
///   them.
///
/// There is no cache setting: this API decides on its own.
pub fn responses_body(
    config: &ResponsesConfig,
    request: &ModelRequest<'_>,
) -> Result<Value, ProviderError> {
    let chat = from_agent(request.messages, Api::Responses, &config.provider);
    let input = to_input(&chat);
    let input = input.map_err(|error| ProviderError::BadRequest(error.to_string()))?;
    let mut body = json!({
        "model": config.connection.model,
        "stream": true,
        "store": false,
        "input": input,
    });
    if !request.system.text.trim().is_empty() {
        body["instructions"] = json!(request.system.text);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter();
        body["tools"] = tools
            .map(|tool| tool_schema(Api::Responses, tool))
            .collect();
    }
    if let Some(tokens) = request.max_tokens {
        body["max_output_tokens"] = json!(tokens);
    }
    if let Some(effort) = reasoning_effort(request.thinking) {
        body["reasoning"] = json!({ "effort": effort, "summary": "auto" });
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    Ok(body)
}

/// The API's name for a level: the level in lower case. `None` for [`ThinkingLevel::Off`].
pub fn reasoning_effort(level: ThinkingLevel) -> Option<&'static str> {
    match level {
        ThinkingLevel::Off => None,
        ThinkingLevel::Minimal => Some("minimal"),
        ThinkingLevel::Low => Some("low"),
        ThinkingLevel::Medium => Some("medium"),
        ThinkingLevel::High => Some("high"),
    }
}
