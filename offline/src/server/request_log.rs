//! The requests that a server received, within bounds.

use std::collections::VecDeque;

use axum::http::request::Parts;
use serde_json::Value;

/// The log keeps at most this many requests.
const MAX_REQUESTS: usize = 1_000;

/// The log keeps at most this many bytes of paths, headers and bodies, or else a single
/// request. An agent sends its whole history with every request, so a log without this
/// bound grows with the square of the session.
const MAX_BYTES: usize = 32 << 20;

/// A request that a server received.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedRequest {
    /// The path, with the query if there is one.
    pub path: String,
    /// The headers in the order in which they came, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: a string if it is not JSON, null if it is empty.
    pub body: Value,
}

impl LoggedRequest {
    /// The value of the first header with this name. `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(known, _)| known == name)?;
        Some(&header.1)
    }
}

/// The newest requests, oldest first.
#[derive(Default)]
pub(super) struct RequestLog {
    requests: VecDeque<RawRequest>,
    bytes: usize,
    dropped: u64,
}

/// A request with its body as bytes: parsed JSON takes several times the memory, so the
/// log parses a body only when it is read.
struct RawRequest {
    path: String,
    headers: Vec<(String, String)>,
    body: Box<[u8]>,
}

impl RequestLog {
    /// Adds a request and drops the oldest ones that no longer fit.
    pub(super) fn push(&mut self, parts: &Parts, body: &[u8]) {
        let request = RawRequest::new(parts, body);
        self.bytes += request.byte_len();
        self.requests.push_back(request);
        while self.requests.len() > 1 && self.is_over_bounds() {
            if let Some(oldest) = self.requests.pop_front() {
                self.bytes -= oldest.byte_len();
                self.dropped += 1;
            }
        }
    }

    fn is_over_bounds(&self) -> bool {
        self.requests.len() > MAX_REQUESTS || self.bytes > MAX_BYTES
    }

    /// The requests in the log, oldest first.
    pub(super) fn requests(&self) -> Vec<LoggedRequest> {
        self.requests.iter().map(RawRequest::parse).collect()
    }

    /// How many requests were dropped so far.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl RawRequest {
    fn new(parts: &Parts, body: &[u8]) -> Self {
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let headers = parts.headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.to_string(), value.into_owned())
        });
        Self {
            path: path.into(),
            headers: headers.collect(),
            // A copy: the original may be a slice of a much larger network buffer.
            body: body.into(),
        }
    }

    fn byte_len(&self) -> usize {
        let headers = self.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        self.path.len() + headers + self.body.len()
    }

    fn parse(&self) -> LoggedRequest {
        let body = match &*self.body {
            [] => Value::Null,
            body => serde_json::from_slice(body)
                .unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned().into()),
        };
        LoggedRequest {
            path: self.path.clone(),
            headers: self.headers.clone(),
            body,
        }
    }
}
