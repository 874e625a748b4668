//! A provider for any server with a Chat Completions API.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, Url};
use serde_json::Value;
use tokio::time::timeout;

use super::http::{OpenAiConfig, build_client, content_type, endpoint, network_error};
use super::{
    ChunkReader, DONE, EventSender, Provider, ProviderError, SseDecoder, StreamAccumulator,
    StreamEvent, abbreviate, parse_retry_after, request_body,
};
use crate::types::{AssistantMessage, Message, ToolDefinition};

/// Talks to one model on one server. Makes one attempt: [`RetryingProvider`](super::RetryingProvider)
/// makes more.
pub struct OpenAiProvider {
    client: Client,
    url: Url,
    /// Its settings.
    pub config: OpenAiConfig,
}

impl OpenAiProvider {
    /// A provider with these settings. It sends no request yet. An error names the setting
    /// that is invalid.
    pub fn new(config: OpenAiConfig) -> Result<Self, ProviderError> {
        Self::with_path(config, "chat/completions")
    }

    /// Like [`new`](Self::new), for another path below the base URL. The caller writes and
    /// reads that API's JSON; sending a request and its timeouts are the same for every API.
    pub fn with_path(config: OpenAiConfig, path: &str) -> Result<Self, ProviderError> {
        let url = endpoint(&config, path)?;
        Ok(Self {
            client: build_client(&config, &url)?,
            url,
            config,
        })
    }

    /// Sends a request and waits for the response to begin.
    ///
    /// If it does not begin within the first-byte timeout, the error is the `timeout_error` of
    /// "the answer did not begin". A status that is not a success, which is 200 to 299, becomes
    /// its `response_error`.
    pub async fn send(&self, body: &Value) -> Result<Response, ProviderError> {
        todo!("reply-in-one-piece: write OpenAiProvider::send")
    }

    /// The [error](ProviderError::from_response) of a response that is not a success, from
    /// its status, its `Retry-After` header as of now, and its body. If reading the body
    /// fails, that error's text is used as the body.
    async fn response_error(&self, response: Response) -> ProviderError {
        todo!("reply-in-one-piece: write OpenAiProvider::response_error")
    }

    /// The next bytes of a response's body; `None` at its end. After a pause of the idle
    /// timeout, the error is the `timeout_error` of "the answer stopped", such as "the answer
    /// stopped within 120s (URL)".
    pub async fn next_bytes(
        &self,
        response: &mut Response,
    ) -> Result<Option<Bytes>, ProviderError> {
        todo!("reply-in-one-piece: write OpenAiProvider::next_bytes")
    }

    /// The whole body of a response, at most `max_bytes` long.
    pub async fn read_body(&self, mut response: Response) -> Result<String, ProviderError> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next_bytes(&mut response).await? {
            if body.len() + bytes.len() > self.config.max_bytes {
                return Err(ProviderError::MalformedReply(format!(
                    "it is longer than {} bytes",
                    self.config.max_bytes
                )));
            }
            body.extend(bytes);
        }
        String::from_utf8(body)
            .map_err(|_| ProviderError::MalformedReply("it is not UTF-8".to_string()))
    }

    /// The events of a response that is one JSON object, including `Done`.
    async fn read_json_reply(&self, response: Response) -> Result<Vec<StreamEvent>, ProviderError> {
        let content_type = content_type(&response).to_string();
        let body = self.read_body(response).await?;
        let mut reader = ChunkReader::whole();
        let events = reader.read(&body);
        let mut events = events.map_err(|error| self.with_base_url_hint(&content_type, error))?;
        if !reader.is_finished() {
            return Err(ProviderError::MalformedReply(format!(
                "it contains no message: {}",
                abbreviate(&body)
            )));
        }
        let mut reply = StreamAccumulator::default();
        events.iter().for_each(|event| reply.push(event));
        events.push(StreamEvent::Done(reply.stop_reason()));
        Ok(events)
    }

    /// The error of a body that could not be read. If the content type is not JSON, the
    /// error also asks whether the base URL is right.
    pub fn with_base_url_hint(&self, content_type: &str, error: ProviderError) -> ProviderError {
        match error {
            ProviderError::MalformedReply(why) if !content_type.contains("json") => {
                ProviderError::MalformedReply(format!(
                    "the server sent `{content_type}` instead of JSON ({why}); is the base URL {} right?",
                    self.config.base_url
                ))
            }
            error => error,
        }
    }

    /// Reads a response that is an event stream: [forwards](forward) the events of each chunk
    /// as it arrives, and `Done` at the end if the reply is finished.
    ///
    /// The reply ends with the data [`DONE`] or with the body. A body that breaks or stalls
    /// is an error, unless the reader is finished: then it ends the reply too.
    async fn read_stream(
        &self,
        mut response: Response,
        reply: &mut StreamAccumulator,
        events: &EventSender,
    ) -> Result<(), ProviderError> {
        todo!("streamed-reply: write OpenAiProvider::read_stream")
    }

    /// The data of a stream's next event; `None` at the end of the body.
    ///
    /// A body that breaks or stalls is a [`ProviderError::Network`]. Bytes that the decoder
    /// refuses are a [`ProviderError::MalformedReply`].
    async fn next_data(
        &self,
        response: &mut Response,
        decoder: &mut SseDecoder,
    ) -> Result<Option<String>, ProviderError> {
        let malformed = |error| ProviderError::MalformedReply(format!("{error}"));
        loop {
            if let Some(event) = decoder.next_event().map_err(malformed)? {
                return Ok(Some(event.data));
            }
            match self.next_bytes(response).await? {
                Some(bytes) => decoder.push(bytes),
                None => return Ok(None),
            }
        }
    }

    /// The error of a timeout, such as "the answer did not begin within 300s (URL)". `event`
    /// is the part before "within".
    fn timeout_error(&self, event: &str, limit: Duration) -> ProviderError {
        ProviderError::Network(format!("{event} within {limit:?} ({})", self.url))
    }
}

#[async_trait]
impl Provider for OpenAiProvider {
    /// Sends one request and reads its reply as one JSON object.
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("reply-in-one-piece: write OpenAiProvider::chat")
    }

    /// Sends one request and forwards its reply's events as they arrive. A server may send
    /// one JSON object instead of a stream; its events are forwarded all at once.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("streamed-reply: write OpenAiProvider::stream")
    }
}

/// Adds events to the reply and sends them to the receiver. A dropped receiver does not end
/// the reply.
async fn forward(next: Vec<StreamEvent>, reply: &mut StreamAccumulator, events: &EventSender) {
    for event in next {
        reply.push(&event);
        let _ = events.send(event).await;
    }
}
