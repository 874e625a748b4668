//! Conversations by chance: whatever happens in them, the promises hold.

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

use super::grammar::{check, check_pairs, text_of};
use super::parts::{crash, piece, reply, slow, tool};

/// Plays the conversation of this seed, and says what was wrong with it, if anything.
pub async fn play(seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let model = Chance::new(rng.u64(..));
    let wrong = model.wrong.clone();
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
        let what = |kind: &str, rng: &mut Rng| {
            let bad = if rng.u8(0..8) == 0 { " bad" } else { "" };
            format!("{kind} {number}.{}{bad}", rng.u32(..))
        };
        let prompt = what("prompt", &mut rng);
        given.push(prompt.clone());
        let pause = Duration::from_millis([0, 0, 1, 7][rng.usize(0..4)]);
        let leaves_after = (rng.u8(0..5) == 0).then(|| rng.usize(0..30));
        if is_answered(&agent) && agent.try_continue(ContinuationKind::Default).is_ok() {
            return Err("try_continue began a loop on an answered history".into());
        }
        let mut events = agent.prompt(prompt);
        let handle = agent.handle();
        let mut words = Vec::new();
        for _ in 0..rng.usize(0..4) {
            let kind = ["steer", "follow", "abort", "note"][rng.usize(0..4)];
            words.push((kind, what(kind, &mut rng), rng.u64(0..60)));
        }
        let talking = async {
            for (kind, text, after) in words {
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
        // `move`: a reader who leaves takes the channel along.
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
        let (read, ()) = tokio::join!(reading, talking);
        agent.finish().await;
        if let Some(read) = read {
            check(&read).map_err(|wrong| format!("the events of loop {number}: {wrong}"))?;
            let is_rejection =
                |event: &&AgentEvent| matches!(event, AgentEvent::InputRejected { .. });
            rejected = rejected.saturating_add(read.iter().filter(is_rejection).count());
        } else {
            // Nobody saw what was turned away; count it by its words below.
            rejected = usize::MAX;
        }
        let lane = convert_to_llm(agent.messages());
        check_pairs(&lane).map_err(|wrong| format!("the history after loop {number}: {wrong}"))?;
        if !is_answered(&agent) {
            let agent_goes_on = agent.try_continue(ContinuationKind::Default);
            rejected = usize::MAX;
            drop(agent_goes_on.map_err(|error| error.to_string())?);
            agent.finish().await;
        }
    }
    let mut places: HashMap<String, usize> = HashMap::new();
    let queues = agent.handle().queues();
    let waiting = queues
        .steering
        .waiting
        .iter()
        .chain(&queues.follow_up.waiting);
    for message in agent.messages().iter().chain(waiting) {
        *places.entry(text_of(message)).or_default() += 1;
    }
    let mut missing = 0;
    for text in &given {
        match (
            places.get(text).copied().unwrap_or(0),
            text.ends_with("bad"),
        ) {
            (1, false) | (1, true) => {}
            (0, true) => missing += 1,
            (count, _) => return Err(format!("{text:?} is there {count} times")),
        }
    }
    if rejected != usize::MAX && rejected < missing {
        return Err(format!(
            "{missing} messages are gone, {rejected} were rejected"
        ));
    }
    let wrong = wrong.lock().unwrap().clone();
    wrong.map_or(Ok(()), |wrong| Err(format!("a request: {wrong}")))
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
        .with(slow("read", 3, "text").safe())
        .with(slow("write", 5, "written"))
        .with(tool("fail", |_| async { anyhow::bail!("it broke") }))
        .with(tool("panic", |_| async { crash("a bug in the tool") }))
        .with(tool("never", |_| async {
            sleep(Duration::from_secs(5)).await;
            Ok(ToolResult::text("late"))
        }))
        .with(tool("chatty", |_| async {
            for step in 0..20 {
                claw_code::engine::report(format!("step {step}"));
                claw_code::engine::report(json!({ "step": step }));
                tokio::task::yield_now().await;
            }
            Ok(ToolResult::text("said"))
        }))
}

/// A model that does anything.
struct Chance {
    rng: Mutex<Rng>,
    /// What was wrong with a request.
    wrong: Arc<Mutex<Option<String>>>,
}

impl Chance {
    fn new(seed: u64) -> Self {
        Self {
            rng: Mutex::new(Rng::with_seed(seed)),
            wrong: Arc::default(),
        }
    }
}

#[async_trait]
impl LanguageModel for Chance {
    fn provider(&self) -> &str {
        "chance"
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
        let (words, calls, time, fate) = {
            let mut rng = self.rng.lock().unwrap();
            let words: Vec<String> = (0..rng.usize(0..6)).map(|n| format!("w{n} ")).collect();
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
            (words, calls, rng.u64(0..8), rng.u8(0..12))
        };
        for word in &words {
            sleep(Duration::from_millis(time)).await;
            let _ = deltas.send(piece(word)).await;
        }
        let calls: Vec<(&str, &str)> = calls
            .iter()
            .map(|(id, name)| (id.as_str(), *name))
            .collect();
        match fate {
            0 => Err(ProviderError::Network("the connection broke".into())),
            1 => crash("a bug in the connection"),
            2 => {
                sleep(Duration::from_secs(1)).await;
                Ok(reply(&words.concat(), &[], StopReason::Length))
            }
            3 => Ok(reply(&words.concat(), &calls, StopReason::Error)),
            _ => Ok(reply(&words.concat(), &calls, StopReason::Stop)),
        }
    }
}
