//! The configuration of a model over the Responses API.

use crate::provider::OpenAiConfig;

/// The server, the model, and the settings of every request.
#[derive(Clone)]
pub struct ResponsesConfig {
    /// The server, the key, the model's name and the timeouts. The base URL is the part
    /// before `/responses`. The key is sent as a bearer token.
    pub connection: OpenAiConfig,
    /// The provider name in replies. Thinking of other providers is not sent.
    pub provider: String,
}

impl ResponsesConfig {
    /// A configuration for a server and a model, without a key and with chapter 2's timeouts.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            connection: OpenAiConfig::new(base_url, model),
            provider: "openai".to_string(),
        }
    }
}
