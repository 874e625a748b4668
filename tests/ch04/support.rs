//! Helpers for the tests of chapter 4, The Agent Loop.
//!
//! Providers play scripts and tools are closures. The clock is tokio's paused one: it
//! advances when every task waits, so sleeps take no time and a test that hangs fails at once.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::ProviderError;
use claw_code::types::*;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

pub use crate::support::{
    FnTool, SCRIPT_IS_OVER, ScriptedProvider, ScriptedReply, panic_silently, reply_with_calls,
    spawn,
};

// Messages and histories.

pub fn user(content: &str) -> Message {
    Message::user(content)
}

/// A reply that is only text.
pub fn says(text: &str) -> Message {
    Message::assistant(Some(text.into()), vec![], StopReason::Stop, None)
}

/// A reply with calls of these ids.
pub fn calls(ids: &[&str]) -> Message {
    Message::Assistant(reply(ids))
}

pub fn result(id: &str) -> Message {
    Message::tool_result(id, format!("result of {id}"))
}

/// A message of each kind that is neither a reply nor a result.
pub fn other_messages() -> [Message; 4] {
    let (attachment, progress) = (
        json!({ "type": "Attachment", "id": "m", "path": "a.md", "content": "", "content_type": "" }),
        json!({ "type": "Progress", "tool_use_id": "a", "data": 1 }),
    );
    let parse = |json| serde_json::from_value(json).expect("a message of chapter 1");
    let system = Message::system("Be brief.");
    [user("well?"), system, parse(attachment), parse(progress)]
}

/// A reply that calls the tool `t` once for each id.
pub fn reply(ids: &[&str]) -> AssistantMessage {
    let calls: Vec<(&str, &str)> = ids.iter().map(|id| (*id, "t")).collect();
    reply_with_calls(&calls)
}

pub fn call(id: &str, tool: &str) -> ToolCall {
    call_with(id, tool, json!({}))
}

pub fn call_with(id: &str, tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: tool.into(),
        arguments,
    }
}

#[track_caller]
pub fn tool_result(message: &Message) -> &ToolResultMessage {
    match message {
        Message::ToolResult(result) => result,
        other => panic!("this message should be a tool result, but it is {other:?}"),
    }
}

#[track_caller]
pub fn content(message: &Message) -> &str {
    &tool_result(message).content
}

/// A history in one line: `user, calls(a b), result(a), result(b), says(Done.)`.
pub fn outline(history: &[Message]) -> String {
    let parts = history.iter().map(|message| match message {
        Message::Assistant(reply) if !reply.tool_calls.is_empty() => {
            format!("calls({})", ids(&reply.tool_calls).join(" "))
        }
        Message::Assistant(reply) => format!("says({})", reply.text.as_deref().unwrap_or("")),
        Message::ToolResult(result) => format!("result({})", result.tool_use_id),
        Message::User(_) => "user".into(),
        Message::System(_) => "system".into(),
        other => format!("{other:?}"),
    });
    parts.collect::<Vec<_>>().join(", ")
}

pub fn ids(calls: &[ToolCall]) -> Vec<&str> {
    calls.iter().map(|call| call.id.as_str()).collect()
}

// Events.

pub fn event_channel(capacity: usize) -> (QueryEventSender, mpsc::Receiver<QueryEvent>) {
    let (sender, reader) = mpsc::channel(capacity);
    (QueryEventSender::new(sender), reader)
}

/// The events that the channel holds now.
pub fn received(reader: &mut mpsc::Receiver<QueryEvent>) -> Vec<QueryEvent> {
    std::iter::from_fn(|| reader.try_recv().ok()).collect()
}

/// Reads every event until the channel closes, with a pause before each.
pub async fn read_slowly(mut reader: mpsc::Receiver<QueryEvent>) -> Vec<QueryEvent> {
    let mut events = Vec::new();
    loop {
        sleep(Duration::from_secs(2)).await;
        match reader.recv().await {
            Some(event) => events.push(event),
            None => return events,
        }
    }
}

/// Events in one line: `started(a) finished(a) text(Done.) end`.
pub fn event_outline(events: &[QueryEvent]) -> String {
    let parts = events.iter().map(|event| match event {
        QueryEvent::Text(text) => format!("text({text})"),
        QueryEvent::ToolStarted { call, .. } => format!("started({})", call.id),
        QueryEvent::Progress(progress) => format!("progress({})", progress.tool_use_id),
        QueryEvent::ToolFinished { call_id, result } => {
            assert_eq!(
                *call_id, result.tool_use_id,
                "`ToolFinished` must carry the id and the result of the same call"
            );
            format!("finished({call_id})")
        }
        QueryEvent::Usage(_) => "usage".into(),
        QueryEvent::TurnFinished { .. } => "end".into(),
    });
    parts.collect::<Vec<_>>().join(" ")
}

