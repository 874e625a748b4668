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
    todo!("responses-request-body: write responses_body")
}

/// The API's name for a level: the level in lower case. `None` for [`ThinkingLevel::Off`].
pub fn reasoning_effort(level: ThinkingLevel) -> Option<&'static str> {
    todo!("responses-request-body: write reasoning_effort")
}
