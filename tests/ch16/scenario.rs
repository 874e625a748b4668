//! Random conversations, and checks of the promises that hold in all of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::{ToolResult, ToolSet};
use fastrand::Rng;
use serde_json::json;
use tokio::time::sleep;

use crate::support::*;

use super::grammar::{check, check_pairs, text_of};

/// Plays the conversation of this random seed. The error describes a broken promise.
pub async fn play(seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let model = RandomModel::new(rng.u64(..));
    let (wrong, sent) = (model.wrong.clone(), model.sent.clone());
    let mode = |all| match all {
        true => QueueMode::All,
        false => QueueMode::OneAtATime,
    };
    let mut agent = Agent::builder(model)
        .session_id("s")
        .config_id("c")
        .tools(tools())
        .filter(NoBadWords)
        .event_buffer(rng.usize(1..20))
        .queue_modes(mode(rng.bool()), mode(rng.bool()))
        .build();
    let mut given = Vec::new();
    let mut rejected = 0_usize;
    for number in 1..=rng.usize(1..5) {
        let random_text = |kind: &str, rng: &mut Rng| {
            let bad = if rng.u8(0..8) == 0 { " bad" } else { "" };
            format!("{kind} {number}.{}{bad}", rng.u32(..))
        };
        let prompt = random_text("prompt", &mut rng);
        given.push(prompt.clone());
        let pause = Duration::from_millis([0, 0, 1, 7][rng.usize(0..4)]);
        let leaves_after = (rng.u8(0..5) == 0).then(|| rng.usize(0..30));
        if is_answered(&agent) && agent.try_continue(ContinuationKind::Default).is_ok() {
            return Err("try_continue began a loop on an answered history".into());
        }
        let mut events = agent.prompt(prompt);
        let handle = agent.handle();
        let mut actions = Vec::new();
        for _ in 0..rng.usize(0..4) {
            let kind = ["steer", "follow", "abort", "note"][rng.usize(0..4)];
            actions.push((kind, random_text(kind, &mut rng), rng.u64(0..60)));
        }
        let acting = async {
            for (kind, text, after) in actions {
                sleep(Duration::from_millis(after)).await;
                match kind {
                    "abort" => handle.abort(),
                    "note" => handle.steer(ExtensionMessage::new("note", json!(text))),
                    _ => {
                        given.push(text.clone());
                        match kind {
                            "steer" => handle.steer(Message::user(text)),
                            _ => handle.follow_up(Message::user(text)),
                        }
                    }
                }
            }
        };
        // `move`, so that a reader that stops early drops the channel.
        let reading = async move {
            let mut all = Vec::new();
            while let Some(event) = events.recv().await {
                all.push(event);
                if Some(all.len()) == leaves_after {
                    return None;
                }
                sleep(pause).await;
            }
            Some(all)
        };
        let (read, ()) = tokio::join!(reading, acting);
        agent.finish().await;
        if let Some(read) = read {
            check(&read)
                .and_then(|()| check_deltas(&read, &sent.lock().unwrap()))
                .and_then(|()| check_progress(&read))
                .map_err(|wrong| format!("the events of loop {number}: {wrong}"))?;
            let is_rejection =
                |event: &&AgentEvent| matches!(event, AgentEvent::InputRejected { .. });
            rejected = rejected.saturating_add(read.iter().filter(is_rejection).count());
        } else {
            // The rejections were not read, so they can't be counted.
            rejected = usize::MAX;
        }
        let lane = convert_to_llm(agent.messages());
        check_pairs(&lane).map_err(|wrong| format!("the history after loop {number}: {wrong}"))?;
        if !is_answered(&agent) {
            let events = agent.try_continue(ContinuationKind::Default);
            rejected = usize::MAX;
            drop(events.map_err(|error| error.to_string())?);
            agent.finish().await;
        }
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    let queues = agent.handle().queues();
    let waiting = queues
        .steering
        .waiting
        .iter()
        .chain(&queues.follow_up.waiting);
    for message in agent.messages().iter().chain(waiting) {
        *counts.entry(text_of(message)).or_default() += 1;
    }
    let mut missing = 0;
    for text in &given {
        match (
            counts.get(text).copied().unwrap_or(0),
            text.ends_with("bad"),
        ) {
            (1, false) | (1, true) => {}
            (0, true) => missing += 1,
            (count, _) => {
                return Err(format!(
                    "{text:?} is in the history and the queues {count} times"
                ));
            }
        }
    }
    if rejected != usize::MAX && rejected != missing {
        return Err(format!(
            "{missing} messages are missing, but {rejected} were rejected"
        ));
    }
    let wrong = wrong.lock().unwrap().clone();
    wrong.map_or(Ok(()), |wrong| Err(format!("a request is wrong: {wrong}")))
}

/// Checks that every delta of each reply was sent once and in order. A delta's text names the
/// request and its index. `sent` has the number of deltas of each request. An abort may cut
/// off the last ones.
fn check_deltas(events: &[AgentEvent], sent: &[usize]) -> Result<(), String> {
    let mut received: Vec<(usize, usize)> = Vec::new();
    for event in events {
        match event {
            AgentEvent::MessageUpdate { delta, .. } => received.push(name_of(delta)?),
            AgentEvent::MessageEnd { message, .. } => {
                let deltas = std::mem::take(&mut received);
                let Some(Message::Assistant { stop_reason, .. }) = message.as_llm() else {
                    continue;
                };
                let Some((request, _)) = deltas.first().copied() else {
                    continue;
                };
                let expected = match stop_reason {
                    StopReason::Aborted => deltas.len(),
                    _ => sent[request],
                };
                if !deltas
                    .iter()
                    .copied()
                    .eq((0..expected).map(|at| (request, at)))
                {
                    return Err(format!(
                        "of the {expected} deltas of request {request}, these arrived: {deltas:?}"
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The request and the index in the text of a delta, such as `r3.0 `.
fn name_of(delta: &StreamDelta) -> Result<(usize, usize), String> {
    let (StreamDelta::Text { delta: name }
    | StreamDelta::Thinking { delta: name }
    | StreamDelta::ToolCallDelta { delta: name }) = delta;
    let numbers = name.trim().strip_prefix('r').unwrap_or_default();
    let numbers = numbers.split_once('.').map(|(a, b)| (a.parse(), b.parse()));
    match numbers {
        Some((Ok(request), Ok(place))) => Ok((request, place)),
        _ => Err(format!("the delta {name:?} was never sent")),
    }
}

/// Checks that the progress of each call arrives in order and only once. Some may be missing.
fn check_progress(events: &[AgentEvent]) -> Result<(), String> {
    let mut last: HashMap<(&str, &str), u64> = HashMap::new();
    for event in events {
        let (id, kind, step) = match event {
            AgentEvent::ToolExecutionStart { tool_call_id, .. } => {
                last.retain(|(id, _), _| id != tool_call_id);
                continue;
            }
            AgentEvent::ProgressMessage {
                tool_call_id, text, ..
            } => (
                tool_call_id,
                "text",
                text.rsplit(' ').next().and_then(|step| step.parse().ok()),
            ),
            AgentEvent::ToolExecutionUpdate {
                tool_call_id,
                partial_result,
                ..
            } => (
                tool_call_id,
                "details",
                partial_result.details["step"].as_u64(),
            ),
            _ => continue,
        };
        let Some(step) = step else {
            return Err(format!("no tool reports this progress: {event:?}"));
        };
        if let Some(before) = last.insert((id, kind), step)
            && before >= step
        {
            return Err(format!(
                "the call {id} reports step {step} after step {before}"
            ));
        }
    }
    Ok(())
}

/// Whether the model has nothing to answer.
fn is_answered(agent: &Agent) -> bool {
    let lane = convert_to_llm(agent.messages());
    matches!(lane.last(), Some(Message::Assistant { .. }) | None)
}

struct NoBadWords;

impl InputFilter for NoBadWords {
    fn check(&self, message: &Message) -> Result<(), String> {
        match text_of(&message.clone().into()).ends_with("bad") {
            true => Err("no bad words".into()),
            false => Ok(()),
        }
    }
}

fn tools() -> ToolSet {
    ToolSet::new()
        .with(FnTool::delayed("read", 3, "text").concurrent_safe())
        .with(FnTool::delayed("write", 5, "written"))
        .with(FnTool::new("fail", |_| async { anyhow::bail!("it broke") }))
        .with(FnTool::new("panic", |_| async {
            panic_silently("a bug in the tool")
        }))
        .with(FnTool::new("never", |_| async {
            sleep(Duration::from_millis(500)).await;
            Ok(ToolResult::text("late"))
        }))
        .with(FnTool::new("chatty", |_| async {
            for step in 0..20 {
                claw_code::engine::report(format!("step {step}"));
                claw_code::engine::report(json!({ "step": step }));
                tokio::task::yield_now().await;
            }
            Ok(ToolResult::text("reported"))
        }))
}

/// A model that replies at random.
struct RandomModel {
    rng: Mutex<Rng>,
    /// The problem of a wrong request.
    wrong: Arc<Mutex<Option<String>>>,
    /// The number of deltas of each request.
    sent: Arc<Mutex<Vec<usize>>>,
}

impl RandomModel {
    fn new(seed: u64) -> Self {
        Self {
            rng: Mutex::new(Rng::with_seed(seed)),
            wrong: Arc::default(),
            sent: Arc::default(),
        }
    }
}

#[async_trait]
impl LanguageModel for RandomModel {
    fn provider(&self) -> &str {
        "random"
    }

    fn model(&self) -> &str {
        "m"
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let last = request.messages.last();
        if let Err(wrong) = check_pairs(request.messages) {
            *self.wrong.lock().unwrap() = Some(wrong);
        }
        if matches!(last, None | Some(Message::Assistant { .. })) {
            *self.wrong.lock().unwrap() = Some("there is nothing to answer".into());
        }
        let (deltas_to_send, calls, time, fate) = {
            let mut rng = self.rng.lock().unwrap();
            let mut sent = self.sent.lock().unwrap();
            let request = sent.len();
            let deltas: Vec<StreamDelta> = (0..rng.usize(0..6))
                .map(|index| {
                    let delta = format!("r{request}.{index} ");
                    match rng.u8(0..6) {
                        0 | 1 => StreamDelta::Thinking { delta },
                        2 => StreamDelta::ToolCallDelta { delta },
                        _ => text_delta(&delta),
                    }
                })
                .collect();
            sent.push(deltas.len());
            let names = [
                "read", "read", "read", "write", "fail", "panic", "never", "chatty", "none",
            ];
            let calls: Vec<(String, &str)> = (0..rng.usize(0..6).saturating_sub(1))
                .map(|n| {
                    (
                        ["a", "b", "c", "", "a"][n].to_string(),
                        names[rng.usize(0..names.len())],
                    )
                })
                .collect();
            (deltas, calls, rng.u64(0..8), rng.u8(0..12))
        };
        for delta in &deltas_to_send {
            sleep(Duration::from_millis(time)).await;
            let _ = deltas.send(delta.clone()).await;
        }
        let calls: Vec<(&str, &str)> = calls
            .iter()
            .map(|(id, name)| (id.as_str(), *name))
            .collect();
        match fate {
            0 => Err(ProviderError::Network("the connection broke".into())),
            1 => panic_silently("a bug in the connection"),
            2 => {
                sleep(Duration::from_secs(1)).await;
                Ok(whole_reply(&deltas_to_send, &[], StopReason::Length))
            }
            3 => Ok(whole_reply(&deltas_to_send, &calls, StopReason::Error)),
            _ => Ok(whole_reply(&deltas_to_send, &calls, StopReason::Stop)),
        }
    }
}

/// The reply that these deltas make, with its thinking before its text.
fn whole_reply(deltas: &[StreamDelta], calls: &[(&str, &str)], stop_reason: StopReason) -> Message {
    let text: String = deltas
        .iter()
        .filter_map(|delta| match delta {
            StreamDelta::Text { delta } => Some(delta.as_str()),
            _ => None,
        })
        .collect();
    let thoughts = deltas.iter().filter_map(|delta| match delta {
        StreamDelta::Thinking { delta } => Some(Content::Thinking {
            thinking: delta.clone(),
            signature: None,
        }),
        _ => None,
    });
    let mut reply = model_reply(&text, calls, stop_reason);
    if let Message::Assistant { content, .. } = &mut reply {
        content.splice(0..0, thoughts);
    }
    reply
}
