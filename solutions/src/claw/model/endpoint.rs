//! Which model `claw` talks to.

use anyhow::{Result, bail};

use crate::claw::options::Options;
use crate::claw::server_api::ServerApi;
use crate::provider::{ANTHROPIC_API_KEY, CLAW_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY};

/// A model, and how to reach it.
#[derive(Debug, Clone, PartialEq)]
pub enum Endpoint {
    /// The offline model, in this process.
    Offline(ServerApi),
    /// A model on a server.
    Server {
        /// The API to ask it with.
        api: ServerApi,
        /// Up to and including `/v1`.
        base_url: String,
        /// The API key, if one is set.
        key: Option<String>,
        /// The model's name.
        model: String,
    },
}

/// Selects a model by the options and the environment. The first that applies wins:
///
/// 1. `--offline`;
/// 2. `--base-url` or `CLAW_BASE_URL`, with the key in `CLAW_API_KEY`. Without that, a known
///    server gets its own key, and no server gets the key of another one;
/// 3. a known server whose key is set and that has the wanted API;
/// 4. the offline model.
///
/// It is an error if a server but no model is named, a model but no server, or a base URL
/// that is not one; or if a key is set, but for a server without the wanted API.
pub fn choose(options: &Options, env: impl Fn(&str) -> Option<String>) -> Result<Endpoint> {
    let env = |name: &str| env(name).filter(|value| !value.is_empty());
    let wanted = options.api();
    let offline = || Endpoint::Offline(wanted.or(preferred(OFFLINE_APIS)).unwrap_or_default());
    if options.offline {
        return Ok(offline());
    }
    let custom = options.base_url.clone().or_else(|| env("CLAW_BASE_URL"));
    let known = KNOWN_SERVERS.iter().find_map(|server| {
        let api = match wanted {
            Some(api) => server.apis.contains(&api).then_some(api),
            None => preferred(server.apis),
        };
        Some((api?, server.base_url.to_string(), Some(env(server.key)?)))
    });
    let (api, base_url, key) = match (custom, known) {
        (Some(base_url), _) => {
            check_base_url(&base_url)?;
            let api = wanted.unwrap_or_default();
            let key = env(CLAW_API_KEY).or_else(|| env(known_server(&base_url)?.key));
            (api, base_url, key)
        }
        (None, Some(known)) => known,
        (None, None) => match KNOWN_SERVERS.iter().find(|it| env(it.key).is_some()) {
            Some(server) => bail!(
                "{} is for {}, which does not have that --api; leave out --api, or use --offline",
                server.key,
                server.base_url
            ),
            None => match &options.model {
                Some(model) => bail!(no_server_message(model)),
                None => return Ok(offline()),
            },
        },
    };
    let Some(model) = options.model.clone().or_else(|| env("CLAW_MODEL")) else {
        bail!(
            "no model of {base_url} is named; name one with --model or CLAW_MODEL, or use --offline"
        );
    };
    Ok(Endpoint::Server {
        api,
        base_url,
        key,
        model,
    })
}

/// Rejects a base URL that no request can be sent to, before a request fails with an error
/// that does not mention it.
fn check_base_url(base_url: &str) -> Result<()> {
    let is_valid = reqwest::Url::parse(base_url)
        .is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
    if !is_valid {
        bail!("`{base_url}` is not a base URL; write it like https://host/v1");
    }
    Ok(())
}

/// The known server that `base_url` leads to.
fn known_server(base_url: &str) -> Option<&'static KnownServer> {
    let origin = |url: &str| reqwest::Url::parse(url).ok().map(|url| url.origin());
    let mut servers = KNOWN_SERVERS.iter();
    servers.find(|server| origin(server.base_url) == origin(base_url))
}

/// The error message for a model that is named without its server.
fn no_server_message(model: &str) -> String {
    let available = KNOWN_SERVERS
        .iter()
        .filter(|server| preferred(server.apis).is_some());
    let keys: Vec<&str> = available.map(|server| server.key).collect();
    format!(
        "no server is known for the model {model}; set a key ({}), name the server with \
         --base-url, or leave out --model for the offline model",
        keys.join(", ")
    )
}

/// The first of these that the open chapters have a client for.
fn preferred(apis: &[ServerApi]) -> Option<ServerApi> {
    apis.iter().copied().find(|api| api.is_available())
}

/// A server that is known by the variable with its key.
struct KnownServer {
    /// The environment variable with the API key.
    key: &'static str,
    base_url: &'static str,
    /// The APIs it has, the most capable first.
    apis: &'static [ServerApi],
}

/// In the order in which their keys are looked up.
const KNOWN_SERVERS: [KnownServer; 3] = [
    KnownServer {
        key: OPENAI_API_KEY,
        base_url: "https://api.openai.com/v1",
        apis: &[ServerApi::Responses, ServerApi::Completions],
    },
    KnownServer {
        key: OPENROUTER_API_KEY,
        base_url: "https://openrouter.ai/api/v1",
        apis: &[ServerApi::Completions],
    },
    KnownServer {
        key: ANTHROPIC_API_KEY,
        base_url: "https://api.anthropic.com/v1",
        apis: &[ServerApi::Messages],
    },
];

/// The APIs of the offline model, the most capable first.
const OFFLINE_APIS: &[ServerApi] = &[
    ServerApi::Messages,
    ServerApi::Responses,
    ServerApi::Completions,
];