pub fn text(text: &str) -> QueryEvent {
    QueryEvent::Text(text.into())
}

pub fn progress(call_id: &str, data: impl Into<Value>) -> QueryEvent {
    QueryEvent::Progress(ProgressMessage {
        tool_use_id: call_id.into(),
        data: data.into(),
    })
}

// Futures that must finish, be cancelled, or not panic.

/// Runs `work`, which must not hang, to its end.
pub fn wait<T>(work: impl Future<Output = T>) -> T {
    // Boxed, so that the compiler does not build a runtime for each kind of work.
    let work: LocalBoxFuture<T> = Box::pin(work);
    crate::support::wait(finish(work))
}

/// The output of `work`, which must not hang.
pub async fn finish<F: Future>(work: F) -> F::Output {
    finish_or("this future must finish", work).await
}

/// The output of `work`. If it hangs, the test fails with this rule.
pub async fn finish_or<F: Future>(rule: &str, work: F) -> F::Output {
    let advice = "the tool's panic must not end the turn: `execute` of chapter 3 catches it";
    match timeout(Duration::from_secs(3600), catch_tool_panic(advice, work)).await {
        Ok(output) => output,
        Err(_) => panic!("{rule}; it hangs"),
    }
}

/// The output of `work`. If a tool's panic gets through, the test fails with this advice.
pub async fn catch_tool_panic<F: Future>(advice: &str, work: F) -> F::Output {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(output) => output,
        Err(panic) if panic_contains(&*panic, "a bug in the tool") => panic!("{advice}"),
        Err(panic) => resume_unwind(panic),
    }
}

pub fn panic_contains(panic: &(dyn Any + Send), part: &str) -> bool {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    message.is_some_and(|message| message.contains(part))
}

/// Runs `work` for a second and drops it. It must still be running then.
pub async fn drop_after_a_second<F: Future>(rule: &str, work: F) {
    let outcome = timeout(Duration::from_secs(1), work).await;
    assert!(outcome.is_err(), "{rule}");
}

/// A token that is cancelled after this time.
pub fn cancel_after(time: Duration) -> CancellationToken {
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    spawn(async move {
        sleep(time).await;
        token.cancel();
    });
    cancel
}

// Providers and turns.

pub fn network_error() -> ProviderError {
    ProviderError::Network("the connection broke".into())
}

pub fn engine(replies: impl IntoIterator<Item = ScriptedReply>) -> QueryEngine {
    QueryEngine::builder(ScriptedProvider::new(replies))
}

/// Runs one turn without a reader and without a cancel.
pub async fn run_turn(
    engine: &QueryEngine,
    history: &mut Vec<Message>,
) -> Result<AssistantMessage, QueryError> {
    let (events, cancel) = (QueryEventSender::none(), CancellationToken::new());
    finish(engine.run_turn(history, &events, &cancel)).await
}

// Tools.

pub fn noop_tool(name: &'static str) -> FnTool {
    FnTool::text(name, "ok")
}

pub fn panicking_tool(name: &'static str) -> FnTool {
    FnTool::new(name, |_| async { panic_silently("a bug in the tool") })
}

/// A tool that counts its runs.
pub fn counting_tool(name: &'static str, runs: &Arc<AtomicUsize>) -> FnTool {
    let runs = runs.clone();
    FnTool::new(name, move |_| {
        runs.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolResult::text("ok")) }
    })
}

/// A tool that runs for a second and logs its start and its end.
pub fn logging_tool(name: &'static str, log: &Log) -> FnTool {
    let log = log.clone();
    FnTool::new(name, move |_| {
        let log = log.clone();
        async move {
            log.add(format!("{name} starts"));
            sleep(Duration::from_secs(1)).await;
            log.add(format!("{name} ends"));
            Ok(ToolResult::text("ok"))
        }
    })
}

/// A tool that panics in the methods of these names.
pub struct PanickingTool {
    pub tool: FnTool,
    pub panics_in: &'static [&'static str],
}

impl PanickingTool {
    fn enter(&self, method: &str) {
        if self.panics_in.contains(&method) {
            panic_silently(&format!("a bug in the tool's {method}"));
        }
    }
}

#[async_trait]
impl Tool for PanickingTool {
    fn definition(&self) -> &ToolDefinition {
        self.tool.definition()
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.tool.call(args).await
    }

    fn validate_input(&self, _args: &Value) -> ValidationResult {
        self.enter("validate_input");
        ValidationResult::Ok
    }

    fn is_concurrent_safe(&self) -> bool {
        self.enter("is_concurrent_safe");
        false
    }

    fn summary(&self, _args: &Value) -> String {
        self.enter("summary");
        String::new()
    }

    fn activity_description(&self, _args: &Value) -> Option<String> {
        self.enter("activity_description");
        None
    }
}

