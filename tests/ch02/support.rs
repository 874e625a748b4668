//! Chapter 2, Provider & Streaming.
//!
//! Whatever speaks HTTP here does so over real connections on this machine, to a server
//! that plays a script. Where something has to wait, time is paused or the wait is short.

use std::future::Future;
use std::time::Duration;

use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// A timeout that is meant to run out.
pub const SHORT: Duration = Duration::from_millis(150);

/// After this long a test is taken to hang.
pub const HANG: Duration = Duration::from_secs(10);

/// Fails a test that waits for something which never comes.
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(HANG, future).await {
        Ok(output) => output,
        Err(_) => {
            panic!(
                "still waiting after {HANG:?}: a timeout that should have ended this is missing, or a channel is never closed"
            )
        }
    }
}

/// Streams a reply and collects its events.
pub async fn streamed(
    provider: &dyn Provider,
    messages: &[Message],
    tools: &[&ToolDefinition],
) -> (Result<AssistantMessage, ProviderError>, Vec<StreamEvent>) {
    let (sender, mut receiver) = mpsc::channel(4);
    let stream = async move { provider.stream(messages, tools, &sender).await };
    let collect = async {
        let mut events = Vec::new();
        while let Some(event) = receiver.recv().await {
            events.push(event);
        }
        events
    };
    in_time(async { tokio::join!(stream, collect) }).await
}

pub async fn server(script: Script) -> Server {
    Server::with(script)
        .await
        .expect("a free port on 127.0.0.1")
}

/// A provider that asks this server, with some of its settings changed.
pub fn provider(server: &Server, change: impl FnOnce(&mut OpenAiConfig)) -> OpenAiProvider {
    let mut config = OpenAiConfig::new(format!("{}/v1", server.url()), "small-model");
    change(&mut config);
    OpenAiProvider::new(config).expect("good settings")
}

pub fn kind(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Authentication(_) => "Authentication",
        ProviderError::RateLimited { .. } => "RateLimited",
        ProviderError::Overloaded { .. } => "Overloaded",
        ProviderError::ContextOverflow(_) => "ContextOverflow",
        ProviderError::BadRequest(_) => "BadRequest",
        ProviderError::Network(_) => "Network",
        ProviderError::MalformedReply(_) => "MalformedReply",
    }
}

pub fn user(content: &str) -> UserMessage {
    from_json(json!({ "id": "m1", "content": content }))
}

/// A reply with this text and always the same id.
pub fn said(text: &str) -> AssistantMessage {
    AssistantMessage {
        id: "m2".into(),
        text: Some(text.into()),
        tool_calls: Vec::new(),
        stop_reason: StopReason::Stop,
        usage: None,
    }
}

pub fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

pub fn tool(name: &'static str) -> ToolDefinition {
    ToolDefinition {
        name,
        description: "Does as it is told",
        parameters: json!({ "type": "object", "properties": {}, "required": [] }),
    }
}

pub fn usage(input: u64, output: u64, cache_read: u64) -> TokenUsage {
    from_json(json!({
        "input_tokens": input, "output_tokens": output, "cache_read_tokens": cache_read
    }))
}

pub fn from_json<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("this is chapter 1's JSON")
}

pub fn start(index: usize, id: &str, name: &str) -> StreamEvent {
    StreamEvent::ToolCallStart {
        index,
        id: id.into(),
        name: name.into(),
    }
}

pub fn delta(index: usize, arguments: &str) -> StreamEvent {
    StreamEvent::ToolCallDelta {
        index,
        arguments: arguments.into(),
    }
}

pub fn text_of(event: &StreamEvent) -> Option<&str> {
    match event {
        StreamEvent::TextDelta(text) => Some(text),
        _ => None,
    }
}

pub fn starts(events: &[StreamEvent]) -> Vec<(usize, String, String)> {
    let starts = events.iter().filter_map(|event| match event {
        StreamEvent::ToolCallStart { index, id, name } => Some((*index, id.clone(), name.clone())),
        _ => None,
    });
    starts.collect()
}

pub fn arguments_of(events: &[StreamEvent], call: usize) -> String {
    let pieces = events.iter().filter_map(|event| match event {
        StreamEvent::ToolCallDelta { index, arguments } if *index == call => {
            Some(arguments.as_str())
        }
        _ => None,
    });
    pieces.collect()
}

pub fn accumulated(events: &[StreamEvent]) -> Result<AssistantMessage, ProviderError> {
    let mut accumulator = StreamAccumulator::default();
    for event in events {
        accumulator.push(event);
    }
    accumulator.finish()
}

/// A chunk with these entries of `tool_calls`.
pub fn calls(entries: Value) -> String {
    json!({ "choices": [{ "index": 0, "delta": { "tool_calls": entries } }] }).to_string()
}

pub fn event(event: &str, data: &str, id: &str) -> SseEvent {
    SseEvent {
        event: event.into(),
        data: data.into(),
        id: id.into(),
    }
}
