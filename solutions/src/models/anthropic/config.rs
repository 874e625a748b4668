//! The configuration of a model over the Messages API.

use crate::provider::OpenAiConfig;

/// The server, the model, and the settings of every request.
#[derive(Clone)]
pub struct AnthropicConfig {
    /// The server, the key, the model's name and the timeouts. The base URL is the part
    /// before `/v1/messages`. The key is trimmed and sent as `x-api-key`.
    pub connection: OpenAiConfig,
    /// The provider name in replies. Thinking of other providers is not sent.
    pub provider: String,
    /// The maximum number of tokens in a reply if the request sets none. The API requires a
    /// number.
    pub max_tokens: u64,
}

impl AnthropicConfig {
    /// A configuration for a server and a model, without a key and with chapter 2's timeouts.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            connection: OpenAiConfig::new(base_url, model),
            provider: "anthropic".to_string(),
            max_tokens: 32_000,
        }
    }
}
