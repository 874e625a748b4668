//! One streamed HTTP request of a native model.

use serde_json::Value;

use crate::agent::{
    Content, DeltaSender, LanguageModel, Message, StopReason, StreamDelta, Usage, now_ms,
};
use crate::provider::http::content_type;
use crate::provider::{OpenAiProvider, ProviderError, SseDecoder, abbreviate};

/// Builds one reply from the events or the body that an API sends.
pub trait ReplyReader: Send {
    /// Reads the data of the next event and returns its deltas.
    fn read(&mut self, data: &str) -> Result<Vec<StreamDelta>, ProviderError>;

    /// Reads a complete reply from a server that does not stream, and returns its deltas.
    fn read_whole(&mut self, body: &str) -> Result<Vec<StreamDelta>, ProviderError>;

    /// Whether the server has sent the stop reason. Then the reply is complete.
    fn is_finished(&self) -> bool;

    /// Whether no more events follow.
    fn is_over(&self) -> bool {
        self.is_finished()
    }

    /// The reply. If the reader is not finished, a [`ProviderError::Network`] that says how
    /// much of the reply arrived.
    fn finish(self) -> Result<Reply, ProviderError>;
}

/// A reply as its reader built it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The blocks, in order.
    pub content: Vec<Content>,
    /// The stop reason.
    pub stop_reason: StopReason,
    /// A remark about the end of the reply, for the user.
    pub note: Option<String>,
    /// The token counts.
    pub usage: Usage,
}

impl Reply {
    /// The reply as an assistant message of `model` with the current time.
    pub fn message(self, model: &dyn LanguageModel) -> Message {
        Message::Assistant {
            content: self.content,
            stop_reason: self.stop_reason,
            model: model.model().to_string(),
            provider: model.provider().to_string(),
            usage: self.usage,
            timestamp: now_ms(),
            error_message: self.note,
        }
    }
}

/// Sends a request, reads the response with `reader`, and forwards its deltas as they arrive.
/// A dropped receiver of deltas does not end the reply.
///
/// The reply ends when the reader is over or the body ends. A body that breaks off or stalls
/// is an error unless the reader is finished. A response that is not an event stream is read
/// as a complete reply. If that fails, the error asks whether the server is the right one.
pub(in crate::models) async fn ask<R: ReplyReader>(
    client: &OpenAiProvider,
    body: &Value,
    mut reader: R,
    deltas: &DeltaSender,
) -> Result<Reply, ProviderError> {
    let mut response = client.send(body).await?;
    let kind = content_type(&response).to_string();
    if !kind.contains("event-stream") {
        let body = client.read_body(response).await?;
        let pieces = reader.read_whole(&body);
        let pieces = pieces.map_err(|error| client.with_base_url_hint(&kind, error))?;
        send_deltas(pieces, deltas).await;
        return reader.finish();
    }
    let mut decoder = SseDecoder::new(client.config.max_bytes);
    while !reader.is_over() {
        let event = decoder.next_event();
        let event = event.map_err(|error| ProviderError::MalformedReply(error.to_string()))?;
        if let Some(event) = event {
            send_deltas(reader.read(&event.data)?, deltas).await;
            continue;
        }
        match client.next_bytes(&mut response).await {
            Ok(Some(piece)) => decoder.push(piece),
            Ok(None) => break,
            Err(_) if reader.is_finished() => break,
            Err(error) => return Err(error),
        }
    }
    reader.finish()
}

async fn send_deltas(pieces: Vec<StreamDelta>, deltas: &DeltaSender) {
    for piece in pieces {
        let _ = deltas.send(piece).await;
    }
}

/// Whether a reply calls tools.
pub(in crate::models) fn has_calls(content: &[Content]) -> bool {
    let mut blocks = content.iter();
    blocks.any(|block| matches!(block, Content::ToolCall { .. }))
}

/// The note of a reply: about its end, then about what is left out, such as `"blocks"` of these
/// types. `None` if there is nothing to report.
pub(in crate::models) fn reply_note(
    end: Option<String>,
    what: &str,
    skipped: &[&str],
) -> Option<String> {
    let left_out = (!skipped.is_empty())
        .then(|| format!("{what} of the reply are left out: {}", skipped.join(", ")));
    let notes: Vec<String> = end.into_iter().chain(left_out).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// Parses the JSON of an event or a body.
pub(in crate::models) fn parse(json: &str) -> Result<Value, ProviderError> {
    serde_json::from_str(json).map_err(|error| malformed(&error.to_string(), json))
}

/// The error for JSON that does not have the API's format.
pub(in crate::models) fn malformed(why: &str, json: &str) -> ProviderError {
    ProviderError::MalformedReply(format!("{why}; it begins: {}", abbreviate(json.trim())))
}

/// The error for a reply that broke off after this much content.
pub(in crate::models) fn interrupted(characters: usize, calls: usize) -> ProviderError {
    ProviderError::Network(format!(
        "the reply broke off after {characters} characters of text and {calls} tool calls"
    ))
}
