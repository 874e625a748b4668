//! Chapter 16: a turn that the user steers.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::{
    Agent, AgentEvent, AgentMessage, Content, DeltaSender, InputFilter, LanguageModel, Message,
    ModelRequest, StopReason, StreamDelta,
};
use claw_code::provider::ProviderError;
use claw_code::types::{ToolResult, ToolSet};
use serde_json::json;
use tokio::time::sleep;

use super::trace::{Recorded, Step, Trace};
use crate::support::{FnTool, ScriptedModel, Step as Reply, model_reply};

/// What happens, in order.
type Moments = Arc<Mutex<Vec<Moment>>>;

enum Moment {
    Event(AgentEvent),
    /// The messages of a request.
    Request(Vec<Message>),
    /// The user steers.
    Steer(Message),
}

/// A scripted model that records its requests among the events.
struct RecordedModel {
    model: ScriptedModel,
    moments: Moments,
}

#[async_trait]
impl LanguageModel for RecordedModel {
    fn provider(&self) -> &str {
        self.model.provider()
    }

    fn model(&self) -> &str {
        self.model.model()
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        // Until then, the reader has read every event that was sent before.
        sleep(Duration::from_millis(1)).await;
        let sent = Moment::Request(request.messages.to_vec());
        self.moments.lock().unwrap().push(sent);
        self.model.stream(request, deltas).await
    }
}

/// An input filter that accepts and records each message.
struct RecordedInput(Arc<Mutex<Vec<Message>>>);

impl InputFilter for RecordedInput {
    fn check(&self, message: &Message) -> Result<(), String> {
        self.0.lock().unwrap().push(message.clone());
        Ok(())
    }
}

/// The first reply: two reads and an edit.
fn calls() -> Reply {
    let mut reply = model_reply("I look at both.", &[], StopReason::ToolUse);
    if let Message::Assistant { content, .. } = &mut reply {
        for (id, name) in [("a", "read"), ("b", "read"), ("c", "edit")] {
            content.push(Content::ToolCall {
                id: id.into(),
                name: name.into(),
                arguments: json!({}),
            });
        }
    }
    Reply::reply(reply)
}

/// Runs the loop. Returns what happens, and the input that the filter has checked.
async fn run() -> (Vec<Moment>, Vec<Message>) {
    let moments = Moments::default();
    let admitted = Arc::new(Mutex::new(Vec::new()));
    let model = RecordedModel {
        model: ScriptedModel::new([calls(), Reply::says("Then I fix the parser.")]),
        moments: moments.clone(),
    };
    let read = FnTool::delayed("read", 2_000, "assert_eq!(parse(1), 2);");
    let edit = FnTool::new("edit", |_| async { Ok(ToolResult::text("changed")) });
    let mut agent = Agent::builder(model)
        .session_id("s")
        .agent_id("a")
        .config_id("c")
        .clock(Arc::new(|| 0))
        .tools(ToolSet::new().with(read.concurrent_safe()).with(edit))
        .filter(RecordedInput(admitted.clone()))
        .build();
    let handle = agent.handle();
    let mut events = agent.prompt("Fix the tests.");
    let reader = async {
        while let Some(event) = events.recv().await {
            moments.lock().unwrap().push(Moment::Event(event));
        }
    };
    let user = async {
        sleep(Duration::from_secs(1)).await;
        let message = Message::User {
            content: vec![Content::Text {
                text: "Leave c alone.".into(),
            }],
            timestamp: 0,
        };
        moments.lock().unwrap().push(Moment::Steer(message.clone()));
        handle.steer(message);
    };
    tokio::join!(reader, user);
    let admitted = admitted.lock().unwrap().clone();
    let moments = std::mem::take(&mut *moments.lock().unwrap());
    (moments, admitted)
}

