//! Helpers for chapter 2.
//!
//! Tests that speak HTTP use real connections on this machine, to a server that plays a
//! script. Tests that wait use paused time or [`SHORT_TIMEOUT`].

use std::future::Future;
use std::time::Duration;

use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;

pub use crate::support::{from_json, nested_json};

/// A timeout that is expected to run out.
pub const SHORT_TIMEOUT: Duration = Duration::from_millis(100);

/// The time after which a test fails instead of hanging.
pub const DEADLINE: Duration = Duration::from_secs(10);

/// Awaits a future, and fails after [`DEADLINE`].
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(DEADLINE, future).await {
        Ok(output) => output,
        Err(_) => panic!(
            "still waiting after {DEADLINE:?}: a timeout is missing, a channel is never closed or nobody reads it, events are not forwarded at once, or a loop does not end at [DONE]"
        ),
    }
}

/// The outcome of a call to `stream`, and the events it sent.
pub type Streamed = (Result<AssistantMessage, ProviderError>, Vec<StreamEvent>);

/// Streams a reply to a request with the tool `read`, and collects its events.
pub async fn stream(provider: &dyn Provider, messages: &[Message]) -> Streamed {
    let (sender, mut receiver) = mpsc::channel(4);
    let stream = async move { provider.stream(messages, &[&tool("read")], &sender).await };
    let collect = async {
        let mut events = Vec::new();
        while let Some(event) = receiver.recv().await {
            events.push(event);
            // A slow receiver finds the channel full, and must still get every event.
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
        }
        events
    };
    in_time(async { tokio::join!(stream, collect) }).await
}

pub async fn start_server(script: Script) -> Server {
    let server = Server::with(script).await;
    server.expect("a port on 127.0.0.1 is free")
}

/// A provider for this server. `change` can change its settings.
pub fn provider_for(server: &Server, change: impl FnOnce(&mut OpenAiConfig)) -> OpenAiProvider {
    let mut config = OpenAiConfig::new(format!("{}/v1", server.url()), "small-model");
    change(&mut config);
    OpenAiProvider::new(config).expect("the settings are valid")
}

/// A response with status 200.
pub fn response(content_type: &str, body: impl Into<Vec<u8>>) -> Fault {
    Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.into(),
    }
}

/// A fault for a failure text, with its body as text.
pub fn describe(fault: &Fault) -> String {
    match fault {
        Fault::Raw { status, body, .. } => {
            let body = abbreviate(&String::from_utf8_lossy(body));
            format!("a response with the status {status} and the body {body:?}")
        }
        fault => format!("{fault:?}"),
    }
}

/// The name of an error's variant.
pub fn variant(error: &ProviderError) -> &'static str {
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

pub fn connection_lost() -> ProviderError {
    ProviderError::Network("connection lost".into())
}

pub fn user(content: &str) -> Message {
    Message::User(from_json(&json!({ "id": "m1", "content": content })))
}

pub fn tool_result(tool_use_id: &str, content: &str) -> Message {
    from_json(&json!({
        "type": "ToolResult", "id": "m3", "tool_use_id": tool_use_id, "content": content
    }))
}

/// A reply with this text, a fixed id and nothing else.
pub fn reply(text: &str) -> AssistantMessage {
    AssistantMessage {
        id: "m2".into(),
        text: Some(text.into()),
        tool_calls: Vec::new(),
        stop_reason: StopReason::Stop,
        usage: None,
    }
}

pub fn tool_call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

pub fn tool(name: &'static str) -> ToolDefinition {
    ToolDefinition {
        name,
        description: "A tool for tests",
        parameters: json!({ "type": "object", "properties": {}, "required": [] }),
    }
}

pub fn usage(input: u64, output: u64, cache_read: u64) -> TokenUsage {
    from_json(&json!({
        "input_tokens": input, "output_tokens": output, "cache_read_tokens": cache_read
    }))
}

pub fn text_delta(text: &str) -> StreamEvent {
    StreamEvent::TextDelta(text.into())
}

pub fn call_start(index: usize, id: &str, name: &str) -> StreamEvent {
    StreamEvent::ToolCallStart {
        index,
        id: id.into(),
        name: name.into(),
    }
}

pub fn call_delta(index: usize, arguments: &str) -> StreamEvent {
    StreamEvent::ToolCallDelta {
        index,
        arguments: arguments.into(),
    }
}

/// The text of the text deltas among these events.
pub fn text_of(events: &[StreamEvent]) -> String {
    let texts = events.iter().filter_map(|event| match event {
        StreamEvent::TextDelta(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// The index, id and name of each call that starts among these events.
pub fn starts_of(events: &[StreamEvent]) -> Vec<(usize, String, String)> {
    let starts = events.iter().filter_map(|event| match event {
        StreamEvent::ToolCallStart { index, id, name } => Some((*index, id.clone(), name.clone())),
        _ => None,
    });
    starts.collect()
}

/// The arguments of one call, joined from its deltas.
pub fn arguments_of(events: &[StreamEvent], call: usize) -> String {
    let pieces = events.iter().filter_map(|event| match event {
        StreamEvent::ToolCallDelta { index, arguments } if *index == call => {
            Some(arguments.as_str())
        }
        _ => None,
    });
    pieces.collect()
}

/// How many of these events are `Done`.
pub fn count_done(events: &[StreamEvent]) -> usize {
    let done = events.iter().filter(|e| matches!(e, StreamEvent::Done(_)));
    done.count()
}

/// The reply that an accumulator makes of these events.
pub fn accumulate(events: &[StreamEvent]) -> Result<AssistantMessage, ProviderError> {
    let mut accumulator = StreamAccumulator::default();
    for event in events {
        accumulator.push(event);
    }
    accumulator.finish()
}
