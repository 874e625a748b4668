//! Chapter 4, The Agent Loop.
//!
//! Models are scripts and tools are closures. Time is tokio's paused clock: it jumps
//! ahead when every task waits, so a test that would hang ends at once.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::{EventSender, Provider, ProviderError, StreamEvent};
use claw_code::types::*;
use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

pub fn user(content: &str) -> Message {
    Message::user(content)
}

pub fn says(text: &str) -> Message {
    Message::assistant(Some(text.into()), vec![], StopReason::Stop, None)
}

pub fn calls(ids: &[&str]) -> Message {
    Message::Assistant(reply(ids))
}

pub fn result(id: &str) -> Message {
    Message::tool_result(id, format!("result of {id}"))
}

pub fn reply(ids: &[&str]) -> AssistantMessage {
    let calls: Vec<(&str, &str)> = ids.iter().map(|id| (*id, "t")).collect();
    reply_of(&calls)
}

pub fn reply_of(calls: &[(&str, &str)]) -> AssistantMessage {
    AssistantMessage {
        id: new_id(),
        text: None,
        tool_calls: calls.iter().map(|(id, name)| call(id, name)).collect(),
        stop_reason: StopReason::ToolUse,
        usage: None,
    }
}

pub fn call(id: &str, name: &str) -> ToolCall {
    call_with(id, name, json!({}))
}

pub fn call_with(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

pub fn content(message: &Message) -> &str {
    match message {
        Message::ToolResult(result) => &result.content,
        other => panic!("a result is due here, and it is {other:?}"),
    }
}

/// A history in words: `user, calls(a b), result(a), result(b), says(Done.)`.
pub fn shape(history: &[Message]) -> String {
    let words: Vec<String> = history
        .iter()
        .map(|message| match message {
            Message::Assistant(reply) if !reply.tool_calls.is_empty() => {
                let ids: Vec<&str> = reply.tool_calls.iter().map(|c| c.id.as_str()).collect();
                format!("calls({})", ids.join(" "))
            }
            Message::Assistant(reply) => format!("says({})", reply.text.as_deref().unwrap_or("")),
            Message::ToolResult(result) => format!("result({})", result.tool_use_id),
            Message::User(_) => "user".into(),
            Message::System(_) => "system".into(),
            other => format!("{other:?}"),
        })
        .collect();
    words.join(", ")
}

pub fn text(text: &str) -> QueryEvent {
    QueryEvent::Text(text.into())
}

pub fn progress(call: &str, data: Value) -> QueryEvent {
    QueryEvent::Progress(ProgressMessage {
        tool_use_id: call.into(),
        data,
    })
}

pub async fn all(mut reader: mpsc::Receiver<QueryEvent>) -> Vec<QueryEvent> {
    let mut events = Vec::new();
    while let Ok(event) = reader.try_recv() {
        events.push(event);
    }
    events
}

/// Events in words: `started(a) finished(a) text(Done.) end`.
pub fn kinds(events: &[QueryEvent]) -> String {
    let words: Vec<String> = events
        .iter()
        .map(|event| match event {
            QueryEvent::Text(text) => format!("text({text})"),
            QueryEvent::ToolStarted { call, .. } => format!("started({})", call.id),
            QueryEvent::Progress(progress) => format!("progress({})", progress.tool_use_id),
            QueryEvent::ToolFinished { call_id, result } => {
                assert_eq!(*call_id, result.tool_use_id, "an event names one call");
                format!("finished({call_id})")
            }
            QueryEvent::Usage(_) => "usage".into(),
            QueryEvent::TurnFinished { .. } => "end".into(),
        })
        .collect();
    words.join(" ")
}

/// What `work` returns, unless a tool's panic comes through it.
pub async fn without_panic<F: Future>(work: F) -> F::Output {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(output) => output,
        Err(panic) if panic_says(&*panic, "a bug in the tool") => {
            panic!("the tool's panic must not end the turn: `execute` of chapter 3 catches it")
        }
        Err(panic) => resume_unwind(panic),
    }
}

/// What `work` returns, unless it hangs.
pub async fn in_time<F: Future>(or_else: &str, work: F) -> F::Output {
    match timeout(Duration::from_secs(3600), without_panic(work)).await {
        Ok(output) => output,
        Err(_) => panic!("{or_else}; it hangs"),
    }
}

/// A panic that prints nothing: the first message of a test that fails is its own.
pub fn crash(words: &str) -> ! {
    resume_unwind(Box::new(words.to_string()))
}

pub fn panic_says(panic: &(dyn std::any::Any + Send), words: &str) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.is_some_and(|text| text.contains(words))
}

pub async fn soon<F: Future>(work: F) -> F::Output {
    in_time("this must come to an end", work).await
}

