//! Runs of an agent: a turn of text, a turn of eight calls, and a streamed reply. Every model
//! here has its reply ready.

use std::sync::Arc;

use async_trait::async_trait;
use claw_code_solutions::agent::{
    Agent, AgentBuilder, AgentEvent, AgentMessage, Content, DeltaSender, LanguageModel, Message,
    ModelRequest, StopReason, StreamDelta, Usage,
};
use claw_code_solutions::provider::ProviderError;
use claw_code_solutions::types::{Tool, ToolDefinition, ToolResult, ToolSet};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::harness::{Measure, seconds};

/// The number of calls in a turn with calls.
pub const CALLS: usize = 8;

/// The number of text turns in a sample.
pub const TURNS: usize = 8;

/// The measures of this file. `scale` shrinks histories and replies.
pub fn measures(scale: usize) -> Vec<Measure<'static>> {
    let mut measures = vec![turn_of_calls()];
    for length in [1_000, 10_000] {
        measures.push(text_turn(length / scale));
    }
    measures.push(streamed_reply(64_000 / scale, 1_000 / scale.min(100)));
    measures
}

fn turn_of_calls() -> Measure<'static> {
    let measure = Measure::new("a turn of 8 calls", {
        let runtime = runtime();
        move || {
            let tools = ToolSet::new().with(Echo(definition()));
            let model = Arc::new(Scripted {
                pieces: 1,
                calls: CALLS,
            });
            let mut agent = AgentBuilder::new(model).tools(tools).build();
            // Not the first turn: an application has one agent for many turns.
            assert_eq!(ends_of_calls(&runtime, &mut agent), CALLS);
            seconds(|| assert_eq!(ends_of_calls(&runtime, &mut agent), CALLS))
        }
    });
    let measure = measure.at_most(0.8);
    #[cfg(feature = "agents")]
    let measure = crate::peers::turn_of_calls(measure);
    measure
}

/// The end events of calls in a run.
fn ends_of_calls(runtime: &Runtime, agent: &mut Agent) -> usize {
    count(runtime, agent, |event| {
        matches!(event, AgentEvent::ToolExecutionEnd { .. })
    })
}

fn text_turn(length: usize) -> Measure<'static> {
    let turn = |length| {
        let runtime = runtime();
        move || text_turn_seconds(&runtime, length)
    };
    let measure = Measure::new(format!("a text turn, history of {length}"), turn(length));
    let measure = measure
        .at_most(2.0)
        .peer("claw-code", "the same with a history of 10", turn(10));
    #[cfg(feature = "agents")]
    let measure = crate::peers::text_turn(measure, length);
    measure
}

/// The mean of [`TURNS`] turns of an agent that has had one turn before: the first one also checks
/// the history. A single turn would mostly measure that the making of a long history has taken the
/// processor's cache.
fn text_turn_seconds(runtime: &Runtime, length: usize) -> f64 {
    let mut agent = AgentBuilder::new(Arc::new(Scripted {
        pieces: 1,
        calls: 0,
    }))
    .history(history(length))
    .build();
    let _entered = runtime.enter();
    runtime.block_on(agent.run("Go."));
    let is_end = |event: &AgentEvent| matches!(event, AgentEvent::AgentEnd { .. });
    let turns = || {
        for _ in 0..TURNS {
            assert_eq!(count(runtime, &mut agent, is_end), 1);
        }
    };
    seconds(turns) / TURNS as f64
}

fn streamed_reply(pieces: usize, few: usize) -> Measure<'static> {
    let reply = |pieces: usize| {
        let runtime = runtime();
        move || {
            let mut agent = AgentBuilder::new(Arc::new(Scripted { pieces, calls: 0 })).build();
            let is_update = |event: &AgentEvent| matches!(event, AgentEvent::MessageUpdate { .. });
            let time = seconds(|| assert_eq!(count(&runtime, &mut agent, is_update), pieces));
            time / pieces as f64
        }
    };
    let name = format!("a streamed reply of {pieces} pieces, per piece");
    let measure = Measure::new(name, reply(pieces)).at_most(1.5);
    #[cfg(feature = "agents")]
    let measure = crate::peers::streamed_reply(measure, pieces);
    let note = format!("the same with {few} pieces");
    measure.peer("claw-code", &note, reply(few))
}

/// Runs the agent and counts the events that `counts`.
fn count(runtime: &Runtime, agent: &mut Agent, counts: impl Fn(&AgentEvent) -> bool) -> usize {
    runtime.block_on(async {
        let mut events = agent.prompt("Go.");
        let mut count = 0;
        while let Some(event) = events.recv().await {
            count += usize::from(counts(&event));
        }
        count
    })
}

pub fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

/// The text of a message in a history.
pub const TEXT: &str = "what there is to say, in a sentence or two of a common length";

fn history(length: usize) -> Vec<AgentMessage> {
    let message = |number: usize| match number % 2 {
        0 => AgentMessage::from(Message::User {
            content: vec![Content::Text { text: TEXT.into() }],
            timestamp: 1,
        }),
        _ => AgentMessage::from(reply(
            vec![Content::Text { text: TEXT.into() }],
            StopReason::Stop,
        )),
    };
    (0..length).map(message).collect()
}

fn reply(content: Vec<Content>, stop_reason: StopReason) -> Message {
    Message::Assistant {
        content,
        stop_reason,
        model: "ready".to_string(),
        provider: "offline".to_string(),
        usage: Usage::default(),
        timestamp: 1,
        error_message: None,
    }
}

/// A model that makes calls until it has results, and then replies in pieces.
struct Scripted {
    pieces: usize,
    calls: usize,
}

#[async_trait]
impl LanguageModel for Scripted {
    fn provider(&self) -> &str {
        "offline"
    }

    fn model(&self) -> &str {
        "ready"
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        if self.calls > 0 && matches!(request.messages.last(), Some(Message::User { .. })) {
            let call = |number: usize| Content::ToolCall {
                id: format!("call_{number}"),
                name: "echo".to_string(),
                arguments: arguments(),
            };
            return Ok(reply(
                (0..self.calls).map(call).collect(),
                StopReason::ToolUse,
            ));
        }
        for _ in 0..self.pieces {
            let delta = "word ".to_string();
            let _ = deltas.send(StreamDelta::Text { delta }).await;
        }
        let text = "word ".repeat(self.pieces.max(1));
        Ok(reply(vec![Content::Text { text }], StopReason::Stop))
    }
}

/// The arguments of every call.
pub fn arguments() -> Value {
    json!({ "path": "src/main.rs", "offset": 10, "limit": 20 })
}

/// The schema of the tool `echo`, as a tool for reading has it.
pub fn definition() -> ToolDefinition {
    let count = json!({ "type": "integer", "minimum": 1, "description": "A number of lines." });
    ToolDefinition::new("echo", "Returns its path.")
        .param("path", "string", "The file.", true)
        .param_raw("offset", count.clone(), false)
        .param_raw("limit", count, false)
}

/// A tool that returns its argument `path`.
struct Echo(ToolDefinition);

#[async_trait]
impl Tool for Echo {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(args["path"].as_str().unwrap_or_default()))
    }

    fn is_concurrent_safe(&self) -> bool {
        true
    }
}
