//! Models by script and tools by closure.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::{Tool, ToolDefinition, ToolResult};
use serde_json::{Value, json};
use tokio::time::sleep;

/// One request's answer.
#[derive(Clone)]
pub struct Step {
    pub pieces: Vec<StreamDelta>,
    /// Before each piece, and before the end.
    pub pause: Duration,
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
    pub fn new(end: End) -> Self {
        Self {
            pieces: Vec::new(),
            pause: Duration::ZERO,
            end,
        }
    }

    /// A reply of these words, which arrive one by one.
    pub fn says(text: &str) -> Self {
        let words = text.split_inclusive(' ');
        let mut step = Self::new(End::Reply(reply(text, &[], StopReason::Stop)));
        step.pieces = words.map(piece).collect();
        step
    }

    /// A reply that calls tools: (id, name) each.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        Self::new(End::Reply(reply("", calls, StopReason::ToolUse)))
    }

    /// The pieces come, and this end instead of theirs.
    pub fn ends(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    pub fn paused(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }
}

pub fn piece(text: &str) -> StreamDelta {
    StreamDelta::Text { delta: text.into() }
}

/// A reply as a model makes it.
pub fn reply(text: &str, calls: &[(&str, &str)], stop_reason: StopReason) -> Message {
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

/// What a model was requests.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<&'static str>,
    pub system: String,
    pub thinking: ThinkingLevel,
}

/// Plays steps, and remembers what it was requests. Copies share both.
#[derive(Clone, Default)]
pub struct Scripted {
    steps: Arc<Mutex<VecDeque<Step>>>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl Scripted {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let script = Self::default();
        script.then(steps);
        script
    }

    pub fn then(&self, steps: impl IntoIterator<Item = Step>) {
        self.steps.lock().unwrap().extend(steps);
    }

    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait]
impl LanguageModel for Scripted {
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
            return Err(ProviderError::BadRequest("the script is at its end".into()));
        };
        for piece in step.pieces {
            sleep(step.pause).await;
            let _ = deltas.send(piece).await;
        }
        sleep(step.pause).await;
        match step.end {
            End::Reply(reply) => Ok(reply),
            End::Fail(error) => Err(error),
            End::Panic => crash("a bug in the connection"),
            End::Never => std::future::pending().await,
        }
    }
}

/// A panic that the test wants, without its report on the screen.
pub fn crash(words: &str) -> ! {
    std::panic::resume_unwind(Box::new(words.to_string()))
}

type Work = Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send>>;

/// A tool that is a closure.
pub struct FnTool {
    definition: ToolDefinition,
    safe: bool,
    work: Box<dyn Fn(Value) -> Work + Send + Sync>,
}

pub fn tool<F>(name: &'static str, work: impl Fn(Value) -> F + Send + Sync + 'static) -> FnTool
where
    F: Future<Output = anyhow::Result<ToolResult>> + Send + 'static,
{
    FnTool {
        definition: ToolDefinition::new(name, "A tool for a test"),
        safe: false,
        work: Box::new(move |args| Box::pin(work(args))),
    }
}

/// A tool that says `output` after a time.
pub fn slow(name: &'static str, milliseconds: u64, output: &'static str) -> FnTool {
    tool(name, move |_| async move {
        sleep(Duration::from_millis(milliseconds)).await;
        Ok(ToolResult::text(output))
    })
}

impl FnTool {
    pub fn safe(mut self) -> Self {
        self.safe = true;
        self
    }
}

#[async_trait]
impl Tool for FnTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        (self.work)(args).await
    }

    fn is_concurrent_safe(&self) -> bool {
        self.safe
    }
}