#[tokio::test(start_paused = true)]
async fn a_steered_turn() {
    let (moments, admitted) = run().await;
    let [_, steering] = &admitted[..] else {
        panic!("the loop checks the prompt and the steering message: {admitted:?}");
    };
    let mut recorded: Vec<(usize, Vec<String>)> = Vec::new();
    let mut turn = 0;
    for moment in &moments {
        if let Moment::Event(AgentEvent::TurnStart { turn_index, .. }) = moment {
            turn = *turn_index;
            if turn == 1 {
                // The filter runs in `next_input`, which sends no event.
                recorded.push((10, vec![outline(steering)]));
            }
        }
        let step = step_of(moment, turn);
        match recorded.last_mut() {
            Some((last, lines)) if *last == step => lines.push(line_of(moment)),
            _ => recorded.push((step, vec![line_of(moment)])),
        }
    }
    let order: Vec<usize> = recorded.iter().map(|(step, _)| *step).collect();
    let expected: Vec<usize> = (0..STEPS.len()).collect();
    assert_eq!(order, expected, "the run has the steps of the trace");

    let mut trace = Trace::new("a turn that you steer");
    for ((_, lines), [lane, title, code, about]) in recorded.into_iter().zip(STEPS) {
        trace.add(Step {
            lane,
            title,
            value: Recorded::text(&lines.join("\n")),
            code,
            about,
        });
    }
    trace.check("steered-turn");
}

/// The place in [`STEPS`] to which a moment of turn `turn` belongs.
fn step_of(moment: &Moment, turn: u64) -> usize {
    let event = match moment {
        Moment::Event(event) => event,
        Moment::Request(_) => return if turn == 0 { 2 } else { 12 },
        Moment::Steer(_) => return 5,
    };
    let is_end = matches!(event, AgentEvent::MessageEnd { .. });
    match event {
        AgentEvent::AgentStart { .. } => 0,
        AgentEvent::TurnStart { .. } if turn == 0 => 1,
        AgentEvent::TurnStart { .. } => 11,
        AgentEvent::MessageUpdate { .. } if turn == 0 => 2,
        AgentEvent::MessageUpdate { .. } => 12,
        AgentEvent::MessageStart { message, .. } | AgentEvent::MessageEnd { message, .. } => {
            match (message.role(), turn) {
                ("user", 0) => 1,
                ("user", _) => 11,
                ("assistant", 0) if is_end => 3,
                ("assistant", 0) => 2,
                ("assistant", _) if is_end => 13,
                ("assistant", _) => 12,
                _ => 8,
            }
        }
        AgentEvent::ToolExecutionStart { tool_call_id, .. } if tool_call_id != "c" => 4,
        AgentEvent::ToolExecutionEnd { tool_call_id, .. } if tool_call_id != "c" => 6,
        AgentEvent::TurnEnd { .. } if turn == 0 => 9,
        AgentEvent::TurnEnd { .. } => 13,
        AgentEvent::AgentEnd { .. } => 14,
        _ => 7,
    }
}

/// A moment in one line, such as `MessageEnd user: Fix the tests.`
fn line_of(moment: &Moment) -> String {
    let event = match moment {
        Moment::Event(event) => event,
        Moment::Steer(message) => return outline(message),
        Moment::Request(messages) => {
            let messages: Vec<String> = messages.iter().map(outline).collect();
            return format!("request:\n  {}", messages.join("\n  "));
        }
    };
    let with_role = |name: &str, message: &AgentMessage| format!("{name} {}", message.role());
    match event {
        AgentEvent::AgentStart { loop_id, .. } => format!("AgentStart {loop_id}"),
        AgentEvent::AgentEnd { messages, .. } => {
            format!("AgentEnd, with the {} messages of the loop", messages.len())
        }
        AgentEvent::TurnStart { turn_index, .. } => format!("TurnStart {turn_index}"),
        AgentEvent::TurnEnd { tool_results, .. } => {
            format!("TurnEnd, with {} results", tool_results.len())
        }
        AgentEvent::MessageStart { message, .. } => with_role("MessageStart", message),
        AgentEvent::MessageUpdate { delta, .. } => match delta {
            StreamDelta::Text { delta } => format!("MessageUpdate {delta:?}"),
            other => panic!("the script streams only text: {other:?}"),
        },
        AgentEvent::MessageEnd { message, .. } => {
            let message = message
                .as_llm()
                .expect("the loop adds messages for the model");
            format!("MessageEnd {}", outline(message))
        }
        AgentEvent::ToolExecutionStart {
            tool_call_id: id, ..
        } => format!("ToolExecutionStart {id}"),
        AgentEvent::ToolExecutionEnd {
            tool_call_id: id,
            result,
            is_error,
            ..
        } => {
            let failed = if *is_error { "error: " } else { "" };
            format!(
                "ToolExecutionEnd {id}: {failed}{}",
                content(&result.content)
            )
        }
        other => panic!("this run has no such event: {other:?}"),
    }
}

