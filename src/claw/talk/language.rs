//! The model as an agent asks it: in each API by the connection that carries most.

use std::sync::Arc;

use anyhow::Result;

use crate::agent::{LanguageModel, ProviderModel};
use crate::claw::{Api, Model};
use crate::provider::{
    AnthropicConfig, AnthropicModel, ResponsesConfig, ResponsesModel, RetryPolicy, RetryingModel,
};

/// A model to ask, which tries again if need be.
pub fn language(model: &Model) -> Result<Arc<dyn LanguageModel>> {
    let mut connection = model.connection.clone();
    let name = connection.model.clone();
    let policy = RetryPolicy::default();
    let provider = model.provider();
    Ok(match model.api {
        Api::Completions => Arc::new(ProviderModel::new(model.completions()?, provider, name)),
        Api::Responses => {
            let mut config = ResponsesConfig::new("", name);
            config.connection = connection;
            config.provider = provider;
            Arc::new(RetryingModel::new(ResponsesModel::new(config)?, policy))
        }
        Api::Messages => {
            // This client puts `v1` in front of its path itself.
            let base = connection.base_url.trim_end_matches('/');
            connection.base_url = base.strip_suffix("/v1").unwrap_or(base).to_string();
            let mut config = AnthropicConfig::new("", name);
            config.connection = connection;
            config.provider = provider;
            Arc::new(RetryingModel::new(AnthropicModel::new(config)?, policy))
        }
    })
}
