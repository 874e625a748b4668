//! The events of tool calls, and the agent's form of their results.

use std::borrow::Cow;
use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::agent::run::panic_guard::ScopedReceiver;
use crate::agent::{AgentEvent, ChildLoops, Content, EventSink, Message, ToolExecutionResult};
use crate::engine::{OpenCall, QueryEvent};
use crate::tools::Attachments;
use crate::types::{ToolCall, ToolResultMessage, result_message};

/// Converts the dispatcher's events to the agent's. Every call gets one start event and one
/// end event.
pub(in crate::agent) struct ToolEvents<'a> {
    loop_id: &'a str,
    /// The calls by id.
    calls: HashMap<String, SentEvents>,
    sink: &'a mut EventSink,
    collectors: Collectors,
}

/// The state of one call's events.
#[derive(Default)]
struct SentEvents {
    name: String,
    is_started: bool,
    /// The attached images, until the end event.
    images: Vec<Content>,
    /// The result, once the end event is sent.
    result: Option<SentResult>,
}

/// The result of a call, as its end event carries it.
#[derive(Clone)]
pub(in crate::agent) struct SentResult {
    result: ToolExecutionResult,
    is_error: bool,
}

/// Collects what tools report in addition to their text: attachments and child loops.
#[derive(Clone, Default)]
pub(in crate::agent) struct Collectors {
    attachments: Attachments,
    children: ChildLoops,
}

impl Collectors {
    /// Runs `work` and collects what it reports.
    pub async fn during<F: Future>(&self, work: F) -> F::Output {
        let work = self.children.during(work);
        self.attachments.during(work).await
    }
}

impl<'a> ToolEvents<'a> {
    /// For these calls, before any of their events.
    pub fn new(loop_id: &'a str, calls: &[OpenCall], sink: &'a mut EventSink) -> Self {
        let entry = |open: &OpenCall| {
            let sent = SentEvents {
                name: open.call.name.clone(),
                ..SentEvents::default()
            };
            (open.call.id.clone(), sent)
        };
        Self {
            loop_id,
            calls: calls.iter().map(entry).collect(),
            sink,
            collectors: Collectors::default(),
        }
    }

    /// The collectors that must run around the calls.
    pub fn collectors(&self) -> Collectors {
        self.collectors.clone()
    }

    /// Forwards every event of the dispatcher until the batch is done.
    pub async fn forward_all(&mut self, events: &mut ScopedReceiver<QueryEvent>) {
        while let Some(event) = events.next().await {
            self.forward(event).await;
        }
    }

    /// Converts an event of the dispatcher and sends it.
    async fn forward(&mut self, event: QueryEvent) {
        match event {
            QueryEvent::ToolStarted { call, .. } => self.send_start(Cow::Owned(call)).await,
            QueryEvent::ToolFinished { call_id, result } => self.send_end(&call_id, result).await,
            QueryEvent::Progress(progress) => {
                self.send_progress(&progress.tool_use_id, progress.data)
            }
            QueryEvent::Text(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
        }
    }

    /// Sends the events of a call that have not been sent, and returns its result. If the end
    /// event was sent before, that event's result counts.
    pub async fn finish_call(&mut self, call: &ToolCall, result: ToolResultMessage) -> SentResult {
        self.send_start(Cow::Borrowed(call)).await;
        self.send_end(&call.id, result).await;
        let sent = self.calls.remove(&call.id);
        // Every call has an entry, and `send_end` has filled it.
        sent.and_then(|sent| sent.result)
            .unwrap_or_else(|| SentResult {
                result: ToolExecutionResult::default(),
                is_error: true,
            })
    }

    /// Sends the start event of a call, unless it has been sent.
    async fn send_start(&mut self, call: Cow<'_, ToolCall>) {
        let Some(sent) = self.calls.get_mut(&call.id) else {
            return;
        };
        if sent.is_started {
            return;
        }
        sent.is_started = true;
        let call = call.into_owned();
        let event = AgentEvent::ToolExecutionStart {
            loop_id: self.loop_id.to_string(),
            tool_call_id: call.id,
            tool_name: call.name,
            args: call.arguments,
        };
        self.sink.send(event).await;
    }

    /// Sends the end event of a call, unless it has been sent.
    async fn send_end(&mut self, call_id: &str, result: ToolResultMessage) {
        for attached in self.collectors.attachments.take() {
            let id = attached.call_id.unwrap_or_default();
            if let Some(sent) = self.calls.get_mut(&id) {
                sent.images.push(Content::Image {
                    data: STANDARD.encode(&attached.attachment.data),
                    mime_type: attached.attachment.media_type,
                });
            }
        }
        let Some(sent) = self.calls.get_mut(call_id) else {
            return;
        };
        if sent.result.is_some() {
            return;
        }
        let child_loop_id = self.collectors.children.of(call_id);
        let result = SentResult::new(result, std::mem::take(&mut sent.images), child_loop_id);
        sent.result = Some(result.clone());
        let event = AgentEvent::ToolExecutionEnd {
            loop_id: self.loop_id.to_string(),
            tool_call_id: call_id.to_string(),
            tool_name: sent.name.clone(),
            child_loop_id: result.result.child_loop_id.clone(),
            result: result.result,
            is_error: result.is_error,
        };
        self.sink.send(event).await;
    }

    /// [Offers](EventSink::offer) a progress report as an event. Drops it if the call has not
    /// started or has ended.
    fn send_progress(&mut self, call_id: &str, data: Value) {
        let is_running = |sent: &&SentEvents| sent.is_started && sent.result.is_none();
        let Some(sent) = self.calls.get(call_id).filter(is_running) else {
            return;
        };
        let event = progress_event(self.loop_id, call_id, &sent.name, data);
        self.sink.offer(event);
    }
}

/// The event for a progress report: a `ProgressMessage` for text, otherwise a
/// `ToolExecutionUpdate` with the report as its details.
fn progress_event(loop_id: &str, call_id: &str, tool_name: &str, data: Value) -> AgentEvent {
    let loop_id = loop_id.to_string();
    let tool_call_id = call_id.to_string();
    let tool_name = tool_name.to_string();
    match data {
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
    }
}

impl SentResult {
    /// The result as content blocks: its text, then the images of the call. The text has no
    /// prefix for a failure, because a field says whether the call failed. The details of
    /// a truncated result are `{"is_truncated": true}`.
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

    /// The message for the history.
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
