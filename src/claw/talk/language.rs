//! The model as an agent asks it: in each API by the connection that carries most.

use std::sync::Arc;

use anyhow::Result;

use crate::agent::{LanguageModel, ProviderModel};
use crate::claw::out::say;
use crate::claw::{Api, Model};
use crate::models::{
    AnthropicConfig, AnthropicModel, ResponsesConfig, ResponsesModel, RetryingModel,
};
use crate::provider::{OpenAiProvider, RetryPolicy};

/// A model to ask, which tries again if need be.
pub fn language(model: &Model) -> Result<Arc<dyn LanguageModel>> {
    let mut connection = model.connection.clone();
    let name = connection.model.clone();
    let provider = model.provider();
    Ok(match model.api {
        Api::Completions => {
            let spoken = OpenAiProvider::new(connection)?;
            patient(ProviderModel::new(spoken, provider, name))
        }
        Api::Responses => {
            let mut config = ResponsesConfig::new("", name);
            config.connection = connection;
            config.provider = provider;
            patient(ResponsesModel::new(config)?)
        }
        Api::Messages => {
            // This client puts `v1` in front of its path itself.
            let base = connection.base_url.trim_end_matches('/');
            connection.base_url = base.strip_suffix("/v1").unwrap_or(base).to_string();
            let mut config = AnthropicConfig::new("", name);
            config.connection = connection;
            config.provider = provider;
            patient(AnthropicModel::new(config)?)
        }
    })
}

/// A model that is asked again if need be. Meanwhile nothing can be seen of it but what is
/// said here.
fn patient(model: impl LanguageModel + 'static) -> Arc<dyn LanguageModel> {
    let model = RetryingModel::new(model, RetryPolicy::default());
    Arc::new(model.telling(|error, delay| {
        let seconds = delay.as_secs_f64().ceil();
        say(format!("no answer ({error}); asking again in {seconds} s"));
    }))
}
