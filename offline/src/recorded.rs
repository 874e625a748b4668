//! What a server was sent.

use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde_json::Value;

/// One request that a server was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The path, with the query if there is one.
    pub path: String,
    /// The headers in their order, the names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: as text if it is not JSON, null if there is none.
    pub body: Value,
}

impl Recorded {
    /// The first header of this name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(known, _)| known == name)?;
        Some(&header.1)
    }

    pub(crate) fn of(parts: &Parts, body: &[u8]) -> Self {
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        Self {
            path: path.into(),
            headers: headers(&parts.headers),
            body: match body {
                [] => Value::Null,
                body => serde_json::from_slice(body)
                    .unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned().into()),
            },
        }
    }
}

fn headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let headers = headers.iter();
    headers
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.to_string(), value.into_owned())
        })
        .collect()
}
