//! A provider that streams prepared replies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::provider::{EventSender, Provider, ProviderError, StreamEvent};
use claw_code::types::*;
use serde_json::json;
use tokio::time::sleep;

/// The error of a request for which the script has no reply.
pub const SCRIPT_IS_OVER: &str = "the script has no reply left";

/// The reply to one request: its text in pieces, and then the complete reply or an error.
#[derive(Clone, Debug)]
pub struct ScriptedReply {
    pub pieces: Vec<String>,
    /// The time before each piece and before the end.
    pub pause: Duration,
    pub end: Result<AssistantMessage, ProviderError>,
}

impl ScriptedReply {
    /// A reply without calls, whose text arrives in these pieces.
    pub fn text(pieces: &[&str]) -> Self {
        let text = pieces.concat();
        Self {
            pieces: pieces.iter().map(|piece| piece.to_string()).collect(),
            pause: Duration::ZERO,
            end: Ok(AssistantMessage {
                id: new_id(),
                text: (!text.is_empty()).then_some(text),
                tool_calls: vec![],
                stop_reason: StopReason::Stop,
                usage: None,
            }),
        }
    }

    /// A reply with these calls, by id and tool name, and without arguments.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        Self {
            end: Ok(reply_with_calls(calls)),
            ..Self::text(&[])
        }
    }

    /// A reply that ends with `error` after these pieces.
    pub fn fails(pieces: &[&str], error: ProviderError) -> Self {
        Self {
            end: Err(error),
            ..Self::text(pieces)
        }
    }

    /// Sets the time before each piece and before the end.
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    pub fn with_stop_reason(self, reason: StopReason) -> Self {
        self.map(|reply| reply.stop_reason = reason)
    }

    pub fn with_usage(self, usage: &TokenUsage) -> Self {
        self.map(|reply| reply.usage = Some(usage.clone()))
    }

    /// Changes the complete reply, if there is one.
    pub fn map(mut self, change: impl FnOnce(&mut AssistantMessage)) -> Self {
        if let Ok(reply) = &mut self.end {
            change(reply);
        }
        self
    }
}

/// A complete reply with these calls, by id and tool name, and without arguments.
pub fn reply_with_calls(calls: &[(&str, &str)]) -> AssistantMessage {
    let calls = calls.iter().map(|(id, name)| ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments: json!({}),
    });
    AssistantMessage {
        id: new_id(),
        text: None,
        tool_calls: calls.collect(),
        stop_reason: StopReason::ToolUse,
        usage: None,
    }
}

/// The messages and the tool names of one request.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<String>,
}

/// Streams one scripted reply per request, and records the requests. Clones share both.
#[derive(Clone, Default)]
pub struct ScriptedProvider {
    replies: Arc<Mutex<VecDeque<ScriptedReply>>>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl ScriptedProvider {
    pub fn new(replies: impl IntoIterator<Item = ScriptedReply>) -> Self {
        let provider = Self::default();
        provider.set_replies(replies);
        provider
    }

    /// Replaces the replies that are left.
    pub fn set_replies(&self, replies: impl IntoIterator<Item = ScriptedReply>) {
        *self.replies.lock().unwrap() = replies.into_iter().collect();
    }

    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait]
impl Provider for ScriptedProvider {
    async fn chat(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        panic!("the request must be streamed, so that text appears as it arrives: call `stream`");
    }

    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        self.requests.lock().unwrap().push(RecordedRequest {
            messages: messages.to_vec(),
            tools: tools.iter().map(|tool| tool.name.to_string()).collect(),
        });
        let reply = self.replies.lock().unwrap().pop_front();
        let reply = reply.ok_or_else(|| ProviderError::BadRequest(SCRIPT_IS_OVER.into()))?;
        // A receiver that was dropped does not stop the reply, as with a real provider.
        for piece in reply.pieces {
            sleep(reply.pause).await;
            let _ = events.send(StreamEvent::TextDelta(piece)).await;
        }
        sleep(reply.pause).await;
        // Some servers report a usage at once, and again at the end: only the reply's is final.
        let _ = events.send(StreamEvent::Usage(TokenUsage::default())).await;
        let reply = reply.end?;
        for (index, call) in reply.tool_calls.iter().enumerate() {
            let start = StreamEvent::ToolCallStart {
                index,
                id: call.id.clone(),
                name: call.name.clone(),
            };
            let _ = events.send(start).await;
            let arguments = call.arguments.to_string();
            let delta = StreamEvent::ToolCallDelta { index, arguments };
            let _ = events.send(delta).await;
        }
        if let Some(usage) = &reply.usage {
            // Some servers report a usage more than once, and only the reply's is final.
            for usage in [usage.clone(), TokenUsage::default()] {
                let _ = events.send(StreamEvent::Usage(usage)).await;
            }
        }
        let done = StreamEvent::Done(reply.stop_reason.clone());
        let _ = events.send(done).await;
        Ok(reply)
    }
}
