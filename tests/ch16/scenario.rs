//! Random conversations, and checks of the promises that hold in all of them.

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
use super::support::*;

/// Plays the conversation of this random seed. The error describes a broken promise.
pub async fn play(seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let model = RandomModel::new(rng.u64(..));
    let wrong = model.wrong.clone();
    let mode = |all| match all {
        true => QueueMode::All,
        false => QueueMode::OneAtATime,
    };
    let mut agent = Agent::builder(model)
        .tools(tools())
        .filter(Refuse("no bad words", "bad"))
        .event_buffer(rng.usize(1..20))
        .queue_modes(mode(rng.bool()), mode(rng.bool()))
        .build();
    let mut given = Vec::new();
    for number in 1..=rng.usize(1..5) {
        if is_answered(&agent) && agent.try_continue(ContinuationKind::Default).is_ok() {
            return Err("try_continue began a loop on an answered history".into());
        }
        let texts: Vec<String> = (0..rng.usize(1..5))
            .map(|_| random_text(&mut rng))
            .collect();
        given.extend(texts.clone());
        let events = agent.prompt(texts[0].clone());
        let acting = act(agent.handle(), texts[1..].to_vec(), rng.fork());
        let (read, ()) = tokio::join!(read(events, rng.fork()), acting);
        agent.finish().await;
        if let Some(read) = read {
            check(&read).map_err(|wrong| format!("the events of loop {number}: {wrong}"))?;
        }
        let lane = convert_to_llm(agent.messages());
        check_pairs(&lane).map_err(|wrong| format!("the history after loop {number}: {wrong}"))?;
        if !is_answered(&agent) {
            let events = agent.try_continue(ContinuationKind::Default);
            drop(events.map_err(|error| error.to_string())?);
            agent.finish().await;
        }
    }
    if let Some(wrong) = wrong.lock().unwrap().take() {
        return Err(format!("a request is wrong: {wrong}"));
    }
    check_all_given(&agent, &given)
}

/// A text that no other message has. Some of them are rejected.
fn random_text(rng: &mut Rng) -> String {
    let bad = if rng.u8(0..8) == 0 { " bad" } else { "" };
    format!("{}{bad}", rng.u64(..))
}

/// Steers and follows up with these texts at random times, and aborts sometimes.
async fn act(handle: AgentHandle, texts: Vec<String>, mut rng: Rng) {
    for text in texts {
        sleep(Duration::from_millis(rng.u64(0..60))).await;
        match rng.bool() {
            true => handle.steer(Message::user(text)),
            false => handle.follow_up(Message::user(text)),
        }
        match rng.u8(0..6) {
            0 => handle.abort(),
            1 => handle.steer(note("for the screen")),
            _ => {}
        }
    }
}

/// Reads the events of a loop with random pauses; `None` if the reader leaves early.
async fn read(mut events: AgentEvents, mut rng: Rng) -> Option<Vec<AgentEvent>> {
    let pause = Duration::from_millis([0, 0, 1, 7][rng.usize(0..4)]);
    let leaves_after = (rng.u8(0..5) == 0).then(|| rng.usize(0..30));
    let mut all = Vec::new();
    while let Some(event) = events.recv().await {
        all.push(event);
        if Some(all.len()) == leaves_after {
            return None;
        }
        sleep(pause).await;
    }
    Some(all)
}

/// Checks that each given text is in the history and the queues once. Rejected texts are in
/// neither.
fn check_all_given(agent: &Agent, given: &[String]) -> Result<(), String> {
    let queues = agent.handle().queues();
    let waiting = queues
        .steering
        .waiting
        .iter()
        .chain(&queues.follow_up.waiting);
    let all = agent.messages().iter().chain(waiting);
    let texts: Vec<String> = all.map(text_of).collect();
    for text in given {
        let count = texts.iter().filter(|it| *it == text).count();
        if count > 1 || count == 0 && !text.ends_with("bad") {
            return Err(format!(
                "{text:?} is in the history and the queues {count} times"
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
}

impl RandomModel {
    fn new(seed: u64) -> Self {
        Self {
            rng: Mutex::new(Rng::with_seed(seed)),
            wrong: Arc::default(),
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
        if let Err(wrong) = check_pairs(request.messages) {
            *self.wrong.lock().unwrap() = Some(wrong);
        }
        if matches!(
            request.messages.last(),
            None | Some(Message::Assistant { .. })
        ) {
            *self.wrong.lock().unwrap() = Some("there is nothing to answer".into());
        }
        let mut rng = self.rng.lock().unwrap().fork();
        let (reply, to_send) = random_reply(&mut rng);
        let pause = Duration::from_millis(rng.u64(0..8));
        for delta in to_send {
            sleep(pause).await;
            let _ = deltas.send(delta).await;
        }
        match rng.u8(0..12) {
            0 => Err(ProviderError::Network("the connection broke".into())),
            1 => panic_silently("a bug in the connection"),
            2 => {
                sleep(Duration::from_secs(1)).await;
                Ok(reply)
            }
            _ => Ok(reply),
        }
    }
}

/// A reply with thinking, text and calls, and its deltas.
fn random_reply(rng: &mut Rng) -> (Message, Vec<StreamDelta>) {
    let words = |kind: &str, count| (0..count).map(|n| format!("{kind}{n} ")).collect();
    let thoughts: Vec<String> = words("thought", rng.usize(0..3));
    let texts: Vec<String> = words("word", rng.usize(0..4));
    let tools = [
        "read", "read", "read", "write", "fail", "panic", "never", "chatty", "none",
    ];
    let calls: Vec<(&str, &str)> = (0..rng.usize(0..6).saturating_sub(1))
        .map(|n| {
            (
                ["a", "b", "c", "", "a"][n],
                tools[rng.usize(0..tools.len())],
            )
        })
        .collect();
    let reasons = [
        StopReason::Stop,
        StopReason::Stop,
        StopReason::Length,
        StopReason::Error,
    ];
    let mut reply = model_reply(&texts.concat(), &calls, reasons[rng.usize(0..4)]);
    if let Message::Assistant { content, .. } = &mut reply
        && !thoughts.is_empty()
    {
        content.insert(0, thought(&thoughts.concat()));
    }
    let mut deltas: Vec<StreamDelta> = thoughts.iter().map(|it| thinking(it)).collect();
    deltas.extend(texts.iter().map(|it| text_delta(it)));
    (reply, deltas)
}
