//! Errors of a model request, classified by what the caller does next.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

/// Why a request to a model failed.
///
/// Each variant tells the caller what to do next. Status codes and error types differ
/// from provider to provider, so they are translated here and go no further.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderError {
    /// The key is missing or wrong, or its account lacks a permission. Correct the settings.
    Authentication(String),
    /// Too many requests. Wait for `retry_after`, or a while if it is `None`.
    RateLimited {
        /// The server's error message.
        message: String,
        /// How long the server asks the client to wait.
        retry_after: Option<Duration>,
    },
    /// The server is too busy or temporarily broken. Wait.
    Overloaded {
        /// The server's error message.
        message: String,
        /// How long the server asks the client to wait.
        retry_after: Option<Duration>,
    },
    /// The conversation does not fit into the model's context window. Shorten it.
    ContextOverflow(String),
    /// The request is invalid. Sending it again fails again.
    BadRequest(String),
    /// The connection failed, stalled or broke. Try again.
    Network(String),
    /// The client cannot parse the reply.
    MalformedReply(String),
}

impl ProviderError {
    /// The error for a response whose HTTP status is not a success.
    ///
    /// - 401, 402 and 403 are `Authentication`. So is a 429 whose body contains
    ///   `insufficient_quota`, because waiting does not help. Any other 429 is `RateLimited`.
    /// - 413 is `ContextOverflow`. So is every status except 401, 402, 403 and 429 whose
    ///   body [reports one](is_overflow_message), 408 and 500 included.
    /// - Without such a report, 408, 500 and all higher statuses are `Overloaded`. Every
    ///   other status is `BadRequest`.
    ///
    /// The error's message is the body's [error message](error_message) and the number of
    /// the status.
    pub fn from_response(status: u16, retry_after: Option<Duration>, body: &str) -> Self {
        todo!("provider-error: write ProviderError::from_response")
    }

    /// The error that a server reports inside a successful response. `error` is the value
    /// of the response's field `error`.
    ///
    /// A number from 400 to 599 in `code` is the status. Some proxies write it as a string.
    /// Without one, the status comes from the names in `STATUS_NAMES` that appear in `type`
    /// and `code`.
    pub fn from_error_object(error: &Value) -> Self {
        let code = &error["code"];
        let code = code.as_u64().or_else(|| code.as_str()?.parse().ok());
        let status = match code {
            Some(status @ 400..=599) => status as u16,
            _ => status_by_name(error),
        };
        Self::from_response(status, None, &json!({ "error": error }).to_string())
    }

    /// Whether the same request can succeed later: true for a rate limit, an overload and a
    /// network error.
    pub fn is_retryable(&self) -> bool {
        todo!("provider-error: write ProviderError::is_retryable")
    }

    /// How long the server asks the client to wait; `None` if it does not say.
    pub fn retry_after(&self) -> Option<Duration> {
        todo!("provider-error: write ProviderError::retry_after")
    }
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authentication(message) => write!(
                f,
                "the provider refuses this key: {message}; check the API key and what its account may do"
            ),
            Self::RateLimited { message, .. } => {
                write!(f, "too many requests: {message}; {}", RetryHint(self))
            }
            Self::Overloaded { message, .. } => {
                write!(
                    f,
                    "the provider cannot answer now: {message}; {}",
                    RetryHint(self)
                )
            }
            Self::ContextOverflow(message) => write!(
                f,
                "the conversation is too long for the model: {message}; make it shorter or start a new one"
            ),
            Self::BadRequest(message) => write!(
                f,
                "the provider refuses the request: {message}; check the model's name and the base URL"
            ),
            Self::Network(message) => write!(
                f,
                "the connection failed: {message}; check the base URL and whether the server is running, then try again"
            ),
            Self::MalformedReply(message) => {
                write!(f, "the reply cannot be understood: {message}")
            }
        }
    }
}

impl std::error::Error for ProviderError {}

/// Displays the end of an error message: when to try again.
struct RetryHint<'a>(&'a ProviderError);

impl fmt::Display for RetryHint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.retry_after() {
            Some(wait) => write!(f, "try again in {} s", wait.as_secs_f64().ceil()),
            None => write!(f, "try again in a while"),
        }
    }
}

/// Parses the value of a `Retry-After` header, and ignores white space around it. It is a number of
/// seconds, in ASCII digits only, or an HTTP date, from which `now` is subtracted. A date in the
/// past is a wait of zero. Any other text, and a number above the range of `u64`, is `None`.
pub fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    todo!("provider-error: write parse_retry_after")
}

/// Whether an error's text reports that the conversation does not fit into the model's
/// context window. It does if it contains one of the `OVERFLOW_PHRASES` in any case.
pub fn is_overflow_message(text: &str) -> bool {
    todo!("provider-error: write is_overflow_message")
}

/// The error message in a response body: that of its JSON, or of the first event with one if
/// the body is an event stream, otherwise the body itself. A long message is
/// [abbreviated](abbreviate).
pub fn error_message(body: &str) -> String {
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    let message = std::iter::once(body).chain(events).find_map(json_message);
    match message.as_deref().unwrap_or(body).trim() {
        "" => "the server gives no reason".to_string(),
        message => abbreviate(message),
    }
}

/// The string at `error.metadata.raw`, `error.message`, `error`, `message` or `detail` of an
/// object, or of an array's first object; `None` if there is none. If that string is such an
/// object itself, as from a proxy that quotes another server, its message.
fn json_message(json: &str) -> Option<String> {
    let json: Value = serde_json::from_str(json).ok()?;
    let object = json.get(0).unwrap_or(&json);
    let pointers = [
        "/error/metadata/raw",
        "/error/message",
        "/error",
        "/message",
        "/detail",
    ];
    let mut messages = pointers.iter().map(|it| object.pointer(it)?.as_str());
    let message = messages.find_map(|it| it)?;
    json_message(message).or_else(|| Some(message.to_string()))
}

/// The first 400 characters of a text, for an error message. An ellipsis marks what is
/// left out.
pub fn abbreviate(text: &str) -> String {
    const LIMIT: usize = 400;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// The status of an error object without a numeric code: the first of `STATUS_NAMES` that
/// its `type` or `code` contains, otherwise 400.
fn status_by_name(error: &Value) -> u16 {
    let names = format!("{} {}", error["type"], error["code"]);
    STATUS_NAMES
        .iter()
        .find(|(name, _)| names.contains(name))
        .map_or(400, |(_, status)| *status)
}

/// The names that providers use for a status in `type` or `code`, the most specific first.
const STATUS_NAMES: [(&str, u16); 10] = [
    // `from_response` makes this an `Authentication` error.
    ("insufficient_quota", 429),
    ("rate_limit", 429),
    ("overloaded", 529),
    ("unavailable", 503),
    ("timeout", 504),
    ("server_error", 500),
    ("api_error", 500),
    ("authentication", 401),
    ("api_key", 401),
    ("permission", 403),
];

/// Phrases with which providers and proxies report a context overflow, in lower case.
const OVERFLOW_PHRASES: [&str; 23] = [
    "prompt is too long",
    "input is too long",
    "exceeds the context window",
    "exceeds the maximum",
    "maximum prompt length",
    "reduce the length of the messages",
    "maximum context length",
    "exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "context length exceeded",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
    "model_context_window_exceeded",
    "exceed context limit",
    "context window exceeded",
    "contextwindowexceeded",
    "context size has been exceeded",
    "longer than the maximum model length",
    "input tokens exceed",
];
