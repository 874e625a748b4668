//! The Responses API as an agent's model.

mod body;
mod reader;

pub use body::*;
pub use reader::*;

use async_trait::async_trait;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::models::http_request::ask;
use crate::provider::{OpenAiConfig, OpenAiProvider, ProviderError};

/// Where the model is, and what every request says.
#[derive(Clone)]
pub struct ResponsesConfig {
    /// The server, the key, the model's name and how long to wait. The base URL is what
    /// stands before `/responses`; the key is sent as a bearer token.
    pub connection: OpenAiConfig,
    /// The name that replies bear. Thoughts of other providers are not sent.
    pub provider: String,
}

impl ResponsesConfig {
    /// A server and a model, without a key and with chapter 2's timeouts.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            connection: OpenAiConfig::new(base_url, model),
            provider: "openai".to_string(),
        }
    }
}

/// One model behind the Responses API. Makes one attempt:
/// [`RetryingModel`](crate::models::RetryingModel) makes more.
pub struct ResponsesModel {
    line: OpenAiProvider,
    config: ResponsesConfig,
}

impl ResponsesModel {
    /// A client with this configuration. An error says what of it cannot be used; the
    /// server is not asked yet.
    pub fn new(config: ResponsesConfig) -> Result<Self, ProviderError> {
        Ok(Self {
            line: OpenAiProvider::with_path(config.connection.clone(), "responses")?,
            config,
        })
    }
}

#[async_trait]
impl LanguageModel for ResponsesModel {
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
        let body = responses_body(&self.config, request)?;
        let reply = ask(&self.line, &body, ResponsesReader::default(), deltas).await?;
        Ok(reply.message(self))
    }
}
