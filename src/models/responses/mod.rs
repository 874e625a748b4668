//! A model over the Responses API.

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

/// A model over the Responses API. It makes one attempt per request. Wrap it in a
/// [`RetryingModel`](crate::models::RetryingModel) for retries.
pub struct ResponsesModel {
    client: OpenAiProvider,
    config: ResponsesConfig,
}

impl ResponsesModel {
    /// Creates a client with this configuration. The error names a setting that cannot be
    /// used. No request is sent yet.
    pub fn new(config: ResponsesConfig) -> Result<Self, ProviderError> {
        Ok(Self {
            client: OpenAiProvider::with_path(config.connection.clone(), "responses")?,
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
        let reply = ask(&self.client, &body, ResponsesReader::default(), deltas).await?;
        Ok(reply.message(self))
    }
}
