//! Real agents with a scripted model, for the recorder.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::{self, Agent, AgentEvent};
use claw_code::engine::{Decision, Gate, QueryConfig, report};
use claw_code::types::{Tool, ToolCall, ToolDefinition, ToolResult, ToolSet};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::support::*;

/// An agent whose model gives these replies, and whose clock is at 7.
///
/// Its tools are `bash`, `slow`, `linter` and `broken`. A gate replaces the command
/// `rm -rf /` by `ls build`, and a filter rejects messages that contain `bad`.
pub fn scripted_agent<const N: usize>(replies: [agent::Message; N]) -> Agent {
    let tools = ToolSet::new()
        .with(TimedTool::new("bash", "done"))
        .with(TimedTool::new("slow", "at last"))
        .with(TimedTool::new("linter", "error: 3 warnings"))
        .with(TimedTool::new("broken", "it broke"));
    Agent::builder(ScriptedModel::new(replies.map(Step::reply)))
        .tools(tools)
        .gate(SafeCommands)
        .filter(RejectBad)
        .limits(QueryConfig {
            max_result_bytes: 400,
            ..QueryConfig::default()
        })
        .clock(Arc::new(|| 7))
        .build()
}

/// Runs one prompt and passes each event to `on_event`.
pub async fn run_prompt(
    agent: &mut Agent,
    prompt: impl Into<agent::Prompt>,
    mut on_event: impl FnMut(&Agent, &AgentEvent),
) {
    let mut events = agent.prompt(prompt);
    while let Some(event) = events.recv().await {
        on_event(agent, &event);
    }
    agent.finish().await;
}

/// What a user does when a call starts.
pub enum Interrupt {
    Nothing,
    Steer,
    SteerNote,
    Abort,
}

impl Interrupt {
    /// Does it if `event` is the start of a call.
    pub fn on_call_start(&self, agent: &Agent, event: &AgentEvent) {
        if !matches!(event, AgentEvent::ToolExecutionStart { .. }) {
            return;
        }
        match self {
            Self::Nothing => {}
            Self::Steer => agent.steer(agent::Message::user("Stop that.")),
            Self::SteerNote => agent.steer(agent::ExtensionMessage::new("note", "seen")),
            Self::Abort => agent.abort(),
        }
    }
}

/// A tool that takes as many milliseconds as its argument `for` says, 1 by default. Its result
/// is 100 bytes longer for each further millisecond. Only `bash` is safe to run with others.
struct TimedTool {
    definition: ToolDefinition,
    text: &'static str,
}

impl TimedTool {
    fn new(name: &'static str, text: &'static str) -> Self {
        Self {
            definition: ToolDefinition::new(name, "A tool for a test")
                .param("command", "string", "Has no effect", false)
                .param("for", "number", "Milliseconds that the call takes", false),
            text,
        }
    }
}

#[async_trait]
impl Tool for TimedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        report("on it");
        let time = args["for"].as_u64().unwrap_or(1);
        sleep(Duration::from_millis(time)).await;
        let padding = "x".repeat(100 * (time as usize - 1));
        let text = format!("{}{padding}", self.text);
        Ok(match self.definition.name {
            "broken" => ToolResult::error(text),
            _ => ToolResult::text(text),
        })
    }

    fn is_concurrent_safe(&self) -> bool {
        self.definition.name == "bash"
    }
}

struct SafeCommands;

#[async_trait]
impl Gate for SafeCommands {
    async fn before(&self, call: &ToolCall, _: &dyn Tool) -> Decision {
        match call.arguments["command"] == "rm -rf /" {
            true => Decision::Change {
                arguments: Some(json!({ "command": "ls build" })),
                context: None,
            },
            false => Decision::Pass,
        }
    }
}

struct RejectBad;

impl agent::InputFilter for RejectBad {
    fn check(&self, message: &agent::Message) -> Result<(), String> {
        match to_json(message).to_string().contains("bad") {
            true => Err("the message contains `bad`".into()),
            false => Ok(()),
        }
    }
}
