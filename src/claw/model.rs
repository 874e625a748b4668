//! Which model `claw` talks to.

use anyhow::{Context, Result, bail};

use super::out::say;
use super::{Api, Options};
use crate::provider::{OpenAiConfig, OpenAiProvider, RetryPolicy, Retrying};

/// Where the model is.
#[derive(Debug, Clone, PartialEq)]
pub enum Endpoint {
    /// In this process, as rules.
    Offline(Api),
    /// Behind a server.
    Server {
        /// What it is spoken to in.
        api: Api,
        /// Up to and including `/v1`.
        base_url: String,
        /// The key to send, if any.
        key: Option<String>,
        /// The model's name.
        model: String,
    },
}

/// A model that can be talked to.
pub struct Model {
    /// Its server, its name and its key.
    pub connection: OpenAiConfig,
    /// What it is spoken to in.
    pub api: Api,
    /// One line that says what it is.
    pub about: String,
    /// The offline model's server.
    pub server: Server,
}

/// A server that ends with this value; `None` when the model is somewhere else.
pub type Server = Option<claw_offline::Server>;

/// Chooses by the options first and the environment second: `--offline`; a base URL; the
/// key of a server that is known and speaks the API; and without any of these the offline
/// model.
pub fn choose(options: &Options, env: impl Fn(&str) -> Option<String>) -> Result<Endpoint> {
    let env = |name: &str| env(name).filter(|value| !value.is_empty());
    let wanted = options.api();
    let offline = || Endpoint::Offline(wanted.or(usual(OFFLINE_APIS)).unwrap_or_default());
    if options.offline {
        return Ok(offline());
    }
    let own = options.base_url.clone().or_else(|| env("CLAW_BASE_URL"));
    let known = KNOWN.iter().find_map(|(name, url, apis)| {
        let api = match wanted {
            Some(api) => apis.contains(&api).then_some(api),
            None => usual(apis),
        };
        Some((api?, url.to_string(), Some(env(name)?)))
    });
    let (api, base_url, key) = match (own, known) {
        (Some(base_url), _) => {
            check(&base_url)?;
            let api = wanted.unwrap_or_default();
            let usual = match api {
                Api::Messages => "ANTHROPIC_API_KEY",
                Api::Completions | Api::Responses => "OPENAI_API_KEY",
            };
            (api, base_url, env("CLAW_API_KEY").or_else(|| env(usual)))
        }
        (None, Some(known)) => known,
        (None, None) => match KNOWN.iter().find(|(name, ..)| env(name).is_some()) {
            Some((name, url, _)) => bail!(
                "{name} is for {url}, which is not spoken to in that --api; leave it out, or use --offline"
            ),
            None => match &options.model {
                Some(model) => bail!(no_server(model)),
                None => return Ok(offline()),
            },
        },
    };
    let Some(model) = options.model.clone().or_else(|| env("CLAW_MODEL")) else {
        bail!("which model of {base_url}? Name it with --model or CLAW_MODEL, or use --offline");
    };
    Ok(Endpoint::Server {
        api,
        base_url,
        key,
        model,
    })
}

/// Whether this can be asked at all. What it is, its server would not say.
fn check(base_url: &str) -> Result<()> {
    let is_one = reqwest::Url::parse(base_url)
        .is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
    if !is_one {
        bail!("`{base_url}` is no base URL; write it as in https://host/v1");
    }
    Ok(())
}

/// What to do where a model is named and nobody knows whose it is.
fn no_server(model: &str) -> String {
    let spoken = KNOWN.iter().filter(|(.., apis)| usual(apis).is_some());
    let keys: Vec<&str> = spoken.map(|(name, ..)| *name).collect();
    format!(
        "which server has the model {model}? Set a key ({}), or name the server with --base-url, \
         or leave out --model for the offline model",
        keys.join(", ")
    )
}

/// The first of these that `claw` can speak.
fn usual(apis: &[Api]) -> Option<Api> {
    apis.iter().copied().find(|api| api.is_spoken())
}

/// Chooses a model and makes it ready. A conversation begins with a line that says which one
/// it is; one prompt has no such line, so it is told where nobody asked for the offline model.
pub async fn ready(options: &Options) -> Result<Model> {
    let endpoint = choose(options, |name| std::env::var(name).ok())?;
    let is_offline = matches!(endpoint, Endpoint::Offline(_));
    if is_offline && !options.offline && options.prompt.is_some() {
        say(UNASKED);
    }
    open(endpoint).await
}

/// Makes the chosen model ready.
async fn open(endpoint: Endpoint) -> Result<Model> {
    Ok(match endpoint {
        Endpoint::Offline(api) => {
            let server = claw_offline::Server::start()
                .await
                .context("the offline model could not be started")?;
            Model {
                connection: OpenAiConfig::new(format!("{}/v1", server.url()), "claw-offline"),
                api,
                about: OFFLINE.to_string(),
                server: Some(server),
            }
        }
        Endpoint::Server {
            api,
            base_url,
            key,
            model,
        } => Model {
            about: format!("{model} at {base_url}"),
            connection: OpenAiConfig {
                api_key: key,
                ..OpenAiConfig::new(base_url, model)
            },
            api,
            server: None,
        },
    })
}

impl Model {
    /// The model as chapter 2 speaks to it, whatever its API is.
    pub fn completions(&self) -> Result<Retrying<OpenAiProvider>> {
        let provider = OpenAiProvider::new(self.connection.clone())?;
        Ok(Retrying::new(provider, RetryPolicy::default()))
    }

    /// The name that its replies bear. Thoughts are sent to a model of that name alone, so
    /// it says which server has had them, as in `anthropic@localhost:8080`, unless that is
    /// the API's own. The offline model is the same one at whatever port.
    #[cfg(feature = "ch20")]
    pub fn provider(&self) -> String {
        let (usual, own) = match self.api {
            // It carries no thoughts.
            Api::Completions => return "completions".to_string(),
            Api::Responses => ("openai", "api.openai.com"),
            Api::Messages => ("anthropic", "api.anthropic.com"),
        };
        match (&self.server, host(&self.connection.base_url)) {
            (Some(_), _) => format!("offline-{usual}"),
            (None, Some(host)) if host != own => format!("{usual}@{host}"),
            (None, _) => usual.to_string(),
        }
    }
}

/// The server in a URL: its name and, unless it is the usual one, its port. `None` of what
/// is no URL, where there is no server that could have answered.
#[cfg(feature = "ch20")]
fn host(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    let name = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_string(),
    })
}

/// Environment variables with a key, the servers that they are for, and what those speak,
/// what carries most first.
const KNOWN: [(&str, &str, &[Api]); 3] = [
    (
        "OPENAI_API_KEY",
        "https://api.openai.com/v1",
        &[Api::Responses, Api::Completions],
    ),
    (
        "OPENROUTER_API_KEY",
        "https://openrouter.ai/api/v1",
        &[Api::Completions],
    ),
    (
        "ANTHROPIC_API_KEY",
        "https://api.anthropic.com/v1",
        &[Api::Messages],
    ),
];

/// What the offline model speaks, what carries most first.
const OFFLINE_APIS: &[Api] = &[Api::Messages, Api::Responses, Api::Completions];

const OFFLINE: &str = "the offline model: a few rules on this machine, no key, no network";

const UNASKED: &str = "no key is set, so the offline model answers: a few rules on this machine; \
    --offline says that this is meant";
