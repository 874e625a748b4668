//! One request of an API's own model, from the body that is sent to the reply that is read.

use serde_json::Value;

use crate::agent::{
    Content, DeltaSender, LanguageModel, Message, StopReason, StreamDelta, Usage, now_ms,
};
use crate::provider::http::content_type;
use crate::provider::{OpenAiProvider, ProviderError, SseDecoder, abbreviate};

/// Puts one reply together from what an API says of it.
pub trait ReplyReader: Send {
    /// Takes in the data of the next event, and gives the pieces in it that can be shown.
    fn read(&mut self, data: &str) -> Result<Vec<StreamDelta>, ProviderError>;

    /// Takes in a whole reply, from a server that does not stream.
    fn read_whole(&mut self, body: &str) -> Result<Vec<StreamDelta>, ProviderError>;

    /// Whether the server has said why the reply ends: then nothing of it is missing.
    fn is_finished(&self) -> bool;

    /// Whether nothing more will come.
    fn is_over(&self) -> bool {
        self.is_finished()
    }

    /// The reply. If the reader is not finished, that is a [`ProviderError::Network`] which
    /// says that it broke off.
    fn finish(self) -> Result<Reply, ProviderError>;
}

/// What a reader has made of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The blocks, in order.
    pub content: Vec<Content>,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// What has to be said of how it ended.
    pub note: Option<String>,
    /// What it cost.
    pub usage: Usage,
}

impl Reply {
    /// The reply as a message of this model's, now.
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

/// Sends a request, has the answer read and passes its pieces on as they come. A reader of
/// deltas that has gone away does not end the reply.
///
/// The reply ends where the reader says that it is over, or where the body does. A body that
/// breaks or stalls is an error, unless the reader is finished. An answer that is no stream
/// is read whole; if it cannot be, the error asks whether the server is the right one.
pub(in crate::models) async fn ask<R: ReplyReader>(
    line: &OpenAiProvider,
    body: &Value,
    mut reader: R,
    deltas: &DeltaSender,
) -> Result<Reply, ProviderError> {
    todo!("19.10: write ask")
}

async fn show(pieces: Vec<StreamDelta>, deltas: &DeltaSender) {
    for piece in pieces {
        let _ = deltas.send(piece).await;
    }
}

/// The JSON of an event or a body.
pub(in crate::models) fn parse(json: &str) -> Result<Value, ProviderError> {
    serde_json::from_str(json).map_err(|error| malformed(&error.to_string(), json))
}

/// The error of JSON that is not what the API says it is.
pub(in crate::models) fn malformed(why: &str, json: &str) -> ProviderError {
    ProviderError::MalformedReply(format!("{why}; it begins: {}", abbreviate(json.trim())))
}

/// The error of a reply of which only so much has come.
pub(in crate::models) fn broke_off(characters: usize, calls: usize) -> ProviderError {
    ProviderError::Network(format!(
        "the reply broke off after {characters} characters of text and {calls} tool calls"
    ))
}
