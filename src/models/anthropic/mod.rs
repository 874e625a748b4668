//! A model over the Messages API.

mod body;
mod config;
mod reader;

pub use body::*;
pub use config::*;
pub use reader::*;

use async_trait::async_trait;

use crate::agent::{DeltaSender, LanguageModel, Message, ModelRequest};
use crate::models::http_request::ask;
use crate::provider::{OpenAiProvider, ProviderError};

/// The API version of the requests, sent as `anthropic-version`.
const VERSION: &str = "2023-06-01";

/// A model over the Messages API. It makes one attempt per request. Wrap it in a
/// [`RetryingModel`](crate::models::RetryingModel) for retries.
pub struct AnthropicModel {
    client: OpenAiProvider,
    config: AnthropicConfig,
}

impl AnthropicModel {
    /// Creates a client with this configuration. The error names a setting that cannot be
    /// used. No request is sent yet.
    pub fn new(config: AnthropicConfig) -> Result<Self, ProviderError> {
        todo!("requests-over-tcp: write AnthropicModel::new")
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
        todo!("requests-over-tcp: write AnthropicModel::stream")
    }
}
