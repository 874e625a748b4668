//! What the loop itself costs: a turn in which model and tool answer at once, behind a
//! history of 10, 1,000 and 10,000 messages. The figures must be the same, since a turn
//! looks at no message that an earlier one has seen.
//!
//! ```console
//! $ cargo bench -p claw-code-solutions --bench engine
//! ```

use async_trait::async_trait;
use claw_code_solutions::engine::{QueryEngine, mend, unanswered};
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

/// One request, a reply of one word.
#[divan::bench(args = LENGTHS)]
fn turn_with_text(bencher: Bencher, length: usize) {
    let engine = QueryEngine::builder(Ready::new(0));
    measure(bencher, length, &engine);
}

/// Eight calls that run together, their results, and a reply of one word.
#[divan::bench(args = LENGTHS)]
fn turn_with_eight_calls(bencher: Bencher, length: usize) {
    let engine = QueryEngine::builder(Ready::new(8)).tools(ToolSet::new().with(Echo::new()));
    measure(bencher, length, &engine);
}

/// The same, told to a reader.
#[divan::bench(args = LENGTHS)]
fn turn_with_eight_calls_and_events(bencher: Bencher, length: usize) {
    let engine = QueryEngine::builder(Ready::new(8)).tools(ToolSet::new().with(Echo::new()));
    let (runtime, mut history) = (runtime(), history(length));
    let length = history.len();
    bencher.bench_local(|| {
        history.truncate(length);
        runtime.block_on(async {
            let (sender, mut reader) = mpsc::channel(64);
            let cancel = CancellationToken::new();
            let chat = engine.chat_with_events(&mut history, sender, &cancel);
            let reading = async { while reader.recv().await.is_some() {} };
            let (reply, ()) = tokio::join!(chat, reading);
            reply.is_ok()
        })
    });
}

/// For comparison, what looking at the whole history costs, as after loading a session.
#[divan::bench(args = LENGTHS)]
fn whole_history_checked(bencher: Bencher, length: usize) {
    let history = history(length);
    bencher.bench_local(|| unanswered(divan::black_box(&history)).len());
}

/// And mending one in which nothing is missing.
#[divan::bench(args = LENGTHS)]
fn whole_history_mended(bencher: Bencher, length: usize) {
    let mut history = history(length);
    bencher.bench_local(|| mend(divan::black_box(&mut history)));
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

/// About so many messages: rounds of a question, a call, its result and a reply, and
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

/// A model that needs no time: to a question it replies with so many calls, and to
/// their results with a word. It looks at the last message alone.
struct Ready {
    calls: Vec<ToolCall>,
}

impl Ready {
    fn new(calls: usize) -> Self {
        Self {
            calls: (0..calls).map(|n| call(&n.to_string())).collect(),
        }
    }
}

#[async_trait]
impl Provider for Ready {
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
        let asked = matches!(messages.last(), Some(Message::User(_))) && !self.calls.is_empty();
        if !asked {
            // A reader who has gone is no reason to stop.
            let _ = events.send(StreamEvent::TextDelta("Done.".into())).await;
        }
        Ok(AssistantMessage {
            id: new_id(),
            text: (!asked).then(|| "Done.".into()),
            tool_calls: if asked { self.calls.clone() } else { vec![] },
            stop_reason: if asked {
                StopReason::ToolUse
            } else {
                StopReason::Stop
            },
            usage: None,
        })
    }
}

struct Echo(ToolDefinition);

impl Echo {
    fn new() -> Self {
        Self(ToolDefinition::new("echo", "Says ok"))
    }
}

#[async_trait]
impl Tool for Echo {
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