pub fn cancelled_after(time: Duration) -> CancellationToken {
    let cancel = CancellationToken::new();
    let inner = cancel.clone();
    tokio::spawn(async move {
        sleep(time).await;
        inner.cancel();
    });
    cancel
}

pub fn contents(open: &mut [OpenCall]) -> Vec<String> {
    open.iter_mut()
        .map(|open| open.settle(1000).content)
        .collect()
}

pub async fn turn(
    script: Script,
    tools: ToolSet,
    mut history: Vec<Message>,
) -> (
    Result<AssistantMessage, QueryError>,
    Vec<Message>,
    Vec<Vec<Message>>,
) {
    let seen = script.requests.clone();
    let engine = QueryEngine::builder(script).tools(tools);
    let cancel = CancellationToken::new();
    let outcome = soon(engine.turn(&mut history, &Events::nowhere(), &cancel)).await;
    let requests = seen.lock().unwrap().iter().map(|r| r.0.clone()).collect();
    (outcome, history, requests)
}

pub type Requests = Arc<Mutex<Vec<(Vec<Message>, Vec<String>)>>>;

pub struct Script {
    pub steps: Arc<Mutex<VecDeque<Step>>>,
    pub requests: Requests,
}

pub struct Step {
    pub pieces: Vec<String>,
    pub pause: Duration,
    pub reply: Result<AssistantMessage, ProviderError>,
}

impl Step {
    pub fn says(pieces: &[&str]) -> Self {
        let text = pieces.concat();
        Self {
            pieces: pieces.iter().map(|piece| piece.to_string()).collect(),
            pause: Duration::ZERO,
            reply: Ok(AssistantMessage {
                id: new_id(),
                text: (!text.is_empty()).then_some(text),
                tool_calls: vec![],
                stop_reason: StopReason::Stop,
                usage: None,
            }),
        }
    }

    pub fn calls(calls: &[(&str, &str)]) -> Self {
        Self {
            reply: Ok(reply_of(calls)),
            ..Self::says(&[])
        }
    }

    pub fn breaks(pieces: &[&str], error: ProviderError) -> Self {
        Self {
            reply: Err(error),
            ..Self::says(pieces)
        }
    }

    pub fn pausing(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    pub fn stopping(mut self, reason: StopReason) -> Self {
        if let Ok(reply) = &mut self.reply {
            reply.stop_reason = reason;
        }
        self
    }

    pub fn with_text(mut self, text: &str) -> Self {
        if let Ok(reply) = &mut self.reply {
            reply.text = Some(text.into());
        }
        self
    }

    pub fn costing(mut self, usage: &TokenUsage) -> Self {
        if let Ok(reply) = &mut self.reply {
            reply.usage = Some(usage.clone());
        }
        self
    }
}

impl Script {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: Arc::new(Mutex::new(steps.into_iter().collect())),
            requests: Requests::default(),
        }
    }
}

#[async_trait]
impl Provider for Script {
    async fn chat(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        panic!("the engine streams: it calls `stream`, so that text is shown as it arrives");
    }

    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let names = tools.iter().map(|tool| tool.name.to_string()).collect();
        self.requests
            .lock()
            .unwrap()
            .push((messages.to_vec(), names));
        let step = self.steps.lock().unwrap().pop_front();
        let Some(step) = step else {
            return Err(ProviderError::BadRequest("the script is at its end".into()));
        };
        for piece in step.pieces {
            sleep(step.pause).await;
            let _ = events.send(StreamEvent::TextDelta(piece)).await;
        }
        sleep(step.pause).await;
        let reply = step.reply?;
        for (index, call) in reply.tool_calls.iter().enumerate() {
            let start = StreamEvent::ToolCallStart {
                index,
                id: call.id.clone(),
                name: call.name.clone(),
            };
            let _ = events.send(start).await;
        }
        if let Some(usage) = &reply.usage {
            let _ = events.send(StreamEvent::Usage(usage.clone())).await;
        }
        let done = StreamEvent::Done(reply.stop_reason.clone());
        let _ = events.send(done).await;
        Ok(reply)
    }
}

pub fn network() -> ProviderError {
    ProviderError::Network("the connection broke".into())
}

pub type Work = Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send>>;

pub struct FnTool {
    pub definition: ToolDefinition,
    pub safe: bool,
    pub crashing: bool,
    pub work: Box<dyn Fn(Value) -> Work + Send + Sync>,
}

pub fn tool<F>(name: &'static str, work: impl Fn(Value) -> F + Send + Sync + 'static) -> FnTool
where
    F: Future<Output = anyhow::Result<ToolResult>> + Send + 'static,
{
    let mut definition = ToolDefinition::new(name, "A tool for a test");
    definition.parameters["additionalProperties"] = json!(true);
    FnTool {
        definition,
        safe: false,
        crashing: false,
        work: Box::new(move |args| Box::pin(work(args))),
    }
}

