//! The plumbing below [`OpenAiProvider`](super::OpenAiProvider): its settings, and a
//! client made from them.

use std::error::Error;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};

use super::{MAX_EVENT_BYTES, ProviderError};

/// Where the model is and how long to wait for it.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// What stands before `/chat/completions`, such as `http://127.0.0.1:11434/v1`.
    pub base_url: String,
    /// Sent as a bearer token. A server of one's own may need none.
    pub api_key: Option<String>,
    /// Sent with every request beside that, such as `("x-title", "claw")`: name and value.
    pub headers: Vec<(String, String)>,
    /// The model's name, as the server knows it.
    pub model: String,
    /// How long a connection may take to come about.
    pub connect_timeout: Duration,
    /// How long the answer may take to begin. A server that does not stream begins when
    /// it has the whole reply.
    pub first_byte_timeout: Duration,
    /// How long the answer may pause once it has begun.
    pub idle_timeout: Duration,
    /// The most bytes of a single event, and of a reply that is not streamed.
    pub max_bytes: usize,
}

impl OpenAiConfig {
    /// A server and a model, without a key and with timeouts for people who wait.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: None,
            headers: Vec::new(),
            model: model.into(),
            connect_timeout: Duration::from_secs(10),
            first_byte_timeout: Duration::from_secs(300),
            idle_timeout: Duration::from_secs(120),
            max_bytes: MAX_EVENT_BYTES,
        }
    }
}

/// The kind of content that an answer says it has; empty if it says none.
pub(crate) fn content_type(response: &Response) -> &str {
    let header = response.headers().get(CONTENT_TYPE);
    header
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// What reqwest says, and what it was told by the layers below: the last part is the one
/// that helps.
pub(crate) fn network(error: &reqwest::Error) -> ProviderError {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    ProviderError::Network(words)
}

/// The address that requests for `path` go to.
pub(crate) fn endpoint(config: &OpenAiConfig, path: &str) -> Result<Url, ProviderError> {
    let base = config.base_url.trim_end_matches('/');
    Url::parse(&format!("{base}/{path}")).map_err(|error| {
        ProviderError::BadRequest(format!(
            "the base URL `{}` is none ({error}); write it as in https://host/v1",
            config.base_url
        ))
    })
}

/// A client for requests to `url`.
pub(crate) fn client(config: &OpenAiConfig, url: &Url) -> Result<Client, ProviderError> {
    // reqwest is built without a crypto library and takes the process's own. An `Err`
    // means that one is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(config.connect_timeout)
        .default_headers(headers(config)?)
        // An API does not redirect; following would turn the POST into a GET.
        .redirect(redirect::Policy::none());
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    if is_local {
        // A proxy from the environment stands elsewhere and cannot reach this machine.
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // Certificates are loaded only for an https URL: a small container may have none, and
        // then the default settings are an error.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| network(&error))
}

/// The headers of every request: the key, if there is one, and what the settings add.
fn headers(config: &OpenAiConfig) -> Result<HeaderMap, ProviderError> {
    let mut headers = HeaderMap::new();
    if let Some(key) = &config.api_key {
        let value = secret(&format!("Bearer {}", key.trim()));
        let value = value.ok_or_else(|| {
            ProviderError::Authentication(
                "the API key has a character that no header can carry, such as a line break"
                    .to_string(),
            )
        })?;
        headers.insert(AUTHORIZATION, value);
    }
    for (name, value) in &config.headers {
        let pair = HeaderName::try_from(name).ok().zip(secret(value));
        let (name, value) = pair.ok_or_else(|| {
            ProviderError::BadRequest(format!(
                "the header `{name}` has a character that no header can carry"
            ))
        })?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// A header's value that is kept out of debug output, since it may be a key.
fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}
