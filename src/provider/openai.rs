//! A client for any server that speaks Chat Completions.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, Url};
use serde_json::Value;
use tokio::time::timeout;

use super::http::{OpenAiConfig, client, content_type, endpoint, network};
use super::{
    ChunkReader, DONE, EventSender, Provider, ProviderError, SseDecoder, StreamAccumulator,
    StreamEvent, excerpt, parse_retry_after, request_body,
};
use crate::types::{AssistantMessage, Message, ToolDefinition};

/// Talks to one model on one server. Makes one attempt: [`Retrying`](super::Retrying)
/// makes more.
pub struct OpenAiProvider {
    client: Client,
    url: Url,
    pub(crate) config: OpenAiConfig,
}

impl OpenAiProvider {
    /// A client with this configuration. An error says what of it cannot be used; the
    /// server is not asked yet.
    pub fn new(config: OpenAiConfig) -> Result<Self, ProviderError> {
        Self::at(config, "chat/completions")
    }

    /// The same for another path of a server. What it speaks there is the caller's business;
    /// how a request is sent and an answer awaited is the same for every API.
    pub(crate) fn at(config: OpenAiConfig, path: &str) -> Result<Self, ProviderError> {
        let url = endpoint(&config, path)?;
        Ok(Self {
            client: client(&config, &url)?,
            url,
            config,
        })
    }

    /// Sends a request and waits for the answer to begin. If it did not begin within the
    /// first-byte timeout, the error says so. An answer with a status other than success
    /// is [the error it stands for](Self::refusal).
    pub(crate) async fn send(&self, body: &Value) -> Result<Response, ProviderError> {
        todo!("2.8: write OpenAiProvider::send")
    }

    /// The error behind an answer that is no success: its status, its body, and the
    /// header `Retry-After` as of now. Where the body cannot be read, the reason for that
    /// stands in its place.
    async fn refusal(&self, response: Response) -> ProviderError {
        todo!("2.8: write OpenAiProvider::refusal")
    }

    /// The next piece of an answer's body; `None` at its end. After a pause of the idle
    /// timeout the error says that the answer stopped.
    pub(crate) async fn next_piece(
        &self,
        response: &mut Response,
    ) -> Result<Option<Vec<u8>>, ProviderError> {
        todo!("2.8: write OpenAiProvider::next_piece")
    }

    /// An answer's whole body.
    pub(crate) async fn read_body(&self, mut response: Response) -> Result<String, ProviderError> {
        let mut body = Vec::new();
        while let Some(piece) = self.next_piece(&mut response).await? {
            if body.len() + piece.len() > self.config.max_bytes {
                return Err(ProviderError::MalformedReply(format!(
                    "it is longer than {} bytes",
                    self.config.max_bytes
                )));
            }
            body.extend(piece);
        }
        String::from_utf8(body)
            .map_err(|_| ProviderError::MalformedReply("it is not UTF-8".to_string()))
    }

    /// The events of an answer that is one JSON object, `Done` included.
    async fn read_whole(&self, response: Response) -> Result<Vec<StreamEvent>, ProviderError> {
        let kind = content_type(&response).to_string();
        let body = self.read_body(response).await?;
        let mut reader = ChunkReader::default();
        let read = reader.read(&body);
        let mut events = read.map_err(|error| self.misdirected(&kind, error))?;
        if !reader.is_finished() {
            return Err(ProviderError::MalformedReply(format!(
                "it holds no message: {}",
                excerpt(&body)
            )));
        }
        let mut reply = StreamAccumulator::default();
        events.iter().for_each(|event| reply.push(event));
        events.push(StreamEvent::Done(reply.stop_reason()));
        Ok(events)
    }

    /// The error of reading a body of this kind. Of one that does not even claim to be JSON
    /// it asks whether the server is the right one.
    pub(crate) fn misdirected(&self, kind: &str, error: ProviderError) -> ProviderError {
        match error {
            ProviderError::MalformedReply(why) if !kind.contains("json") => {
                ProviderError::MalformedReply(format!(
                    "the server sent `{kind}` in place of JSON ({why}); is the base URL {} right?",
                    self.config.base_url
                ))
            }
            error => error,
        }
    }

    /// What a stream brings next: the events of a chunk, or none while it is incomplete;
    /// `None` at the end of the reply.
    ///
    /// The reply ends with the data [`DONE`], or where the body does. A body that breaks
    /// or stalls is an error, unless the reader is finished: then it has ended, too.
    async fn next_events(
        &self,
        response: &mut Response,
        decoder: &mut SseDecoder,
        reader: &mut ChunkReader,
    ) -> Result<Option<Vec<StreamEvent>>, ProviderError> {
        todo!("2.9: write OpenAiProvider::next_events")
    }

    /// The error for a timeout that has run out: "`what` within so many seconds", where
    /// `what` is a half sentence such as `the answer did not begin`.
    fn too_slow(&self, what: &str, limit: Duration) -> ProviderError {
        ProviderError::Network(format!("{what} within {limit:?} ({})", self.url))
    }
}

#[async_trait]
impl Provider for OpenAiProvider {
    /// One request, answered by one JSON object.
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("2.8: write OpenAiProvider::chat")
    }

    /// One request, answered by a stream. A server that does not stream is understood
    /// too: its reply comes in few pieces.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("2.9: write OpenAiProvider::stream")
    }
}

/// Adds an event to the reply and sends it on. A reader that has gone away does not end
/// the reply.
async fn pass_on(event: StreamEvent, reply: &mut StreamAccumulator, events: &EventSender) {
    reply.push(&event);
    let _ = events.send(event).await;
}
