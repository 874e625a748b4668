//! A selected model, ready for requests.

use anyhow::{Context, Result};

use super::{Endpoint, choose};
use crate::claw::options::Options;
use crate::claw::output::report;
use crate::claw::server_api::ServerApi;
use crate::provider::OpenAiConfig;
#[cfg(not(feature = "ch20"))]
use crate::provider::{OpenAiProvider, RetryPolicy, RetryingProvider};

/// How to ask the selected model.
pub struct ModelConnection {
    /// The server, the model's name, the key and the timeouts.
    pub config: OpenAiConfig,
    /// The API to ask it with.
    pub api: ServerApi,
    /// One line that describes the model.
    pub description: String,
    /// The server of the offline model, which stops when this is dropped. `None` for a model
    /// on another server.
    pub offline_server: Option<claw_offline::Server>,
}

impl ModelConnection {
    /// Selects a model with [`choose`] and starts the offline model if that is the one.
    ///
    /// A conversation greets with the model's description. A single prompt does not, so
    /// there a message says if the offline model answers without having been asked for.
    pub async fn open(options: &Options) -> Result<Self> {
        let endpoint = choose(options, |name| std::env::var(name).ok())?;
        let is_offline = matches!(endpoint, Endpoint::Offline(_));
        if is_offline && !options.offline && options.prompt.is_some() {
            report(OFFLINE_BY_DEFAULT);
        }
        Self::from_endpoint(endpoint).await
    }

    async fn from_endpoint(endpoint: Endpoint) -> Result<Self> {
        Ok(match endpoint {
            Endpoint::Offline(api) => {
                let server = claw_offline::Server::with(claw_offline::Script::new().without_log())
                    .await
                    .context("cannot start the offline model")?;
                Self {
                    config: OpenAiConfig::new(format!("{}/v1", server.url()), "claw-offline"),
                    api,
                    description: OFFLINE.to_string(),
                    offline_server: Some(server),
                }
            }
            Endpoint::Server {
                api,
                base_url,
                key,
                model,
            } => Self {
                description: format!("{model} at {base_url}"),
                config: OpenAiConfig {
                    api_key: key,
                    ..OpenAiConfig::new(base_url, model)
                },
                api,
                offline_server: None,
            },
        })
    }

    /// The client of chapter 2, which retries. It speaks Chat Completions only.
    #[cfg(not(feature = "ch20"))]
    pub fn provider(&self) -> Result<RetryingProvider<OpenAiProvider>> {
        let provider = OpenAiProvider::new(self.config.clone())?;
        Ok(RetryingProvider::new(provider, RetryPolicy::default()))
    }

    /// The provider's name in the replies, such as `anthropic`, `anthropic@localhost:8080`
    /// or `offline-anthropic`.
    ///
    /// Thinking is sent back only to a provider of the same name, so the name includes the
    /// server unless that is the API's own. The offline model is the same on every port.
    #[cfg(feature = "ch20")]
    pub fn provider_name(&self) -> String {
        let (name, own_host) = match self.api {
            // It carries no thinking.
            ServerApi::Completions => return "completions".to_string(),
            ServerApi::Responses => ("openai", "api.openai.com"),
            ServerApi::Messages => ("anthropic", "api.anthropic.com"),
        };
        match (&self.offline_server, host_and_port(&self.config.base_url)) {
            (Some(_), _) => format!("offline-{name}"),
            (None, Some(host)) if host != own_host => format!("{name}@{host}"),
            (None, _) => name.to_string(),
        }
    }
}

/// The host in a URL, with the port unless it is the scheme's default. `None` for text that
/// is not a URL: no server can have answered there.
#[cfg(feature = "ch20")]
fn host_and_port(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_string(),
    })
}

const OFFLINE: &str = "the offline model: a few rules on this machine, no key, no network";

const OFFLINE_BY_DEFAULT: &str = "no API key is set, so the offline model answers: a few rules \
    on this machine; --offline hides this message";
