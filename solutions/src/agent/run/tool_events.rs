//! What the reader is told of calls, and what a result looks like.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::agent::{AgentEvent, ChildLoops, Content, EventSink, Message, ToolExecutionResult};
use crate::engine::{OpenCall, QueryEvent};
use crate::tools::Attachments;
use crate::types::{ToolCall, ToolResultMessage, result_message};

/// Turns the dispatcher's events into the agent's. Every call is told once to start and
/// once to end.
pub(in crate::agent) struct Telling<'a> {
    loop_id: &'a str,
    /// By the call's id.
    calls: HashMap<String, Told>,
    sink: &'a mut EventSink,
    collectors: Collectors,
}

/// What was told of a call.
#[derive(Default)]
struct Told {
    name: String,
    is_started: bool,
    images: Vec<Content>,
    shown: Option<Shown>,
}

/// A result, as it was shown.
#[derive(Clone)]
pub(in crate::agent) struct Shown {
    result: ToolExecutionResult,
    is_error: bool,
}

/// What tools hand over beside their text.
#[derive(Clone, Default)]
pub(in crate::agent) struct Collectors {
    attachments: Attachments,
    children: ChildLoops,
}

impl Collectors {
    /// Does `work`, and collects meanwhile.
    pub async fn during<F: Future>(&self, work: F) -> F::Output {
        let work = self.children.during(work);
        self.attachments.during(work).await
    }
}

impl<'a> Telling<'a> {
    /// For these calls, of which nothing was told yet.
    pub fn new(loop_id: &'a str, calls: &[OpenCall], sink: &'a mut EventSink) -> Self {
        let told = |open: &OpenCall| {
            let told = Told {
                name: open.call.name.clone(),
                ..Told::default()
            };
            (open.call.id.clone(), told)
        };
        Self {
            loop_id,
            calls: calls.iter().map(told).collect(),
            sink,
            collectors: Collectors::default(),
        }
    }

    /// What is to be set around the calls.
    pub fn collectors(&self) -> Collectors {
        self.collectors.clone()
    }

    /// Tells what the dispatcher tells.
    pub async fn pass_on(&mut self, event: QueryEvent) {
        match event {
            QueryEvent::ToolStarted { call, .. } => self.start(&call).await,
            QueryEvent::ToolFinished { call_id, result } => self.end(&call_id, result).await,
            QueryEvent::Progress(progress) => self.progress(&progress.tool_use_id, progress.data),
            QueryEvent::Text(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
        }
    }

    /// Tells of a call whatever was not told yet, and returns how its result was shown.
    pub async fn complete(&mut self, call: &ToolCall, result: ToolResultMessage) -> Shown {
        self.start(call).await;
        self.end(&call.id, result).await;
        let shown = self.calls.get(&call.id).and_then(|told| told.shown.clone());
        // Every call has an entry, and `end` has filled it.
        shown.unwrap_or_else(|| Shown {
            result: ToolExecutionResult::default(),
            is_error: true,
        })
    }

    async fn start(&mut self, call: &ToolCall) {
        let told = self.calls.entry(call.id.clone()).or_default();
        if told.is_started {
            return;
        }
        told.is_started = true;
        let event = AgentEvent::ToolExecutionStart {
            loop_id: self.loop_id.to_string(),
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            args: call.arguments.clone(),
        };
        self.sink.send(event).await;
    }

    async fn end(&mut self, call_id: &str, result: ToolResultMessage) {
        for attached in self.collectors.attachments.take() {
            let id = attached.call_id.unwrap_or_default();
            if let Some(told) = self.calls.get_mut(&id) {
                told.images.push(Content::Image {
                    data: STANDARD.encode(&attached.attachment.data),
                    mime_type: attached.attachment.media_type,
                });
            }
        }
        let Some(told) = self.calls.get_mut(call_id) else {
            return;
        };
        if told.shown.is_some() {
            return;
        }
        let child_loop_id = self.collectors.children.of(call_id);
        let shown = Shown::new(result, std::mem::take(&mut told.images), child_loop_id);
        told.shown = Some(shown.clone());
        let event = AgentEvent::ToolExecutionEnd {
            loop_id: self.loop_id.to_string(),
            tool_call_id: call_id.to_string(),
            tool_name: told.name.clone(),
            child_loop_id: shown.result.child_loop_id.clone(),
            result: shown.result,
            is_error: shown.is_error,
        };
        self.sink.send(event).await;
    }

    /// Words are for the user. Anything else is what the tool has so far. Of a call that
    /// is over, nothing is told any more.
    fn progress(&mut self, call_id: &str, data: Value) {
        let is_running = |told: &&Told| told.is_started && told.shown.is_none();
        let Some(told) = self.calls.get(call_id).filter(is_running) else {
            return;
        };
        let loop_id = self.loop_id.to_string();
        let tool_call_id = call_id.to_string();
        let tool_name = told.name.clone();
        self.sink.offer(match data {
            Value::String(text) => AgentEvent::ProgressMessage {
                loop_id,
                tool_call_id,
                tool_name,
                text,
            },
            details => AgentEvent::ToolExecutionUpdate {
                loop_id,
                tool_call_id,
                tool_name,
                partial_result: ToolExecutionResult {
                    details,
                    ..ToolExecutionResult::default()
                },
            },
        });
    }
}

impl Shown {
    /// The result as the agent's blocks: its bare text, then the images of the call. The
    /// prefix of a failure is not needed here, because every agent message and event has
    /// a field for a failure.
    fn new(result: ToolResultMessage, images: Vec<Content>, child_loop_id: Option<String>) -> Self {
        let text = result_message(&result.content, result.is_error).to_string();
        let mut content = vec![Content::Text { text }];
        content.extend(images);
        let details = match result.is_truncated {
            true => json!({ "is_truncated": true }),
            false => Value::Null,
        };
        Self {
            is_error: result.is_error,
            result: ToolExecutionResult {
                content,
                details,
                child_loop_id,
                ..ToolExecutionResult::default()
            },
        }
    }

    /// The message that the history gets.
    pub fn message(self, call: &ToolCall, timestamp: u64) -> Message {
        Message::ToolResult {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content: self.result.content,
            is_error: self.is_error,
            timestamp,
            child_loop_id: self.result.child_loop_id,
        }
    }
}
