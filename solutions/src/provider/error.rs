//! What can go wrong between here and the model, by what the caller does next.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

/// Why a reply did not come.
///
/// The variants answer one question: what now? Status codes and error types differ from
/// provider to provider and stay behind this border.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderError {
    /// The key is missing or wrong, or its account may not do this: mend the settings.
    Authentication(String),
    /// Too many requests: wait, as long as the server said if it did.
    RateLimited {
        /// The server's words.
        message: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server is too busy, or broken for now: wait.
    Overloaded {
        /// The server's words.
        message: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The conversation is longer than the model can read: make it shorter.
    ContextOverflow(String),
    /// The request is wrong: it will be wrong again.
    BadRequest(String),
    /// The connection failed, stalled or broke: try again.
    Network(String),
    /// The reply cannot be understood.
    MalformedReply(String),
}

impl ProviderError {
    /// The error behind an HTTP status other than success.
    ///
    /// - 401, 402 and 403 are for the settings. So is a 429 whose body contains
    ///   `insufficient_quota`: no waiting mends it. Any other 429 is a rate limit.
    /// - 413, and any other status whose body [speaks of the context
    ///   window](is_context_overflow), is a context overflow.
    /// - 408 and everything from 500 up is the server's trouble: overloaded.
    /// - What is left is a bad request.
    ///
    /// The message is [what the body says](words_of), and the status as a number.
    pub fn from_response(status: u16, retry_after: Option<Duration>, body: &str) -> Self {
        let message = format!("{} (status {status})", words_of(body));
        match status {
            401..=403 => Self::Authentication(message),
            429 if body.contains("insufficient_quota") => Self::Authentication(message),
            429 => Self::RateLimited {
                message,
                retry_after,
            },
            413 => Self::ContextOverflow(message),
            _ if is_context_overflow(body) => Self::ContextOverflow(message),
            408 | 500.. => Self::Overloaded {
                message,
                retry_after,
            },
            _ => Self::BadRequest(message),
        }
    }

    /// The error that a server reports inside a reply that began with success: the value
    /// of its field `error`.
    ///
    /// A number in `code` is the status it stands for. Without one, `type` and `code` are
    /// searched for the words in which providers name a status.
    pub fn from_error_object(error: &Value) -> Self {
        let status = match error["code"].as_u64() {
            Some(status @ 400..=599) => status as u16,
            _ => status_named_in(error),
        };
        Self::from_response(status, None, &json!({ "error": error }).to_string())
    }

    /// Whether the same request may well succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. } | Self::Overloaded { .. } | Self::Network(_)
        )
    }

    /// How long the server asks to wait, if it does.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Overloaded { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
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
                write!(f, "too many requests: {message}; {}", Wait(self))
            }
            Self::Overloaded { message, .. } => {
                write!(
                    f,
                    "the provider cannot answer now: {message}; {}",
                    Wait(self)
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
                "the connection failed: {message}; check the base URL and that the server runs, then try again"
            ),
            Self::MalformedReply(message) => {
                write!(f, "the reply cannot be understood: {message}")
            }
        }
    }
}

impl std::error::Error for ProviderError {}

/// The second half of a sentence: when to try again.
struct Wait<'a>(&'a ProviderError);

impl fmt::Display for Wait<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.retry_after() {
            Some(wait) => write!(f, "try again in {} s", wait.as_secs_f64().ceil()),
            None => write!(f, "try again in a while"),
        }
    }
}

/// Reads a `Retry-After` header: a number of seconds, or an HTTP date, which counts from
/// `now`. A date in the past means no wait. What is neither means nothing.
pub fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// Whether an error's text says that the conversation does not fit into the model's
/// context window, in whatever case it is written.
pub fn is_context_overflow(text: &str) -> bool {
    let text = text.to_lowercase();
    OVERFLOW_WORDINGS.iter().any(|words| text.contains(words))
}

/// What an error body says: the text under `error.message`, `error`, `message` or
/// `detail` if it is JSON with one of these, otherwise its beginning.
pub fn words_of(body: &str) -> String {
    let json: Value = serde_json::from_str(body).unwrap_or_default();
    let said = ["/error/message", "/error", "/message", "/detail"]
        .iter()
        .find_map(|pointer| json.pointer(pointer)?.as_str());
    match said.unwrap_or(body).trim() {
        "" => "the server gives no reason".to_string(),
        words => excerpt(words),
    }
}

/// The beginning of a text that may be long, for an error message. What is left out is
/// marked by an ellipsis.
pub fn excerpt(text: &str) -> String {
    const LIMIT: usize = 400;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// The status that an error object without a number stands for.
fn status_named_in(error: &Value) -> u16 {
    let names = format!("{} {}", error["type"], error["code"]);
    STATUS_NAMES
        .iter()
        .find(|(name, _)| names.contains(name))
        .map_or(400, |(_, status)| *status)
}

/// How providers name a status in `type` or `code`, the telling ones first.
const STATUS_NAMES: [(&str, u16); 8] = [
    ("rate_limit", 429),
    ("overloaded", 529),
    ("unavailable", 503),
    ("server_error", 500),
    ("api_error", 500),
    ("authentication", 401),
    ("api_key", 401),
    ("permission", 403),
];

/// How providers say that a conversation is too long, in lower case.
const OVERFLOW_WORDINGS: [&str; 17] = [
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
];
