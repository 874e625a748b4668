//! Section 16.15: Prompting the agent

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::{ToolResult, ToolSet};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::grammar::check;
use super::scenario;
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_start_describes_the_loop() {
    let mut agent = agent(&ScriptedModel::new([Step::says("Hello.")]));
    assert_eq!(agent.finish().await, None, "no loop has run yet");
    let events = within_limit(collect_events(agent.prompt("I am Bob."))).await;
    assert_eq!(check(&events), Ok(()));
    let AgentEvent::AgentStart {
        config_snapshot: Some(snapshot),
        session_id,
        agent_id,
        timestamp,
        metadata,
        ..
    } = &events[0]
    else {
        panic!("the first event should be AgentStart, not {:?}", events[0]);
    };
    assert_eq!((session_id.as_str(), agent_id.as_str()), ("s", "a"));
    assert_eq!(
        (snapshot.provider.as_str(), snapshot.model.as_str()),
        ("test", "m-1")
    );
    assert_eq!(
        (*timestamp, metadata),
        (event_time(TIME), &Some(json!({ "host": "test" })))
    );
    assert_eq!(agent.session_id(), "s");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_text_prompt_becomes_user_message() {
    let mut agent = agent(&ScriptedModel::new([Step::says("Hello.")]));
    within_limit(agent.run("I am Bob.")).await;
    assert_eq!(
        agent.messages().first().and_then(AgentMessage::as_llm),
        Some(&Message::User {
            content: vec![text("I am Bob.")],
            timestamp: TIME
        }),
        "text becomes a user message with the current time"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_second_prompt_continues_the_conversation() {
    let model = ScriptedModel::new([Step::says("Hello."), Step::says("Bob.")]);
    let mut agent = agent(&model);
    let mut kinds = Vec::new();
    for prompt in ["I am Bob.", "Who am I?"] {
        let events = within_limit(collect_events(agent.prompt(vec![user_text(prompt)]))).await;
        let AgentEvent::AgentStart {
            loop_id,
            parent_loop_id,
            continuation_kind,
            ..
        } = &events[0]
        else {
            panic!("the first event should be AgentStart, not {:?}", events[0]);
        };
        let kind = continuation_kind.clone();
        kinds.push((loop_id.clone(), parent_loop_id.clone(), kind));
    }
    let first = ("s.c.1".into(), None, ContinuationKind::Initial);
    let second = (
        "s.c.2".into(),
        Some("s.c.1".into()),
        ContinuationKind::Default,
    );
    assert_eq!(
        kinds,
        [first, second],
        "the second loop continues the first"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:I am Bob. assistant:Hello. user:Who am I? assistant:Bob."
    );
    let requests = model.requests();
    assert_eq!(
        requests[1].messages.len(),
        3,
        "the second request includes the earlier messages"
    );
    assert_eq!(agent.finish().await, Some(StopReason::Stop));
    assert_eq!(agent.loop_id(), Some("s.c.2"));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_every_loop_leaves_a_record() {
    let mut agent = agent(&ScriptedModel::new([Step::says("1"), Step::says("2")]));
    within_limit(agent.run("one")).await;
    within_limit(agent.run("two")).await;
    let record = |loop_id: &str, parent: Option<&str>| LoopRecord {
        loop_id: loop_id.into(),
        parent_loop_id: parent.map(str::to_string),
        stop_reason: StopReason::Stop,
        usage: Usage {
            input: 10,
            output: 2,
            total_tokens: 12,
            ..Usage::default()
        },
    };
    let records = [record("s.c.1", None), record("s.c.2", Some("s.c.1"))];
    assert_eq!(agent.loop_records(), records, "each loop has a record");
    assert_eq!(
        agent.usage(),
        records[0].usage.combine(&records[1].usage),
        "the agent's usage is the sum over all loops"
    );
    assert_eq!(agent.usage().input, 20, "the usage of both loops");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_busy_agent_rejects_prompts() {
    const MESSAGE: &str = "Agent is already streaming. Use steer() or follow_up().";
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    assert!(
        agent.is_streaming(),
        "the agent is busy from the call on, before the task has begun"
    );
    assert_eq!(
        agent.try_prompt("again").unwrap_err(),
        AgentError::AlreadyStreaming
    );
    assert_eq!(
        agent
            .try_continue(ContinuationKind::Default)
            .unwrap_err()
            .to_string(),
        MESSAGE
    );
    assert_eq!(panic_of(|| drop(agent.prompt("again"))), MESSAGE);
    assert_eq!(panic_of(|| drop(agent.continue_loop())), MESSAGE);
    agent.abort();
    within_limit(agent.finish()).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "rejected calls do not change the history"
    );
    assert!(
        agent.try_prompt("now").is_ok(),
        "an agent whose loop has ended accepts a prompt"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_is_free_after_agent_end() {
    let model = ScriptedModel::new((0..3).map(|_| Step::says("Yes.")));
    let mut agent = agent(&model);
    for _ in 0..3 {
        let mut events = agent.prompt("Well?");
        while let Some(event) = within_limit(events.recv()).await {
            if let AgentEvent::AgentEnd { messages, .. } = event {
                assert!(
                    !agent.is_streaming(),
                    "after AgentEnd the agent accepts a prompt at once"
                );
                assert!(
                    agent.messages().ends_with(&messages),
                    "the history ends with the messages of AgentEnd"
                );
                break;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_continue_answers_last_message() {
    let mut empty = agent(&ScriptedModel::default());
    let error = empty.try_continue(ContinuationKind::Default).unwrap_err();
    assert_eq!(error, AgentError::EmptyHistory);
    assert_eq!(panic_of(|| drop(empty.continue_loop())), error.to_string());

    let model = ScriptedModel::new([Step::says("I see.")]);
    let open = vec![
        user_text("go"),
        model_reply("", &[("a", "read")], StopReason::ToolUse).into(),
        result("a", "text", false).into(),
        note("for the screen"),
    ];
    let mut agent = Agent::builder(model).history(open).build();
    let kind = ContinuationKind::Branch { tag: "b".into() };
    let events =
        within_limit(collect_events(agent.try_continue(kind.clone()).expect(
            "the last message is a result, so there is something to answer",
        )))
        .await;
    assert_eq!(check(&events), Ok(()));
    assert!(
        matches!(&events[0], AgentEvent::AgentStart { continuation_kind, .. } if *continuation_kind == kind)
    );
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::Branch,
                ..
            }
        ),
        "{:?}",
        events[1]
    );
    let error = agent.try_continue(ContinuationKind::Default).unwrap_err();
    assert_eq!(
        error,
        AgentError::NothingToAnswer,
        "the last message is the model's own reply"
    );
    assert_eq!(panic_of(|| drop(agent.continue_loop())), error.to_string());
}

#[tokio::test(start_paused = true)]
async fn test_ch16_handle_steers_from_another_task() {
    let begun = Arc::new(Notify::new());
    let begins = begun.clone();
    let model = ScriptedModel::new([Step::calls(&[("a", "work")]), Step::says("Done.")]);
    let mut agent = agent_with(
        &model,
        ToolSet::new().with(FnTool::new("work", move |_| {
            begins.notify_one();
            async {
                sleep(Duration::from_secs(1)).await;
                Ok(ToolResult::text("worked"))
            }
        })),
    );
    let handle = agent.handle();
    let other = tokio::spawn(async move {
        begun.notified().await;
        assert!(handle.is_streaming());
        handle.steer(Message::user("Faster."));
        handle.finished().await;
        handle.is_streaming()
    });
    drop(agent.prompt("go"));
    assert_eq!(within_limit(agent.finish()).await, Some(StopReason::Stop));
    assert!(
        !within_limit(other).await.unwrap(),
        "no loop runs after `finished` returns"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult:worked user:Faster. assistant:Done."
    );
    let handle = agent.handle();
    handle.set_modes(QueueMode::All, QueueMode::OneAtATime);
    handle.steer(Message::user("Faster."));
    handle.follow_up(Message::user("And then?"));
    let taken = handle.clear_queues();
    let queued = |queue: &Queue| roles(&queue.waiting.iter().cloned().collect::<Vec<_>>());
    assert_eq!(
        (
            queued(&taken.steering).as_str(),
            queued(&taken.follow_up).as_str()
        ),
        ("user:Faster.", "user:And then?"),
        "clear_queues returns the queued messages"
    );
    let left = handle.queues();
    assert!(left.steering.waiting.is_empty() && left.follow_up.waiting.is_empty());
    assert_eq!(
        (left.steering.mode, left.follow_up.mode),
        (QueueMode::All, QueueMode::OneAtATime),
        "clear_queues keeps the modes"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_waits_for_stalled_reader_until_abort() {
    let mut agent = Agent::builder(ScriptedModel::new([Step::says(&"word ".repeat(1_000))]))
        .event_buffer(4)
        .build();
    let mut events = agent.prompt("go");
    let early = timeout(Duration::from_secs(60), agent.finish()).await;
    assert!(early.is_err(), "the loop should wait for its reader");
    assert_eq!(
        events.len(),
        4,
        "at most as many events wait as the buffer holds"
    );
    agent.abort();
    assert_eq!(
        within_limit(agent.finish()).await,
        Some(StopReason::Aborted),
        "after an abort the loop does not wait"
    );
    let mut all = Vec::new();
    while let Some(event) = within_limit(events.recv()).await {
        all.push(event);
    }
    assert_eq!(
        check(&all),
        Ok(()),
        "a reader that continues gets the remaining events"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_settings_change_between_loops() {
    let first = ScriptedModel::new([Step::says("1").paused(Duration::from_secs(1))]);
    let second = ScriptedModel::new([Step::says("2"), Step::says("3")]);
    let mut agent = Agent::builder(first).session_id("s").build();
    drop(agent.prompt("a"));
    agent.settings_mut().model = Arc::new(second.clone());
    agent.settings_mut().thinking = ThinkingLevel::Low;
    within_limit(agent.finish()).await;
    assert_eq!(agent.loop_id(), Some("s.test.m-1.1"));
    within_limit(agent.run("b")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a assistant:1 user:b assistant:2",
        "a loop keeps the settings with which it began"
    );
    assert_eq!(
        agent.loop_id(),
        Some("s.test.m-1.low.1"),
        "different settings have their own loop numbers"
    );
    assert_eq!(second.requests()[0].thinking, ThinkingLevel::Low);
}

#[tokio::test(start_paused = true)]
async fn test_ch16_sub_agent_names_its_caller() {
    let mut agent = Agent::builder(ScriptedModel::new([Step::says("1"), Step::says("2")]))
        .session_id("child")
        .sub_agent_of("s.c.4")
        .build();
    let events = within_limit(collect_events(agent.prompt("go"))).await;
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        ..
    } = &events[0]
    else {
        panic!("the first event should be AgentStart, not {:?}", events[0]);
    };
    assert_eq!(
        (loop_id.as_str(), parent_loop_id.as_deref()),
        ("child.sub.1", Some("s.c.4"))
    );
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::SubAgent,
                ..
            }
        ),
        "{:?}",
        events[1]
    );
    let events = within_limit(collect_events(agent.prompt("and on"))).await;
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::User,
                ..
            }
        ),
        "only the first loop is triggered by the caller: {:?}",
        events[1]
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_loop_sends_agent_end() {
    let crashes = Arc::new(AtomicBool::new(false));
    let arm = crashes.clone();
    let mut agent = Agent::builder(Nameless(crashes)).filter(Arm(arm)).build();
    let events = within_limit(collect_events(agent.prompt("go"))).await;
    let Some(AgentEvent::AgentEnd { messages, .. }) = events.last() else {
        panic!("a reader should get AgentEnd even if the loop panics; it got {events:?}");
    };
    assert_eq!(
        roles(messages),
        "user:go",
        "AgentEnd has the messages up to the panic"
    );
    assert_eq!(
        within_limit(agent.finish()).await,
        Some(StopReason::Error),
        "the stop reason is Error"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:go",
        "the history keeps the messages up to the panic"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_clock_keeps_last_time() {
    let crashes = Arc::new(AtomicBool::new(false));
    let (stop, arm) = (crashes.clone(), crashes.clone());
    let mut agent = Agent::builder(ScriptedModel::new([Step::says("Yes.")]))
        .clock(Arc::new(move || {
            if stop.load(Ordering::Relaxed) {
                panic_silently("a bug in the clock");
            }
            TIME
        }))
        .filter(Arm(arm))
        .build();
    let events = within_limit(collect_events(agent.prompt("go"))).await;
    assert_eq!(
        check(&events),
        Ok(()),
        "a panicking clock does not stop the loop"
    );
    let times = agent.messages().iter().filter_map(AgentMessage::as_llm);
    let times: Vec<Value> = times.map(|it| json!(it)["timestamp"].clone()).collect();
    assert_eq!(
        times,
        [TIME, TIME],
        "the last time that the clock returned is used"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_dropped_agent_aborts_its_loop() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    let handle = agent.handle();
    let events = agent.prompt("go");
    drop(agent);
    within_limit(handle.finished()).await;
    assert_eq!(
        check(&within_limit(collect_events(events)).await),
        Ok(()),
        "the reader gets all events up to AgentEnd"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_promises_hold_in_random_conversations() {
    for seed in 0..50 {
        let played = timeout(Duration::from_secs(3_600), scenario::play(seed)).await;
        match played {
            Ok(Ok(())) => {}
            Ok(Err(wrong)) => panic!("conversation {seed}: {wrong}"),
            Err(_) => panic!("conversation {seed} hangs"),
        }
    }
}

/// Accepts all input and sets the flag that makes something panic from then on.
struct Arm(Arc<AtomicBool>);

impl InputFilter for Arm {
    fn check(&self, _message: &Message) -> Result<(), String> {
        self.0.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// A model whose `provider` panics once the flag is set.
struct Nameless(Arc<AtomicBool>);

#[async_trait]
impl LanguageModel for Nameless {
    fn provider(&self) -> &str {
        match self.0.load(Ordering::Relaxed) {
            true => panic_silently("a bug in the model's name"),
            false => "test",
        }
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _request: &ModelRequest<'_>,
        _deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        Err(ProviderError::BadRequest("no test sends a request".into()))
    }
}

fn panic_of(work: impl FnOnce()) -> String {
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let thrown = thrown.expect_err("the contract asks for a panic here");
    let words = thrown.downcast_ref::<String>().cloned();
    words
        .or_else(|| thrown.downcast_ref::<&str>().map(|words| words.to_string()))
        .unwrap_or_default()
}
