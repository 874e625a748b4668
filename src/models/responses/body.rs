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
    todo!("19.7: write responses_body")
}

/// The API's word for a level, which is its name in lower case; `None` for [`ThinkingLevel::Off`].
pub fn reasoning_effort(level: ThinkingLevel) -> Option<&'static str> {
    todo!("19.7: write reasoning_effort")
}
