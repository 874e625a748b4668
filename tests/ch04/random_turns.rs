//! Random conversations: replies, tools, gates, readers and interruptions by chance.

use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::types::*;
use fastrand::Rng;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::support::*;

/// An engine with a random script, random limits, and a random gate or none.
pub struct RandomConversation {
    pub provider: ScriptedProvider,
    pub max_result_bytes: usize,
    engine: QueryEngine,
    rng: Rng,
}

impl RandomConversation {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let provider = ScriptedProvider::new((0..rng.usize(1..6)).map(|_| random_reply(&mut rng)));
        let (max_turns, max_result_bytes) = (rng.usize(1..6), rng.usize(20..200));
        let mut engine = QueryEngine::builder(provider.clone())
            .tools(random_tools(seed))
            .config(QueryConfig {
                max_turns,
                max_result_bytes,
                max_concurrent: rng.usize(1..4),
            });
        if rng.bool() {
            engine = engine.gate(RandomGate(Mutex::new(Rng::with_seed(seed))));
        }
        Self {
            provider,
            max_result_bytes,
            engine,
            rng,
        }
    }

    /// Runs a turn to its end, or cancels or drops it at a random time. Its reader reads
    /// everything, stalls, or is dropped.
    pub async fn run_turn(&mut self, history: &mut Vec<Message>, case: &str) {
        let cancel = CancellationToken::new();
        let moment = Duration::from_millis(self.rng.u64(0..60));
        let (sender, reader) = mpsc::channel(self.rng.usize(1..4));
        let is_stalled = self.start_reader(reader);
        // Only a cancel ends a turn whose reader has stalled.
        let interruption = match is_stalled {
            true => Interruption::Cancel,
            false => Interruption::random(&mut self.rng),
        };
        let mut limit = Duration::from_secs(3600);
        match interruption {
            Interruption::None => {}
            Interruption::Drop => limit = moment,
            Interruption::Cancel => {
                let token = cancel.clone();
                tokio::spawn(async move {
                    sleep(moment).await;
                    token.cancel();
                });
            }
        }
        let chat = self.engine.chat_with_events(history, sender, &cancel);
        let advice = "a tool's panic must not end the turn: `execute` of chapter 3 catches it";
        match timeout(limit, catch_tool_panic(advice, chat)).await {
            Err(_) => assert_eq!(
                interruption,
                Interruption::Drop,
                "{case}: the turn must finish; it hangs"
            ),
            Ok(Err(QueryError::Cancelled)) => assert_eq!(
                interruption,
                Interruption::Cancel,
                "{case}: the turn was not cancelled"
            ),
            Ok(Err(QueryError::Unanswered(ids))) => {
                panic!("{case}: the turn before left {ids:?} without results")
            }
            Ok(_) => {}
        }
    }

    /// Starts or drops a reader, and returns whether it has stalled.
    fn start_reader(&mut self, mut reader: mpsc::Receiver<QueryEvent>) -> bool {
        let kind = self.rng.u8(0..5);
        if kind == 0 {
            drop(reader);
        } else if kind < 4 {
            tokio::spawn(async move { while reader.recv().await.is_some() {} });
        } else {
            tokio::spawn(async move {
                sleep(Duration::from_secs(600)).await;
                drop(reader);
            });
        }
        kind == 4
    }

    /// The text of the reply to one more request, for which the script has a reply.
    pub async fn ask_again(
        &self,
        history: &mut Vec<Message>,
    ) -> Result<Option<String>, QueryError> {
        self.provider.set_replies([ScriptedReply::text(&["Fine."])]);
        let reply = finish(self.engine.chat(history, &CancellationToken::new())).await;
        reply.map(|reply| reply.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Interruption {
    None,
    Cancel,
    Drop,
}

impl Interruption {
    fn random(rng: &mut Rng) -> Self {
        [Self::None, Self::Cancel, Self::Drop][rng.usize(0..3)]
    }
}

fn random_reply(rng: &mut Rng) -> ScriptedReply {
    let pieces = ["Let ", "me ", "see", "."];
    let pieces = &pieces[..rng.usize(0..=pieces.len())];
    let mut reply = match rng.u8(0..8) {
        0 => ScriptedReply::fails(pieces, network_error()),
        1 => ScriptedReply::text(pieces),
        _ => ScriptedReply::text(pieces).map(|reply| {
            reply.stop_reason = StopReason::ToolUse;
            reply.tool_calls = (0..rng.usize(0..6)).map(|_| random_call(rng)).collect();
        }),
    };
    if rng.bool() {
        reply = reply.with_pause(Duration::from_millis(rng.u64(1..15)));
    }
    if rng.u8(0..4) == 0 {
        reply = reply.with_stop_reason(StopReason::Stop);
    }
    reply
}

fn random_call(rng: &mut Rng) -> ToolCall {
    // Few ids, so that some are equal; one is empty.
    let id = ["call_0", "call_1", "call_2", "call_3", ""][rng.usize(0..5)];
    let names = [
        "quick", "slow", "write", "fails", "panics", "picky", "endless", "nope",
    ];
    let name = names[rng.usize(0..names.len())];
    let arguments = match rng.u8(0..4) {
        0 => json!("not an object"),
        1 => Value::Null,
        2 => json!({ "path": "src" }),
        _ => json!({}),
    };
    call_with(id, name, arguments)
}

fn random_tools(seed: u64) -> ToolSet {
    let random_nap = move |name| {
        let rng = Mutex::new(Rng::with_seed(seed));
        FnTool::new(name, move |_| {
            let time = rng.lock().unwrap().u64(0..20);
            async move {
                report(time);
                sleep(Duration::from_millis(time)).await;
                Ok(ToolResult::text("y".repeat(time as usize * 20)))
            }
        })
    };
    let fails = FnTool::new("fails", |_| async {
        sleep(Duration::from_millis(3)).await;
        anyhow::bail!("it does not work")
    });
    // It ends after all, so that a turn without an interruption finishes.
    let endless = FnTool::new("endless", |_| async {
        sleep(Duration::from_secs(20)).await;
        Ok(ToolResult::text("at last"))
    });
    ToolSet::new()
        .with(FnTool::text("quick", "done").concurrent_safe())
        .with(random_nap("slow").concurrent_safe())
        .with(random_nap("write"))
        .with(fails.concurrent_safe())
        .with(panicking_tool("panics").concurrent_safe())
        .with(noop_tool("picky").with_required("path").concurrent_safe())
        .with(endless)
}

/// A gate that refuses, rewrites, blocks and adds at random.
struct RandomGate(Mutex<Rng>);

impl RandomGate {
    async fn wait(&self) {
        let time = self.0.lock().unwrap().u64(0..5);
        sleep(Duration::from_millis(time)).await;
    }
}

#[async_trait]
impl Gate for RandomGate {
    async fn check(&self, _call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        self.wait().await;
        match self.0.lock().unwrap().u8(0..6) {
            0 => Err("not now".into()),
            _ => Ok(()),
        }
    }

    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        match self.0.lock().unwrap().u8(0..4) {
            0 => Decision::Change {
                arguments: Some(json!({ "path": "elsewhere" })),
                context: Some("rewritten".into()),
            },
            1 => Decision::Block("blocked".into()),
            _ => Decision::Pass,
        }
    }

    async fn after(&self, _call: &ToolCall, _result: &ToolResult) -> Option<String> {
        self.wait().await;
        Some("seen".into())
    }
}

/// Checks the pairing rule without the chapter's own code: one result per call, in call
/// order, directly after the reply, and no result without a call. Also checks that no reply
/// is empty, that the ids of a reply are unique, and that there is no progress.
pub fn assert_complete(history: &[Message], case: &str) {
    let mut due: VecDeque<&str> = VecDeque::new();
    for (at, message) in history.iter().enumerate() {
        let place = format!("{case}, message {at} of {}", outline(history));
        if let Message::ToolResult(result) = message {
            assert_eq!(
                due.pop_front(),
                Some(result.tool_use_id.as_str()),
                "the next due result is on the left, the actual one on the right: {place}"
            );
            continue;
        }
        assert!(due.is_empty(), "calls {due:?} have no result: {place}");
        match message {
            Message::Progress(_) => panic!("progress is not part of a history: {place}"),
            Message::Assistant(reply) => {
                let has_text = reply.text.as_ref().is_some_and(|text| !text.is_empty());
                let ids = ids(&reply.tool_calls);
                assert!(has_text || !ids.is_empty(), "a reply is empty: {place}");
                let distinct: HashSet<&str> = ids.iter().copied().collect();
                assert_eq!(distinct.len(), ids.len(), "two calls share an id: {place}");
                due.extend(ids);
            }
            _ => {}
        }
    }
    assert!(
        due.is_empty(),
        "{case}: calls {due:?} at the end of the history have no result"
    );
}

pub fn assert_within_limit(history: &[Message], limit: usize, case: &str) {
    for message in history {
        if let Message::ToolResult(result) = message {
            assert!(
                result.content.len() <= limit,
                "{case}: max_result_bytes is {limit}, and this result is longer: {:?}",
                result.content
            );
        }
    }
}
