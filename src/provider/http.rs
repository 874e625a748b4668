//! The settings of [`OpenAiProvider`](super::OpenAiProvider) and the HTTP client made from
//! them.

use std::error::Error;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};

use super::{MAX_EVENT_BYTES, ProviderError};

/// Settings for one model on one server: address, key, headers, timeouts and limits.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// The URL before `/chat/completions`, such as `http://127.0.0.1:11434/v1`.
    pub base_url: String,
    /// The key, sent as a bearer token. A local server may not need one.
    pub api_key: Option<String>,
    /// Names and values of additional request headers, such as `("x-title", "claw")`.
    pub headers: Vec<(String, String)>,
    /// The model's name on this server.
    pub model: String,
    /// The longest time to connect.
    pub connect_timeout: Duration,
    /// The longest time from the request to the first byte of the response. A server that
    /// does not stream sends its first byte when the whole reply is ready.
    pub first_byte_timeout: Duration,
    /// The longest pause within the response.
    pub idle_timeout: Duration,
    /// The most bytes in a single event, and in a reply that is not streamed.
    pub max_bytes: usize,
}

impl OpenAiConfig {
    /// Settings for a server and a model, without a key and with default timeouts.
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

/// The `Content-Type` of a response; empty if it has none.
pub fn content_type(response: &Response) -> &str {
    let header = response.headers().get(CONTENT_TYPE);
    header
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// A [`ProviderError::Network`] with the messages of a reqwest error and of all its causes.
/// The last cause is usually the one that helps.
pub fn network_error(error: &reqwest::Error) -> ProviderError {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message = format!("{message}: {error}");
        cause = error.source();
    }
    ProviderError::Network(message)
}

/// The URL of `path` below the base URL.
pub fn endpoint(config: &OpenAiConfig, path: &str) -> Result<Url, ProviderError> {
    let base = config.base_url.trim_end_matches('/');
    Url::parse(&format!("{base}/{path}")).map_err(|error| {
        ProviderError::BadRequest(format!(
            "the base URL `{}` is not a URL ({error}); write it as in https://host/v1",
            config.base_url
        ))
    })
}

/// An HTTP client for requests to `url`.
pub fn build_client(config: &OpenAiConfig, url: &Url) -> Result<Client, ProviderError> {
    // reqwest is built without a crypto provider and uses the one installed in the process.
    // An `Err` means that one is installed already, which works too.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(config.connect_timeout)
        .default_headers(default_headers(config)?)
        // An API does not redirect; following would turn the POST into a GET.
        .redirect(redirect::Policy::none());
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    if is_local {
        // A proxy from the environment runs on another machine and cannot reach this one.
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // Certificates are loaded only for an https URL: a small container may have none, and
        // then the default settings are an error.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| network_error(&error))
}

/// The headers of every request: the key, if there is one, and the configured headers.
fn default_headers(config: &OpenAiConfig) -> Result<HeaderMap, ProviderError> {
    let mut headers = HeaderMap::new();
    if let Some(key) = &config.api_key {
        let value = sensitive_value(&format!("Bearer {}", key.trim()));
        let value = value.ok_or_else(|| {
            ProviderError::Authentication(
                "the API key contains a character that no header may contain, such as a line break"
                    .to_string(),
            )
        })?;
        headers.insert(AUTHORIZATION, value);
    }
    for (name, value) in &config.headers {
        let pair = HeaderName::try_from(name).ok().zip(sensitive_value(value));
        let (name, value) = pair.ok_or_else(|| {
            ProviderError::BadRequest(format!(
                "the header `{name}` contains a character that no header may contain"
            ))
        })?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// A header value that debug output hides, since it can be a key.
fn sensitive_value(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}
