//! Section 16.11: The agent

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
use super::parts::{End, Scripted, Step, crash, reply, tool};
use super::scenario;
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_prompts_make_a_conversation() {
    let model = Scripted::new([Step::says("Hello."), Step::says("Bob.")]);
    let mut agent = agent(&model);
    assert_eq!(agent.finish().await, None, "nothing has run");
    let events = in_time(all(agent.prompt("I am Bob."))).await;
    assert_eq!(check(&events), Ok(()));
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        continuation_kind,
        config_snapshot: Some(snapshot),
        session_id,
        agent_id,
        timestamp,
        metadata,
    } = &events[0]
    else {
        panic!("a loop begins with AgentStart: {:?}", events[0]);
    };
    assert_eq!(
        (loop_id.as_str(), session_id.as_str(), agent_id.as_str()),
        ("s.c.1", "s", "a")
    );
    assert_eq!(
        (parent_loop_id, continuation_kind),
        (&None, &ContinuationKind::Initial)
    );
    assert_eq!(
        (snapshot.provider.as_str(), snapshot.model.as_str()),
        ("test", "m-1")
    );
    assert_eq!(
        (*timestamp, metadata),
        (event_time(TIME), &Some(json!({ "host": "test" })))
    );
    assert_eq!(
        agent.messages().first().and_then(AgentMessage::as_llm),
        Some(&Message::User {
            content: vec![text("I am Bob.")],
            timestamp: TIME
        }),
        "a text becomes the user's message of that moment"
    );

    let events = in_time(all(agent.prompt(vec![said("Who am I?")]))).await;
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        continuation_kind,
        ..
    } = &events[0]
    else {
        panic!("a loop begins with AgentStart: {:?}", events[0]);
    };
    assert_eq!(
        (
            loop_id.as_str(),
            parent_loop_id.as_deref(),
            continuation_kind
        ),
        ("s.c.2", Some("s.c.1"), &ContinuationKind::Default),
        "the second loop goes on from the first"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:I am Bob. assistant:Hello. user:Who am I? assistant:Bob."
    );
    assert_eq!(
        model.asked()[1].messages.len(),
        3,
        "the model is sent what was said before"
    );
    assert_eq!(agent.finish().await, Some(StopReason::Stop));
    assert_eq!(agent.usage().input, 20, "of both loops");
    assert_eq!(agent.session_id(), "s");
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
    assert_eq!(agent.loop_records(), records, "what is kept of each loop");
    let total = records.map(|record| record.usage);
    let total = total
        .iter()
        .fold(Usage::default(), |sum, one| sum.combine(one));
    assert_eq!(
        agent.usage(),
        total,
        "the agent's usage is that of all loops"
    );
    assert_eq!(agent.loop_id(), Some("s.c.2"));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_busy_agent_takes_no_prompt() {
    const WORDS: &str = "Agent is already streaming. Use steer() or follow_up().";
    let mut agent = agent(&Scripted::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    assert!(
        agent.is_streaming(),
        "from the call on, before the task has begun"
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
        WORDS
    );
    assert_eq!(
        agent.replace_messages(vec![]),
        Err(AgentError::AlreadyStreaming)
    );
    let state = agent.save();
    assert_eq!(agent.restore(state), Err(AgentError::AlreadyStreaming));
    assert_eq!(panic_of(|| drop(agent.prompt("again"))), WORDS);
    assert_eq!(panic_of(|| drop(agent.continue_loop())), WORDS);
    agent.abort();
    in_time(agent.finish()).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "what was refused has left no trace"
    );
    assert!(
        agent.try_prompt("now").is_ok(),
        "an agent that is done takes a prompt"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_the_last_event_frees_the_agent() {
    let model = Scripted::new((0..3).map(|_| Step::says("Yes.")));
    let mut agent = agent(&model);
    for _ in 0..3 {
        let mut events = agent.prompt("Well?");
        while let Some(event) = in_time(events.recv()).await {
            if let AgentEvent::AgentEnd { messages, .. } = event {
                assert!(
                    !agent.is_streaming(),
                    "who has read AgentEnd can prompt at once"
                );
                assert!(
                    agent.messages().ends_with(&messages),
                    "and the history has what the event has"
                );
                break;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_continue_answers_what_is_open() {
    let mut empty = agent(&Scripted::default());
    let error = empty.try_continue(ContinuationKind::Default).unwrap_err();
    assert_eq!(error, AgentError::EmptyHistory);
    assert_eq!(panic_of(|| drop(empty.continue_loop())), error.to_string());

    let model = Scripted::new([Step::says("I see.")]);
    let mut agent = agent(&model);
    let open = vec![
        said("go"),
        reply("", &[("a", "read")], StopReason::ToolUse).into(),
        result("a", "text", false).into(),
        note("for the screen"),
    ];
    agent.replace_messages(open).expect("nothing runs");
    let kind = ContinuationKind::Branch { tag: "b".into() };
    let events = in_time(all(agent
        .try_continue(kind.clone())
        .expect("a result is to be answered")))
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
        "the last message is the model's own"
    );
    assert_eq!(panic_of(|| drop(agent.continue_loop())), error.to_string());
}

#[tokio::test(start_paused = true)]
async fn test_ch16_another_history_takes_the_place_of_the_last_loops() {
    let mut agent = agent(&Scripted::new([Step::says("1"), Step::says("2")]));
    in_time(agent.run("go")).await;
    let spent = agent.usage();
    assert_ne!(spent, Usage::default(), "a reply costs something");
    assert_eq!(agent.replace_messages(vec![said("a summary")]), Ok(0));
    assert_eq!(
        roles(agent.messages()),
        "user:a summary",
        "the history is the one that was given, not what the last loop left"
    );
    assert_eq!(agent.usage(), spent, "what was spent stays spent");
    in_time(agent.run("on")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a summary user:on assistant:2"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_handle_works_from_other_tasks() {
    let begun = Arc::new(Notify::new());
    let begins = begun.clone();
    let model = Scripted::new([Step::calls(&[("a", "work")]), Step::says("Done.")]);
    let mut agent = agent_with(
        &model,
        ToolSet::new().with(tool("work", move |_| {
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
    assert_eq!(in_time(agent.finish()).await, Some(StopReason::Stop));
    assert!(
        !in_time(other).await.unwrap(),
        "nothing runs when it has finished"
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
    let said = |queue: &Queue| roles(&queue.waiting.iter().cloned().collect::<Vec<_>>());
    assert_eq!(
        (
            said(&taken.steering).as_str(),
            said(&taken.follow_up).as_str()
        ),
        ("user:Faster.", "user:And then?"),
        "whoever empties the lines gets what was in them"
    );
    let left = handle.queues();
    assert!(left.steering.waiting.is_empty() && left.follow_up.waiting.is_empty());
    assert_eq!(
        (left.steering.mode, left.follow_up.mode),
        (QueueMode::All, QueueMode::OneAtATime),
        "the modes stay"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_stalled_reader_is_waited_for_until_an_abort() {
    let mut agent = Agent::builder(Scripted::new([Step::says(&"word ".repeat(1_000))]))
        .event_buffer(4)
        .build();
    let mut events = agent.prompt("go");
    let early = timeout(Duration::from_secs(60), agent.finish()).await;
    assert!(early.is_err(), "the loop waits for its reader");
    assert_eq!(
        events.len(),
        4,
        "and no more events wait than there is room for"
    );
    agent.abort();
    assert_eq!(
        in_time(agent.finish()).await,
        Some(StopReason::Aborted),
        "but not after an abort"
    );
    let mut all = Vec::new();
    while let Some(event) = in_time(events.recv()).await {
        all.push(event);
    }
    assert_eq!(check(&all), Ok(()), "a reader who comes back gets the rest");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_settings_change_between_loops() {
    let first = Scripted::new([Step::says("1").paused(Duration::from_secs(1))]);
    let second = Scripted::new([Step::says("2"), Step::says("3")]);
    let mut agent = Agent::builder(first).session_id("s").build();
    drop(agent.prompt("a"));
    agent.settings_mut().model = Arc::new(second.clone());
    agent.settings_mut().thinking = ThinkingLevel::Low;
    in_time(agent.finish()).await;
    assert_eq!(agent.loop_id(), Some("s.test.m-1.1"));
    in_time(agent.run("b")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a assistant:1 user:b assistant:2",
        "a loop runs to its end with what it began with"
    );
    assert_eq!(
        agent.loop_id(),
        Some("s.test.m-1.low.1"),
        "other settings count by themselves"
    );
    assert_eq!(second.asked()[0].thinking, ThinkingLevel::Low);
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_sub_agent_names_its_caller() {
    let mut agent = Agent::builder(Scripted::new([Step::says("1"), Step::says("2")]))
        .session_id("child")
        .sub_agent_of("s.c.4")
        .build();
    let events = in_time(all(agent.prompt("go"))).await;
    let AgentEvent::AgentStart {
        loop_id,
        parent_loop_id,
        ..
    } = &events[0]
    else {
        panic!("a loop begins with AgentStart: {:?}", events[0]);
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
    let events = in_time(all(agent.prompt("and on"))).await;
    assert!(
        matches!(
            &events[1],
            AgentEvent::TurnStart {
                triggered_by: TurnTrigger::User,
                ..
            }
        ),
        "only its first loop is the caller's: {:?}",
        events[1]
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_loop_that_crashes_has_an_end() {
    let crashes = Arc::new(AtomicBool::new(false));
    let arm = crashes.clone();
    let mut agent = Agent::builder(Nameless(crashes)).filter(Arm(arm)).build();
    let events = in_time(all(agent.prompt("go"))).await;
    let Some(AgentEvent::AgentEnd { messages, .. }) = events.last() else {
        panic!("whatever crashes, a reader learns that the loop is over; it got {events:?}");
    };
    assert_eq!(roles(messages), "user:go", "what was said until then");
    assert_eq!(
        in_time(agent.finish()).await,
        Some(StopReason::Error),
        "it came to no good end"
    );
    assert_eq!(roles(agent.messages()), "user:go", "and nothing is lost");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_clock_that_crashes_stands_still() {
    let crashes = Arc::new(AtomicBool::new(false));
    let (stop, arm) = (crashes.clone(), crashes.clone());
    let mut agent = Agent::builder(Scripted::new([Step::says("Yes.")]))
        .clock(Arc::new(move || {
            if stop.load(Ordering::Relaxed) {
                crash("a bug in the clock");
            }
            TIME
        }))
        .filter(Arm(arm))
        .build();
    let events = in_time(all(agent.prompt("go"))).await;
    assert_eq!(check(&events), Ok(()), "a loop needs no clock to go on");
    let times = agent.messages().iter().filter_map(AgentMessage::as_llm);
    let times: Vec<Value> = times.map(|it| json!(it)["timestamp"].clone()).collect();
    assert_eq!(times, [TIME, TIME], "it is still what it told last");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_saved_agent_goes_on() {
    let mut first = agent(&Scripted::new([Step::says("Hello.")]));
    in_time(first.run("I am Bob.")).await;
    first.follow_up(Message::user("Who am I?"));
    first.steer(note("saved"));
    let saved = serde_json::to_string(&first.save()).expect("a state can be written");
    let state: AgentState = serde_json::from_str(&saved).expect("and read");
    assert_eq!(state, first.save());

    let model = Scripted::new([Step::says("Bob.")]);
    let mut second = Agent::builder(model.clone()).config_id("c").build();
    assert_eq!(second.restore(state), Ok(0), "no result was missing");
    assert_eq!(
        (second.messages(), second.usage()),
        (first.messages(), first.usage())
    );
    let events = in_time(all(second.prompt(Prompt::Messages(vec![])))).await;
    assert_eq!(check(&events), Ok(()));
    assert!(
        matches!(&events[0], AgentEvent::AgentStart { loop_id, parent_loop_id, .. }
            if loop_id == "s.c.2" && parent_loop_id.as_deref() == Some("s.c.1")),
        "no loop id comes again, and the parent is known: {:?}",
        events[0]
    );
    assert_eq!(
        roles(second.messages()),
        "user:I am Bob. assistant:Hello. extension: user:Who am I? assistant:Bob.",
        "what waited in line is taken up by a prompt without words"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_broken_session_is_mended() {
    let mut agent = agent(&Scripted::new([Step::says("I look again.")]));
    let mut state = agent.save();
    state.messages = vec![
        said("go"),
        reply("", &[("a", "read")], StopReason::ToolUse).into(),
    ];
    assert_eq!(agent.restore(state), Ok(1), "one result was missing");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST}")
    );
    in_time(all(agent.continue_loop())).await;
    assert_eq!(
        agent.finish().await,
        Some(StopReason::Stop),
        "and the agent goes on"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_agent_that_goes_aborts_its_loop() {
    let mut agent = agent(&Scripted::new([Step::new(End::Never)]));
    let handle = agent.handle();
    let events = agent.prompt("go");
    drop(agent);
    in_time(handle.finished()).await;
    assert_eq!(
        check(&in_time(all(events)).await),
        Ok(()),
        "its reader is told to the end"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_the_promises_hold_whatever_happens() {
    for seed in 0..50 {
        let played = timeout(Duration::from_secs(3_600), scenario::play(seed)).await;
        match played {
            Ok(Ok(())) => {}
            Ok(Err(wrong)) => panic!("conversation {seed}: {wrong}"),
            Err(_) => panic!("conversation {seed} hangs"),
        }
    }
}

/// Lets all in, and from then on something crashes.
struct Arm(Arc<AtomicBool>);

impl InputFilter for Arm {
    fn check(&self, _message: &Message) -> Result<(), String> {
        self.0.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// A model that crashes when it is asked for its name, once that is wanted.
struct Nameless(Arc<AtomicBool>);

#[async_trait]
impl LanguageModel for Nameless {
    fn provider(&self) -> &str {
        match self.0.load(Ordering::Relaxed) {
            true => crash("a bug in the model's name"),
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
        Err(ProviderError::BadRequest("nobody asks it".into()))
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
