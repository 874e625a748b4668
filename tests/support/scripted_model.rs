//! A model that follows a script and records its requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use serde_json::json;
use tokio::time::sleep;

use super::panic_silently;

/// What the model does on one request.
#[derive(Clone)]
pub struct Step {
    /// The deltas that it sends.
    pub deltas: Vec<StreamDelta>,
    /// The pause before each delta and before the end.
    pub pause: Duration,
    /// How it ends.
    pub end: End,
}

#[derive(Clone)]
pub enum End {
    Reply(Message),
    Fail(ProviderError),
    Panic,
    Never,
}

impl Step {
    /// A step without deltas.
    pub fn new(end: End) -> Self {
        Self {
            deltas: Vec::new(),
            pause: Duration::ZERO,
            end,
        }
    }

    /// A step with this reply. If it begins with text, the text arrives word by word.
    pub fn reply(reply: Message) -> Self {
        let deltas = match &reply {
            Message::Assistant { content, .. } => match content.first() {
                Some(Content::Text { text }) => text.split_inclusive(' ').map(text_delta).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        Self {
            deltas,
            ..Self::new(End::Reply(reply))
        }
    }

    /// A reply with this text.
    pub fn says(text: &str) -> Self {
        Self::reply(model_reply(text, &[], StopReason::Stop))
    }

    /// A reply with calls: (id, name) each.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        Self::reply(model_reply("", calls, StopReason::ToolUse))
    }

    /// The same deltas with another end.
    pub fn ends(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    /// The same with pauses.
    pub fn paused(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }
}

pub fn text_delta(text: &str) -> StreamDelta {
    StreamDelta::Text { delta: text.into() }
}

/// A reply of the scripted model, with calls without arguments: (id, name) each.
pub fn model_reply(text: &str, calls: &[(&str, &str)], stop_reason: StopReason) -> Message {
    let mut content = Vec::new();
    if !text.is_empty() {
        content.push(Content::Text { text: text.into() });
    }
    content.extend(calls.iter().map(|(id, name)| Content::ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments: json!({}),
    }));
    Message::Assistant {
        content,
        stop_reason,
        model: "m-1".into(),
        provider: "test".into(),
        usage: Usage {
            input: 10,
            output: 2,
            total_tokens: 12,
            ..Usage::default()
        },
        timestamp: 0,
        error_message: None,
    }
}

/// A request that the model has received.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<&'static str>,
    pub system: String,
    pub thinking: ThinkingLevel,
}

/// A model that takes one step for each request, and fails after the last. Clones share the
/// steps and the requests.
#[derive(Clone, Default)]
pub struct ScriptedModel {
    steps: Arc<Mutex<VecDeque<Step>>>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl ScriptedModel {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let model = Self::default();
        model.then(steps);
        model
    }

    /// Adds steps.
    pub fn then(&self, steps: impl IntoIterator<Item = Step>) {
        self.steps.lock().unwrap().extend(steps);
    }

    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait]
impl LanguageModel for ScriptedModel {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        self.requests.lock().unwrap().push(RecordedRequest {
            messages: request.messages.to_vec(),
            tools: request.tools.iter().map(|tool| tool.name).collect(),
            system: request.system.text.clone(),
            thinking: request.thinking,
        });
        let step = self.steps.lock().unwrap().pop_front();
        let Some(step) = step else {
            return Err(ProviderError::BadRequest(
                "the script has no more steps".into(),
            ));
        };
        for delta in step.deltas {
            sleep(step.pause).await;
            let _ = deltas.send(delta).await;
        }
        sleep(step.pause).await;
        match step.end {
            End::Reply(reply) => Ok(reply),
            End::Fail(error) => Err(error),
            End::Panic => panic_silently("a bug in the connection"),
            End::Never => std::future::pending().await,
        }
    }
}
