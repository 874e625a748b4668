//! The body of a request to the Responses API.

use serde_json::{Value, json};

use crate::agent::{ModelRequest, ThinkingLevel};
use crate::chat::{from_agent, to_input};
use crate::models::responses::ResponsesConfig;
use crate::provider::ProviderError;
use crate::tools::{Api, tool_schema};

/// The body of a streamed request.
///
/// - `store` is false: the conversation is sent whole each time, and nothing of it is left
///   on the server.
/// - `instructions` is the prompt, if there is one.
/// - `input` is the conversation, by [`from_agent`] and [`to_input`].
/// - `tools` is there only if there are any, and `max_output_tokens` only if the request
///   says how many.
/// - `reasoning` asks for the [effort](reasoning_effort) and, by the word `auto`, a `summary`;
///   `include` asks for the thoughts in encrypted form, `reasoning.encrypted_content`, without which they could not be sent back. A request
///   whose level is off has neither: not every model takes them.
///
/// How to cache is not said: this API decides that itself.
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

/// The API's word for a level, which is its name in lower case; `None` for [`ThinkingLevel::Off`].
pub fn reasoning_effort(level: ThinkingLevel) -> Option<&'static str> {
    match level {
        ThinkingLevel::Off => None,
        ThinkingLevel::Minimal => Some("minimal"),
        ThinkingLevel::Low => Some("low"),
        ThinkingLevel::Medium => Some("medium"),
        ThinkingLevel::High => Some("high"),
    }
}
