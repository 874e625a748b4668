//! The overhead of the agent loop: a turn with an instant model and an instant tool, after
//! a history of 10, 1,000 and 10,000 messages. The length must not matter, because a turn
//! does not read the messages of earlier turns.
//!
//! ```console
//! $ cargo bench -p claw-code-solutions --bench engine
//! ```

use async_trait::async_trait;
use claw_code_solutions::engine::{QueryEngine, repair_history, unanswered_calls};
use claw_code_solutions::provider::{EventSender, Provider, ProviderError, StreamEvent};
use claw_code_solutions::types::*;
use divan::Bencher;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const LENGTHS: [usize; 3] = [10, 1_000, 10_000];

fn main() {
    divan::main();
}

/// One request and a reply of one word.
#[divan::bench(args = LENGTHS)]
fn turn_with_text(bencher: Bencher, length: usize) {
    let engine = QueryEngine::builder(InstantModel::new(0));
    measure(bencher, length, &engine);
}

/// Eight calls that run together, their results, and a reply of one word.
#[divan::bench(args = LENGTHS)]
fn turn_with_eight_calls(bencher: Bencher, length: usize) {
    let engine =
        QueryEngine::builder(InstantModel::new(8)).tools(ToolSet::new().with(OkTool::new()));
    measure(bencher, length, &engine);
}

/// The same, with a reader of the events.
#[divan::bench(args = LENGTHS)]
fn turn_with_eight_calls_and_events(bencher: Bencher, length: usize) {
    let engine =
        QueryEngine::builder(InstantModel::new(8)).tools(ToolSet::new().with(OkTool::new()));
    let (runtime, mut history) = (runtime(), history(length));
    let length = history.len();
    bencher.bench_local(|| {
        history.truncate(length);
        runtime.block_on(async {
            let (sender, mut reader) = mpsc::channel(64);
            let cancel = CancellationToken::new();
            let chat = engine.chat_with_events(&mut history, sender, &cancel);
            let read_events = async { while reader.recv().await.is_some() {} };
            let (reply, ()) = tokio::join!(chat, read_events);
            reply.is_ok()
        })
    });
}

/// For comparison: a check of the whole history, as after a session was loaded.
#[divan::bench(args = LENGTHS)]
fn check_whole_history(bencher: Bencher, length: usize) {
    let history = history(length);
    bencher.bench_local(|| unanswered_calls(divan::black_box(&history)).len());
}

/// For comparison: a repair of a history in which no result is missing.
#[divan::bench(args = LENGTHS)]
fn repair_whole_history(bencher: Bencher, length: usize) {
    let mut history = history(length);
    bencher.bench_local(|| repair_history(divan::black_box(&mut history)));
}

fn measure(bencher: Bencher, length: usize, engine: &QueryEngine) {
    let (runtime, mut history) = (runtime(), history(length));
    let length = history.len();
    let cancel = CancellationToken::new();
    bencher.bench_local(|| {
        history.truncate(length);
        runtime.block_on(async { engine.chat(&mut history, &cancel).await.is_ok() })
    });
}

fn runtime() -> Runtime {
    let built = Builder::new_current_thread().enable_time().build();
    built.expect("a runtime without threads or sockets can be built")
}

/// About `length` messages: a question, a call, its result and a reply again and again, and
/// then one more question.
fn history(length: usize) -> Vec<Message> {
    let mut history = Vec::new();
    while history.len() + 1 < length {
        let call = call(&format!("call_{}", history.len()));
        history.extend([
            Message::user("What is in src?"),
            Message::assistant(None, vec![call.clone()], StopReason::ToolUse, None),
            Message::tool_result(call.id, "main.rs"),
            Message::assistant(Some("main.rs.".into()), vec![], StopReason::Stop, None),
        ]);
    }
    history.push(Message::user("And now?"));
    history
}

fn call(id: &str) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: "echo".into(),
        arguments: json!({}),
    }
}

/// A model without latency. It replies to a question with its calls, and to their results
/// with one word. It reads only the last message.
struct InstantModel {
    calls: Vec<ToolCall>,
}

impl InstantModel {
    fn new(calls: usize) -> Self {
        Self {
            calls: (0..calls).map(|n| call(&n.to_string())).collect(),
        }
    }
}

#[async_trait]
impl Provider for InstantModel {
    async fn chat(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        Err(ProviderError::BadRequest("the engine streams".into()))
    }

    async fn stream(
        &self,
        messages: &[Message],
        _tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let calls_tools =
            matches!(messages.last(), Some(Message::User(_))) && !self.calls.is_empty();
        if !calls_tools {
            // A closed channel does not stop the reply.
            let _ = events.send(StreamEvent::TextDelta("Done.".into())).await;
        }
        Ok(AssistantMessage {
            id: new_id(),
            text: (!calls_tools).then(|| "Done.".into()),
            tool_calls: if calls_tools {
                self.calls.clone()
            } else {
                vec![]
            },
            stop_reason: if calls_tools {
                StopReason::ToolUse
            } else {
                StopReason::Stop
            },
            usage: None,
        })
    }
}

struct OkTool(ToolDefinition);

impl OkTool {
    fn new() -> Self {
        Self(ToolDefinition::new("echo", "Returns ok"))
    }
}

#[async_trait]
impl Tool for OkTool {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text("ok"))
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }
}