/// A read-only tool that logs each `path` that it validates or is called with.
pub struct PathLoggingTool {
    definition: ToolDefinition,
    log: Log,
}

impl PathLoggingTool {
    pub fn new(log: &Log) -> Self {
        let definition = ToolDefinition::new("t", "A tool for a test");
        Self {
            definition: definition.param("path", "string", "Any", true),
            log: log.clone(),
        }
    }

    fn log(&self, what: &str, args: &Value) {
        let path = args["path"].as_str().unwrap_or_default();
        self.log.add(format!("{what} {path}"));
    }
}

#[async_trait]
impl Tool for PathLoggingTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.log("called with", &args);
        Ok(ToolResult::text("ok"))
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        self.log("validated", args);
        ValidationResult::Ok
    }

    fn is_read_only(&self) -> bool {
        true
    }
}

// Dispatchers, calls and gates.

pub fn dispatcher(tools: ToolSet) -> Dispatcher {
    Dispatcher {
        tools,
        gates: Vec::new(),
        max_result_bytes: 1000,
        max_concurrent: 8,
    }
}

/// A dispatcher with one tool `t`, which does nothing, and these gates.
pub fn dispatcher_with_gates<G: Gate + 'static>(gates: impl IntoIterator<Item = G>) -> Dispatcher {
    with_gates(dispatcher(ToolSet::new().with(noop_tool("t"))), gates)
}

pub fn with_gates<G: Gate + 'static>(
    mut dispatcher: Dispatcher,
    gates: impl IntoIterator<Item = G>,
) -> Dispatcher {
    for gate in gates {
        dispatcher.gates.push(Box::new(gate));
    }
    dispatcher
}

/// Calls that have not started, by id and tool name.
pub fn open_calls(calls: &[(&str, &str)]) -> Vec<OpenCall> {
    let calls = calls.iter().map(|(id, tool)| call(id, tool));
    calls.map(OpenCall::new).collect()
}

/// The content of each call's final result.
pub fn final_contents(calls: &mut [OpenCall]) -> Vec<String> {
    let contents = calls.iter_mut().map(|call| call.finalize(1000).content);
    contents.collect()
}

/// Lines in the order in which they were added. Clones share them.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A gate that logs each question, and lets every call through unless a method says else.
pub struct LoggingGate {
    name: &'static str,
    log: Log,
    refusal: Option<(&'static str, &'static str)>,
    panics_on: Option<&'static str>,
    decision: Decision,
    addition: Option<&'static str>,
    check_time: Duration,
    after_time: Duration,
}

impl LoggingGate {
    pub fn new(name: &'static str, log: &Log) -> Self {
        Self {
            name,
            log: log.clone(),
            refusal: None,
            panics_on: None,
            decision: Decision::Pass,
            addition: None,
            check_time: Duration::ZERO,
            after_time: Duration::ZERO,
        }
    }

    /// Refuses the call with this id.
    pub fn refusing_call(mut self, id: &'static str, reason: &'static str) -> Self {
        self.refusal = Some((id, reason));
        self
    }

    /// Panics in `check` of the call with this id.
    pub fn panicking_on(mut self, id: &'static str) -> Self {
        self.panics_on = Some(id);
        self
    }

    /// Decides this in `before`.
    pub fn deciding(mut self, decision: Decision) -> Self {
        self.decision = decision;
        self
    }

    /// Adds this text in `after`.
    pub fn adding(mut self, text: &'static str) -> Self {
        self.addition = Some(text);
        self
    }

    /// Waits in `check` before it logs the end of the check.
    pub fn waiting_in_check(mut self, time: Duration) -> Self {
        self.check_time = time;
        self
    }

    /// Waits in `after`.
    pub fn waiting_in_after(mut self, time: Duration) -> Self {
        self.after_time = time;
        self
    }
}

#[async_trait]
impl Gate for LoggingGate {
    async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        let name = self.name;
        self.log.add(format!("{name} checks {}", call.arguments));
        if self.panics_on == Some(call.id.as_str()) {
            panic_silently("a bug in the gate");
        }
        if !self.check_time.is_zero() {
            sleep(self.check_time).await;
            self.log.add(format!("{name} has checked"));
        }
        match self.refusal {
            Some((id, reason)) if id == call.id => Err(reason.into()),
            _ => Ok(()),
        }
    }

    async fn before(&self, call: &ToolCall, _tool: &dyn Tool) -> Decision {
        let name = self.name;
        self.log.add(format!("{name} before {}", call.arguments));
        self.decision.clone()
    }

    async fn after(&self, _call: &ToolCall, result: &ToolResult) -> Option<String> {
        let name = self.name;
        self.log.add(format!("{name} after {}", result.content));
        sleep(self.after_time).await;
        self.addition.map(str::to_string)
    }
}
