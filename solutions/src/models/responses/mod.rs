//! A model over the Responses API.

mod body;
mod reader;

pub use body::*;
pub use reader::*;

use async_trait::async_trait;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::models::http_request::ask;
use crate::provider::{OpenAiConfig, OpenAiProvider, ProviderError};

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

/// A model over the Responses API. It makes one attempt per request. Wrap it in a
/// [`RetryingModel`](crate::models::RetryingModel) for retries.
pub struct ResponsesModel {
    line: OpenAiProvider,
    config: ResponsesConfig,
}

impl ResponsesModel {
    /// Creates a client with this configuration. The error names a setting that cannot be
    /// used. No request is sent yet.
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