/// A message in one line: its role, and its text and calls.
fn outline(message: &Message) -> String {
    match message {
        Message::User { content: it, .. } => format!("user: {}", content(it)),
        Message::Assistant { content: it, .. } => format!("assistant: {}", content(it)),
        Message::ToolResult {
            tool_call_id,
            content: it,
            is_error,
            ..
        } => {
            let failed = if *is_error { "error: " } else { "" };
            format!("result of {tool_call_id}: {failed}{}", content(it))
        }
    }
}

fn content(content: &[Content]) -> String {
    let parts = content.iter().map(|block| match block {
        Content::Text { text } => text.clone(),
        Content::ToolCall { id, name, .. } => format!("{name}({id})"),
        other => panic!("the script has only text and calls: {other:?}"),
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Lane, title, code and explanation of each step.
const STEPS: [[&str; 4]; 15] = [
    [
        "Loop",
        "The loop begins",
        "agent::run::agent_loop::AgentLoop::run",
        "The input filters have accepted the prompt. A screen that reads these events now knows that the agent works.",
    ],
    [
        "Loop",
        "The first turn adds the prompt",
        "agent::run::turn::AgentLoop::turn",
        "A `MessageEnd` means that the message is in the history.",
    ],
    [
        "Model",
        "The model is asked",
        "agent::run::model_request::AgentLoop::ask",
        "The request, and then an event for each piece of the reply while it streams.",
    ],
    [
        "Model",
        "The reply has three calls",
        "agent::run::turn::AgentLoop::turn",
        "The reply is in the history. From now on it owes three results.",
    ],
    [
        "Calls",
        "The first batch begins",
        "agent::run::tool_calls::AgentLoop::answer_calls",
        "The steering queue is empty, so the batch runs. Two reads are concurrent-safe and run side by side.",
    ],
    [
        "You",
        "You steer",
        "agent::steering::handle::AgentHandle::steer",
        "One second later, another task puts this message into the steering queue. Nothing stops: the reads continue.",
    ],
    [
        "Calls",
        "Both reads finish",
        "agent::run::tool_calls::AgentLoop::answer_batch",
        "Work that has begun is not thrown away. The message waits in the queue.",
    ],
    [
        "Calls",
        "The edit is skipped",
        "agent::run::tool_calls::AgentLoop::answer_calls",
        "Before the next batch, the loop looks at the queue and finds your message. The edit never runs, and its row on the screen still gets a start and an end.",
    ],
    [
        "History",
        "Three results",
        "agent::run::tool_calls::AgentLoop::answer_calls",
        "The results are added together, in call order. The one of the skipped call is an error that says why.",
    ],
    [
        "Loop",
        "The turn ends",
        "agent::run::turn::AgentLoop::turn",
        "Each call has its result. Your message is still in the queue.",
    ],
    [
        "Loop",
        "The queue is read",
        "agent::run::agent_loop::AgentLoop::next_input",
        "Between two turns, the loop takes the messages that wait. The input filters check this message as they checked the prompt.",
    ],
    [
        "Loop",
        "The second turn adds your message",
        "agent::run::turn::AgentLoop::turn",
        "It follows the results directly, so the model reads it before it does anything else.",
    ],
    [
        "Model",
        "The model is asked again",
        "agent::run::model_request::AgentLoop::ask",
        "The request has the calls, their results and your message.",
    ],
    [
        "Loop",
        "The reply has no calls",
        "agent::run::turn::AgentLoop::turn",
        "The reply is in the history, and there is nothing to run. So the turn ends.",
    ],
    [
        "Loop",
        "The loop ends",
        "agent::run::agent_loop::AgentLoop::run",
        "`next_input` has found nothing, and no reply is owed. This is the last event.",
    ],
];
