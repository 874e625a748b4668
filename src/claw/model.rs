//! Which model `claw` talks to.

#[cfg(feature = "ch20")]
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::Options;
#[cfg(feature = "ch20")]
use crate::agent::{LanguageModel, ProviderModel};
use crate::provider::{OpenAiConfig, OpenAiProvider, RetryPolicy, Retrying};

/// Where the model is.
#[derive(Debug, Clone, PartialEq)]
pub enum Endpoint {
    /// In this process, as rules.
    Offline,
    /// Behind a Chat Completions server.
    Server {
        /// Up to and including `/v1`.
        base_url: String,
        /// The key to send, if any.
        key: Option<String>,
        /// The model's name.
        model: String,
    },
}

/// A model that is ready to be talked to.
pub struct Model {
    /// What answers.
    pub provider: Retrying<OpenAiProvider>,
    /// Its name.
    pub name: String,
    /// One line that says what it is.
    pub about: String,
    /// Whether it can be shown pictures.
    #[cfg(feature = "ch20")]
    pub takes_images: bool,
    /// The offline model's server.
    pub server: Server,
}

/// A server that ends with this value; `None` when the model is somewhere else.
pub type Server = Option<claw_offline::Server>;

#[cfg(feature = "ch20")]
impl Model {
    /// The model as an agent asks it.
    pub fn language(self) -> Arc<dyn LanguageModel> {
        Arc::new(ProviderModel::new(self.provider, "completions", self.name))
    }
}

/// Chooses by the options first and the environment second: `--offline`; a base URL;
/// the key of a server that is known; and without any of these the offline model.
pub fn choose(options: &Options, env: impl Fn(&str) -> Option<String>) -> Result<Endpoint> {
    let env = |name: &str| env(name).filter(|value| !value.is_empty());
    if options.offline {
        return Ok(Endpoint::Offline);
    }
    let own = options.base_url.clone().or_else(|| env("CLAW_BASE_URL"));
    let known = KNOWN.iter().find_map(|(name, url)| {
        Some((url.to_string(), env(name))).filter(|(_, key)| key.is_some())
    });
    let (base_url, key) = match (own, known) {
        (Some(base_url), _) => (
            base_url,
            env("CLAW_API_KEY").or_else(|| env("OPENAI_API_KEY")),
        ),
        (None, Some(known)) => known,
        (None, None) => return Ok(Endpoint::Offline),
    };
    let Some(model) = options.model.clone().or_else(|| env("CLAW_MODEL")) else {
        bail!("which model of {base_url}? Name it with --model or CLAW_MODEL, or use --offline");
    };
    Ok(Endpoint::Server {
        base_url,
        key,
        model,
    })
}

/// Makes the chosen model ready.
pub async fn open(endpoint: Endpoint) -> Result<Model> {
    let (config, name, about, server) = match endpoint {
        Endpoint::Offline => {
            let server = claw_offline::Server::start()
                .await
                .context("the offline model could not be started")?;
            let name = "claw-offline".to_string();
            let config = OpenAiConfig::new(format!("{}/v1", server.url()), &name);
            (config, name, OFFLINE.to_string(), Some(server))
        }
        Endpoint::Server {
            base_url,
            key,
            model,
        } => {
            let about = format!("{model} at {base_url}");
            let mut config = OpenAiConfig::new(base_url, &model);
            config.api_key = key;
            (config, model, about, None)
        }
    };
    let provider = OpenAiProvider::new(config)?;
    Ok(Model {
        provider: Retrying::new(provider, RetryPolicy::default()),
        name,
        about,
        #[cfg(feature = "ch20")]
        takes_images: false,
        server,
    })
}

/// Environment variables with a key, and the servers that they are for.
const KNOWN: [(&str, &str); 2] = [
    ("OPENAI_API_KEY", "https://api.openai.com/v1"),
    ("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
];

const OFFLINE: &str = "the offline model: a few rules on this machine, no key, no network";
