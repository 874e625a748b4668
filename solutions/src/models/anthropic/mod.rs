//! A model over the Messages API.

mod body;
mod reader;

pub use body::*;
pub use reader::*;

use async_trait::async_trait;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::models::http_request::ask;
use crate::provider::{OpenAiConfig, OpenAiProvider, ProviderError};

/// The API version of the requests, sent as `anthropic-version`.
const VERSION: &str = "2023-06-01";

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

/// A model over the Messages API. It makes one attempt per request. Wrap it in a
/// [`RetryingModel`](crate::models::RetryingModel) for retries.
pub struct AnthropicModel {
    line: OpenAiProvider,
    config: AnthropicConfig,
}

impl AnthropicModel {
    /// Creates a client with this configuration. The error names a setting that cannot be
    /// used. No request is sent yet.
    pub fn new(config: AnthropicConfig) -> Result<Self, ProviderError> {
        let mut connection = config.connection.clone();
        let version = ("anthropic-version".to_string(), VERSION.to_string());
        connection.headers.push(version);
        if let Some(key) = connection.api_key.take() {
            let key = ("x-api-key".to_string(), key.trim().to_string());
            connection.headers.push(key);
        }
        Ok(Self {
            line: OpenAiProvider::with_path(connection, "v1/messages")?,
            config,
        })
    }
}

#[async_trait]
impl LanguageModel for AnthropicModel {
    fn provider(&self) -> &str {
        &self.config.provider
    }

    fn model(&self) -> &str {
        &self.config.connection.model
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let body = messages_body(&self.config, request)?;
        let reply = ask(&self.line, &body, MessagesReader::default(), deltas).await?;
        Ok(reply.message(self))
    }
}
