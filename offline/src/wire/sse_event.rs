//! Server-sent events.

use serde_json::Value;

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SseEvent {
    /// `None` in Chat Completions, whose events are only data.
    pub(crate) name: Option<String>,
    pub(crate) data: String,
}

impl SseEvent {
    /// An event that is only data.
    pub(super) fn unnamed(data: impl ToString) -> Self {
        Self {
            name: None,
            data: data.to_string(),
        }
    }

    /// An event with its name in both places: the `event` line, and the `type` field of its
    /// data, which is an object.
    pub(super) fn named(name: &str, mut data: Value) -> Self {
        data["type"] = name.into();
        Self {
            name: Some(name.into()),
            data: data.to_string(),
        }
    }

    /// The event as the bytes of a stream. The data is one line: compact JSON has no line
    /// ends.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match &self.name {
            Some(name) => format!("event: {name}\ndata: {}\n\n", self.data),
            None => format!("data: {}\n\n", self.data),
        }
        .into_bytes()
    }
}
