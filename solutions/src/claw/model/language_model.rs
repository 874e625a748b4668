//! The client that the agent of chapter 16 asks, for each API.

use std::sync::Arc;

use anyhow::Result;

use super::ModelConnection;
use crate::agent::{LanguageModel, ProviderModel};
use crate::claw::output::report;
use crate::claw::server_api::ServerApi;
use crate::models::{
    AnthropicConfig, AnthropicModel, ResponsesConfig, ResponsesModel, RetryingModel,
};
use crate::provider::{OpenAiProvider, RetryPolicy};

/// The client for the connection's API. It retries, and reports each retry on standard error.
pub fn language_model(connection: &ModelConnection) -> Result<Arc<dyn LanguageModel>> {
    let mut http = connection.config.clone();
    let model = http.model.clone();
    let provider = connection.provider_name();
    Ok(match connection.api {
        ServerApi::Completions => {
            let client = OpenAiProvider::new(http)?;
            with_retries(ProviderModel::new(client, provider, model))
        }
        ServerApi::Responses => {
            let mut config = ResponsesConfig::new("", model);
            config.connection = http;
            config.provider = provider;
            with_retries(ResponsesModel::new(config)?)
        }
        ServerApi::Messages => {
            // This client adds `/v1` itself.
            let base = http.base_url.trim_end_matches('/');
            http.base_url = base.strip_suffix("/v1").unwrap_or(base).to_string();
            let mut config = AnthropicConfig::new("", model);
            config.connection = http;
            config.provider = provider;
            with_retries(AnthropicModel::new(config)?)
        }
    })
}

/// Adds retries. Without the report, waiting for one would look like a program that hangs.
fn with_retries(model: impl LanguageModel + 'static) -> Arc<dyn LanguageModel> {
    let model = RetryingModel::new(model, RetryPolicy::default());
    Arc::new(model.on_retry(|error, delay| {
        // To a tenth: most delays are below a second, and several of them are added up.
        let seconds = (delay.as_secs_f64() * 10.0).ceil() / 10.0;
        report(format!("no answer ({error}); retrying in {seconds:.1} s"));
    }))
}