impl FnTool {
    pub fn safe(mut self) -> Self {
        self.safe = true;
        self
    }

    pub fn crashing_on_sight(mut self) -> Self {
        self.crashing = true;
        self
    }

    pub fn needing(mut self, name: &str) -> Self {
        self.definition = self.definition.param(name, "string", "Needed", true);
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

    fn validate_input(&self, args: &Value) -> ValidationResult {
        if self.crashing {
            crash(&format!("a bug in the tool's check of {args}"));
        }
        ValidationResult::Ok
    }

    fn is_concurrent_safe(&self) -> bool {
        self.safe
    }

    fn activity_description(&self, _args: &Value) -> Option<String> {
        Some("Working...".into())
    }
}

pub fn fixed(name: &'static str, output: &'static str) -> FnTool {
    tool(name, move |_| async move { Ok(ToolResult::text(output)) })
}

pub fn noop(name: &'static str) -> FnTool {
    fixed(name, "ok")
}

pub fn endless(name: &'static str) -> FnTool {
    tool(name, |_| std::future::pending())
}

pub fn panicking(name: &'static str) -> FnTool {
    tool(name, |_| async { crash("a bug in the tool") })
}

pub fn counting(name: &'static str, runs: &Arc<AtomicUsize>) -> FnTool {
    let runs = runs.clone();
    tool(name, move |_| {
        runs.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolResult::text("ok")) }
    })
}

/// What happened, line by line.
#[derive(Clone, Default)]
pub struct Log(pub Arc<Mutex<Vec<String>>>);

impl Log {
    pub fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A dispatcher to add gates to.
pub struct Dispatch(pub Dispatcher);

pub fn dispatcher(tools: ToolSet) -> Dispatch {
    Dispatch(Dispatcher {
        tools,
        gates: Vec::new(),
        max_result_bytes: 1000,
        max_concurrent: 8,
    })
}

impl Dispatch {
    pub fn with(mut self, gate: impl Gate + 'static) -> Self {
        self.0.gates.push(Box::new(gate));
        self
    }
}

/// A gate that writes down what it is asked, and answers as it is told.
pub struct Watch {
    pub name: &'static str,
    pub log: Log,
    pub refuse: Option<String>,
    pub only: Option<&'static str>,
    pub panic_on: Option<&'static str>,
    pub decision: Decision,
    pub add: Option<String>,
    pub check_takes: Duration,
    pub after_takes: Duration,
}

impl Watch {
    pub fn new(name: &'static str, log: &Log) -> Self {
        Self {
            name,
            log: log.clone(),
            refuse: None,
            only: None,
            panic_on: None,
            decision: Decision::Pass,
            add: None,
            check_takes: Duration::ZERO,
            after_takes: Duration::ZERO,
        }
    }

    pub fn refusing(mut self, reason: &str) -> Self {
        self.refuse = Some(reason.into());
        self
    }

    pub fn refusing_call(mut self, id: &'static str, reason: &str) -> Self {
        self.only = Some(id);
        self.refusing(reason)
    }

    pub fn panicking_on(mut self, id: &'static str) -> Self {
        self.panic_on = Some(id);
        self
    }

    pub fn deciding(mut self, decision: Decision) -> Self {
        self.decision = decision;
        self
    }

    pub fn adding(mut self, context: &str) -> Self {
        self.add = Some(context.into());
        self
    }

    pub fn sleeping_in_check(mut self, time: Duration) -> Self {
        self.check_takes = time;
        self
    }

    pub fn sleeping_after(mut self, time: Duration) -> Self {
        self.after_takes = time;
        self
    }
}

#[async_trait]
impl Gate for Watch {
    async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        self.log
            .add(format!("{} checks {}", self.name, call.arguments));
        if self.panic_on == Some(call.id.as_str()) {
            crash("a bug in the gate");
        }
        if !self.check_takes.is_zero() {
            sleep(self.check_takes).await;
            self.log.add(format!("{} has checked", self.name));
        }
        match &self.refuse {
            Some(reason) if self.only.is_none_or(|only| only == call.id) => Err(reason.clone()),
            _ => Ok(()),
        }
    }

    async fn before(&self, call: &ToolCall, _tool: &dyn Tool) -> Decision {
        self.log
            .add(format!("{} before {}", self.name, call.arguments));
        self.decision.clone()
    }

    async fn after(&self, _call: &ToolCall, result: &ToolResult) -> Option<String> {
        self.log
            .add(format!("{} after {}", self.name, result.content));
        sleep(self.after_takes).await;
        self.add.clone()
    }
}
