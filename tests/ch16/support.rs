//! Chapter 16, Events & Steering.
//!
//! Models are scripts and tools are closures. Time is tokio's paused clock: it jumps
//! ahead when every task waits, so a test that would hang ends at once. `grammar.rs` reads
//! events by the grammar of the chapter, and `scenario.rs` plays conversations by chance.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use claw_code::agent::*;
use claw_code::prompt::SystemPrompt;
use claw_code::types::ToolSet;
use futures_util::future::{LocalBoxFuture, join};
use serde_json::json;
use tokio::time::sleep;

pub use crate::support::*;

use super::grammar::{check, name, text_of};

pub use super::grammar::content;

/// The time on the clock of a test.
pub const TIME: u64 = 1_767_323_045_678;

pub fn text(text: &str) -> Content {
    Content::Text { text: text.into() }
}

pub fn thought(thinking: &str) -> Content {
    Content::Thinking {
        thinking: thinking.into(),
        signature: None,
    }
}

pub fn thinking(delta: &str) -> StreamDelta {
    StreamDelta::Thinking {
        delta: delta.into(),
    }
}

pub fn user_of(content: Vec<Content>) -> Message {
    Message::User {
        content,
        timestamp: 1,
    }
}

pub fn user_text(words: &str) -> AgentMessage {
    user_of(vec![text(words)]).into()
}

pub fn note(data: &str) -> AgentMessage {
    ExtensionMessage::new("note", data).into()
}

pub fn result(id: &str, words: &str, is_error: bool) -> Message {
    Message::ToolResult {
        tool_call_id: id.into(),
        tool_name: "t".into(),
        content: vec![text(words)],
        is_error,
        timestamp: 1,
        child_loop_id: None,
    }
}

pub fn prompt_of(text: &str) -> SystemPrompt {
    SystemPrompt {
        text: text.into(),
        cache_boundary: text.len(),
    }
}

/// Objects, with its first word, to messages that have its second.
pub struct Refuse(pub &'static str, pub &'static str);

impl InputFilter for Refuse {
    fn check(&self, message: &Message) -> Result<(), String> {
        match text_of(&message.clone().into()).contains(self.1) {
            true => Err(self.0.into()),
            false => Ok(()),
        }
    }
}

pub fn agent(model: &ScriptedModel) -> Agent {
    agent_with(model, ToolSet::new())
}

pub fn agent_with(model: &ScriptedModel, tools: ToolSet) -> Agent {
    Agent::builder(model.clone())
        .session_id("s")
        .agent_id("a")
        .config_id("c")
        .metadata(json!({ "host": "test" }))
        .clock(Arc::new(|| TIME))
        .tools(tools)
        .build()
}

/// A model that replies with these texts, one for each request.
pub fn says(texts: &[&str]) -> ScriptedModel {
    ScriptedModel::new(texts.iter().map(|text| Step::says(text)))
}

pub async fn collect_events(mut events: AgentEvents) -> Vec<AgentEvent> {
    let mut all = Vec::new();
    while let Some(event) = events.recv().await {
        all.push(event);
    }
    all
}

/// The events of one whole loop, which must follow the grammar.
pub async fn loop_of(events: AgentEvents) -> Vec<AgentEvent> {
    let events = within_limit(collect_events(events)).await;
    assert_eq!(check(&events), Ok(()), "the events of the loop");
    events
}

/// Prompts the agent and returns the events of the loop.
pub fn prompt(agent: &mut Agent, text: &str) -> Vec<AgentEvent> {
    wait(async { loop_of(agent.prompt(text)).await })
}

/// What these return when they run side by side.
pub async fn both<A, B>(one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    let (one, other): (LocalBoxFuture<A>, LocalBoxFuture<B>) = (Box::pin(one), Box::pin(other));
    join(one, other).await
}

/// A loop of this agent that is ready to run, and its events.
pub fn prepare(agent: &mut Agent) -> (AgentLoop, AgentEvents) {
    agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User)
}

/// What `work` returns for a prepared loop, and the events.
pub fn in_loop<T>(
    agent: &mut Agent,
    work: impl AsyncFnOnce(&mut AgentLoop) -> T,
) -> (T, Vec<AgentEvent>) {
    let (mut prepared, events) = prepare(agent);
    let working = async move { work(&mut prepared).await };
    wait(both(working, collect_events(events)))
}

pub fn names(events: &[AgentEvent]) -> String {
    let names: Vec<&str> = events.iter().map(name).collect();
    names.join(" ")
}

/// Messages as `role:text`.
pub fn roles(messages: &[AgentMessage]) -> String {
    let lines = messages
        .iter()
        .map(|message| format!("{}:{}", message.role(), text_of(message)));
    lines.collect::<Vec<_>>().join(" ")
}

/// Results as `id ok text` or `id error text`.
pub fn result_lines(results: &[Message]) -> Vec<String> {
    let lines = results.iter().map(|result| match result {
        Message::ToolResult {
            tool_call_id,
            is_error,
            ..
        } => {
            let state = if *is_error { "error" } else { "ok" };
            format!("{tool_call_id} {state} {}", text_of(&result.clone().into()))
        }
        other => format!("not a tool result: {other:?}"),
    });
    lines.collect()
}

/// The events of calls: `+id` for a start, `-id` for an end, `say:id` for a result that was
/// added to the history.
pub fn event_trace(events: &[AgentEvent]) -> String {
    let words = events.iter().filter_map(|event| match event {
        AgentEvent::ToolExecutionStart { tool_call_id, .. } => Some(format!("+{tool_call_id}")),
        AgentEvent::ToolExecutionEnd { tool_call_id, .. } => Some(format!("-{tool_call_id}")),
        AgentEvent::MessageEnd { message, .. } => match message.as_llm() {
            Some(Message::ToolResult { tool_call_id, .. }) => Some(format!("say:{tool_call_id}")),
            _ => None,
        },
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Steers this many milliseconds after the test begins to [`wait`].
pub fn steer_after(milliseconds: u64, agent: &Agent, text: &'static str) {
    after(milliseconds, agent, move |handle| {
        handle.steer(Message::user(text))
    });
}

/// Aborts this many milliseconds after the test begins to [`wait`].
pub fn abort_after(milliseconds: u64, agent: &Agent) {
    after(milliseconds, agent, |handle| handle.abort());
}

fn after(milliseconds: u64, agent: &Agent, work: impl FnOnce(AgentHandle) + Send + 'static) {
    let handle = agent.handle();
    spawn(async move {
        sleep(Duration::from_millis(milliseconds)).await;
        work(handle);
    });
}

/// How many follow-ups wait.
pub fn follow_ups(agent: &Agent) -> usize {
    agent.handle().queues().follow_up.waiting.len()
}

/// The triggers of a loop's turns.
pub fn triggers(events: &[AgentEvent]) -> Vec<TurnTrigger> {
    let triggers = events.iter().filter_map(|event| match event {
        AgentEvent::TurnStart { triggered_by, .. } => Some(*triggered_by),
        _ => None,
    });
    triggers.collect()
}

/// Tools with one that waits for this many milliseconds and returns no text.
pub fn read_tool(milliseconds: u64) -> ToolSet {
    ToolSet::new().with(FnTool::delayed("read", milliseconds, ""))
}
