//! The Messages API as an agent's model.

mod body;
mod reader;

pub use body::*;
pub use reader::*;

use async_trait::async_trait;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::models::http_request::ask;
use crate::provider::{OpenAiConfig, OpenAiProvider, ProviderError};

/// The version of the API that is spoken here, sent as `anthropic-version`.
const VERSION: &str = "2023-06-01";

/// Where the model is, and what every request says.
#[derive(Clone)]
pub struct AnthropicConfig {
    /// The server, the key, the model's name and how long to wait. The base URL is what
    /// stands before `/v1/messages`; the key is sent as `x-api-key`, trimmed.
    pub connection: OpenAiConfig,
    /// The name that replies bear. Thoughts of other providers are not sent.
    pub provider: String,
    /// How many tokens a reply may have if the request does not say. The API wants a number.
    pub max_tokens: u64,
}

impl AnthropicConfig {
    /// A server and a model, without a key and with chapter 2's timeouts.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            connection: OpenAiConfig::new(base_url, model),
            provider: "anthropic".to_string(),
            max_tokens: 32_000,
        }
    }
}

/// One model behind the Messages API. Makes one attempt:
/// [`RetryingModel`](crate::models::RetryingModel) makes more.
pub struct AnthropicModel {
    line: OpenAiProvider,
    config: AnthropicConfig,
}

impl AnthropicModel {
    /// A client with this configuration. An error says what of it cannot be used; the
    /// server is not asked yet.
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
