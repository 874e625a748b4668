//! Section 16.14: Prompting the agent

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

use super::scenario;
use super::support::*;

#[test]
fn test_ch16_agent_start_describes_the_loop() {
    let mut agent = agent(&says(&["Hello."]));
    let start = to_json(&prompt(&mut agent, "I am Bob.")[0]);
    let snapshot = &start["config_snapshot"];
    assert_json(
        "AgentStart names the session, the agent and the model, and carries the host's metadata",
        &json!([
            start["session_id"],
            start["agent_id"],
            snapshot["provider"],
            snapshot["model"],
            start["metadata"]
        ]),
        &json!(["s", "a", "test", "m-1", { "host": "test" }]),
    );
    let time = to_json(&event_time(TIME));
    assert_json("the agent's clock", &start["timestamp"], &time);
    assert_eq!(agent.session_id(), "s", "the agent's session");
}

#[test]
fn test_ch16_finish_without_a_loop_has_no_stop_reason() {
    let mut agent = agent(&says(&["Hello."]));
    assert_eq!(wait(agent.finish()), None, "no loop has run yet");
    let reason = wait(agent.run("I am Bob."));
    assert_eq!(reason, StopReason::Stop, "the stop reason of the loop");
}

#[test]
fn test_ch16_text_prompt_becomes_user_message() {
    let mut agent = agent(&says(&["Hello."]));
    wait(agent.run("I am Bob."));
    let message = Message::User {
        content: vec![text("I am Bob.")],
        timestamp: TIME,
    };
    assert_eq!(
        agent.messages()[0].as_llm(),
        Some(&message),
        "text becomes a user message with the current time"
    );
}

#[test]
fn test_ch16_second_prompt_continues_the_first_loop() {
    let mut agent = agent(&says(&["Hello.", "Bob."]));
    let first = prompt(&mut agent, "I am Bob.");
    let second = prompt(&mut agent, "Who am I?");
    assert_json(
        "the first loop has no parent",
        &origin(&first),
        &json!(["s.c.1", null, "Initial"]),
    );
    assert_json(
        "the second loop continues the first",
        &origin(&second),
        &json!(["s.c.2", "s.c.1", "Default"]),
    );
    assert_eq!(agent.loop_id(), Some("s.c.2"), "the last loop's id");
    assert_eq!(
        roles(agent.messages()),
        "user:I am Bob. assistant:Hello. user:Who am I? assistant:Bob.",
        "the history has the messages of both loops"
    );
}

#[test]
fn test_ch16_prompts_do_not_copy_the_history() {
    let mut agent = agent(&says(&["One.", "Two.", "Three."]));
    prompt(&mut agent, "I am Bob.");
    wait(agent.finish());
    let address = |agent: &Agent| {
        let first = agent.messages()[0].as_llm();
        content(first.expect("the user's message")).as_ptr() as usize
    };
    let before = address(&agent);
    for input in ["Who am I?", "Are you sure?"] {
        prompt(&mut agent, input);
    }
    wait(agent.finish());
    let rule = "after two more prompts, the first message of the history is the same allocation";
    assert_eq!(address(&agent), before, "{rule}");
}

#[test]
fn test_ch16_only_a_new_agents_loop_is_initial() {
    let mut given = Agent::builder(says(&["Done."]))
        .history(open_history())
        .build();
    let mut rejected = Agent::builder(says(&["Done."]))
        .filter(Refuse("not here", "bad"))
        .build();
    prompt(&mut rejected, "bad");
    assert_eq!(rejected.messages(), [], "the rejected prompt is not kept");
    for (rule, agent) in [
        ("the history is not empty", &mut given),
        (
            "the agent has had a loop, although its history is empty",
            &mut rejected,
        ),
    ] {
        let events = prompt(agent, "go");
        assert_json(rule, &origin(&events)[2], &json!("Default"));
    }
}

#[test]
fn test_ch16_every_loop_leaves_a_record() {
    let mut agent = agent(&says(&["1", "2"]));
    wait(agent.run("one"));
    wait(agent.run("two"));
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
    assert_eq!(agent.usage().input, 20, "the usage of both loops");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_busy_agent_rejects_prompts() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    let rule = "the agent is busy from the call on, before the task has begun";
    assert!(agent.is_streaming(), "{rule}");
    let busy = AgentError::AlreadyStreaming;
    let error = agent.try_prompt("again").err();
    assert_eq!(error, Some(busy), "a second prompt");
    let error = agent.try_continue(ContinuationKind::Default).err();
    assert_eq!(error, Some(busy), "a continuation");
    let message = "Agent is already streaming. Use steer() or follow_up().";
    let panic = panic_of(|| drop(agent.prompt("again")));
    assert_eq!(panic, message, "`prompt` panics with the error");
    let panic = panic_of(|| drop(agent.continue_loop()));
    assert_eq!(panic, message, "`continue_loop` panics with the error");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_calls_do_not_change_the_history() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    agent.try_prompt("again").expect_err("the agent is busy");
    agent.abort();
    within_limit(agent.finish()).await;
    let messages = roles(agent.messages());
    assert_eq!(
        messages, "user:go assistant:",
        "the prompt of the aborted loop, and not the rejected one"
    );
    let rule = "an agent whose loop has ended accepts a prompt";
    assert!(agent.try_prompt("now").is_ok(), "{rule}");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_is_free_after_agent_end() {
    let mut agent = agent(&says(&["Yes.", "Yes.", "Yes."]));
    for _ in 0..3 {
        let mut events = agent.prompt("Well?");
        while let Some(event) = within_limit(events.recv()).await {
            if let AgentEvent::AgentEnd { messages, .. } = event {
                let rule = "after AgentEnd the agent accepts a prompt at once";
                assert!(!agent.is_streaming(), "{rule}");
                let rule = "the history ends with the messages of AgentEnd";
                assert!(agent.messages().ends_with(&messages), "{rule}");
                break;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_continue_answers_last_message() {
    let mut agent = Agent::builder(says(&["I see."]))
        .history(open_history())
        .build();
    let kind = ContinuationKind::Branch { tag: "b".into() };
    let events = agent.try_continue(kind).expect(
        "the last message of the model's lane is a result, so there is something to answer",
    );
    let events = loop_of(events).await;
    assert_json(
        "the loop is of the given kind",
        &origin(&events)[2],
        &json!({ "Branch": { "tag": "b" } }),
    );
    let first = triggers(&events);
    assert_eq!(first, [TurnTrigger::Branch], "the kind determines it");
    let mut asked = Agent::builder(says(&["Hello."]))
        .history(vec![user_text("I am Bob.")])
        .build();
    loop_of(asked.continue_loop()).await;
    let messages = roles(asked.messages());
    let expected = "user:I am Bob. assistant:Hello.";
    assert_eq!(messages, expected, "a user message is answered too");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_history_without_a_question_cannot_be_continued() {
    let mut empty = agent(&says(&["Well."]));
    let mut unseen = Agent::builder(says(&["Well."]))
        .history(vec![note("for the screen")])
        .build();
    let mut answered = Agent::builder(says(&["I see."]))
        .history(open_history())
        .build();
    within_limit(collect_events(answered.continue_loop())).await;
    let calls = model_reply("", &[("a", "read")], StopReason::ToolUse);
    let mut open = Agent::builder(says(&["Well."]))
        .history(vec![user_text("go"), calls.into()])
        .build();
    for (rule, agent, error) in [
        ("no message", &mut empty, AgentError::EmptyHistory),
        ("only extensions", &mut unseen, AgentError::EmptyHistory),
        ("an answer", &mut answered, AgentError::NothingToAnswer),
        ("an open call", &mut open, AgentError::NothingToAnswer),
    ] {
        let result = agent.try_continue(ContinuationKind::Default);
        assert_eq!(result.err(), Some(error), "the history has {rule}");
        let panic = panic_of(|| drop(agent.continue_loop()));
        assert_eq!(panic, error.to_string(), "`continue_loop` panics with it");
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_handle_steers_from_another_task() {
    let begun = Arc::new(Notify::new());
    let mut agent = agent_with_work(begun.clone());
    let handle = agent.handle();
    let other = tokio::spawn(async move {
        begun.notified().await;
        assert!(handle.is_streaming(), "a loop runs while its tool runs");
        handle.steer(Message::user("Faster."));
        handle.finished().await;
        assert!(!handle.is_streaming(), "no loop runs after `finished`");
    });
    drop(agent.prompt("go"));
    within_limit(other).await.unwrap();
    agent.finish().await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult:worked user:Faster. assistant:Done.",
        "the steering message follows the results of the running call"
    );
}

#[test]
fn test_ch16_clear_queues_returns_the_queued_messages() {
    let mut agent = agent(&says(&["Hello."]));
    wait(agent.run("go"));
    let handle = agent.handle();
    handle.set_modes(QueueMode::All, QueueMode::OneAtATime);
    let queue = |mode, waiting: &[AgentMessage]| Queue {
        mode,
        waiting: waiting.to_vec().into(),
    };
    let queues = |steering: &[AgentMessage], follow_up: &[AgentMessage]| Queues {
        steering: queue(QueueMode::All, steering),
        follow_up: queue(QueueMode::OneAtATime, follow_up),
    };
    let [first, second, then] = ["Faster.", "No.", "And then?"].map(user_text);
    handle.steer(first.clone());
    handle.steer(second.clone());
    handle.follow_up(then.clone());
    let taken = handle.clear_queues();
    assert_eq!(taken, queues(&[first, second], &[then]), "in order");
    assert_eq!(handle.queues(), queues(&[], &[]), "the modes stay");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_waits_for_stalled_reader_until_abort() {
    let mut agent = Agent::builder(says(&["word ".repeat(1_000).as_str()]))
        .event_buffer(4)
        .build();
    let events = agent.prompt("go");
    let early = timeout(Duration::from_secs(60), agent.finish()).await;
    assert!(early.is_err(), "the loop should wait for its reader");
    assert_eq!(events.len(), 4, "as many events wait as the buffer holds");
    agent.abort();
    let reason = within_limit(agent.finish()).await;
    let aborted = Some(StopReason::Aborted);
    assert_eq!(reason, aborted, "after an abort the loop does not wait");
    // The reader gets the remaining events.
    loop_of(events).await;
}

#[tokio::test(start_paused = true)]
async fn test_ch16_running_loop_keeps_its_settings() {
    let first = ScriptedModel::new([Step::says("1").paused(Duration::from_secs(1))]);
    let second = says(&["2"]);
    let mut agent = Agent::builder(first).session_id("s").build();
    drop(agent.prompt("a"));
    agent.settings_mut().model = Arc::new(second.clone());
    agent.settings_mut().thinking = ThinkingLevel::Low;
    within_limit(agent.finish()).await;
    let messages = roles(agent.messages());
    assert_eq!(messages, "user:a assistant:1", "the first model's reply");
    within_limit(agent.run("b")).await;
    let ids = agent
        .loop_records()
        .into_iter()
        .map(|record| record.loop_id);
    assert_eq!(
        ids.collect::<Vec<_>>(),
        ["s.test.m-1.1", "s.test.m-1.low.1"],
        "different settings have their own loop numbers"
    );
    let level = second.requests()[0].thinking;
    assert_eq!(level, ThinkingLevel::Low, "the next loop's new level");
}

#[test]
fn test_ch16_caller_starts_only_the_first_loop() {
    let mut agent = Agent::builder(says(&["1", "2"]))
        .session_id("child")
        .sub_agent_of("s.c.4")
        .build();
    let first = prompt(&mut agent, "go");
    let second = prompt(&mut agent, "and on");
    assert_json(
        "a sub-agent has its own loop ids, and the parent of its first loop is its caller's loop",
        &json!([origin(&first), origin(&second)]),
        &json!([
            ["child.sub.1", "s.c.4", "Initial"],
            ["child.sub.2", "child.sub.1", "Default"],
        ]),
    );
    let first = triggers(&first);
    assert_eq!(first, [TurnTrigger::SubAgent], "the caller triggers it");
    let second = triggers(&second);
    assert_eq!(second, [TurnTrigger::User], "the user triggers it");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_loop_sends_agent_end() {
    let crashes = Arc::new(AtomicBool::new(false));
    let mut agent = Agent::builder(Nameless(crashes.clone()))
        .filter(Arm(crashes))
        .build();
    let events = within_limit(collect_events(agent.prompt("go"))).await;
    let Some(AgentEvent::AgentEnd { messages, .. }) = events.last() else {
        panic!("a reader should get AgentEnd even if the loop panics; it got {events:?}");
    };
    assert_eq!(roles(messages), "user:go", "the messages up to the panic");
    let reason = within_limit(agent.finish()).await;
    assert_eq!(reason, Some(StopReason::Error), "the stop reason");
    let history = roles(agent.messages());
    assert_eq!(history, "user:go", "the history keeps these messages");
}

#[test]
fn test_ch16_panicking_clock_keeps_last_time() {
    let crashes = Arc::new(AtomicBool::new(false));
    let mut agent = Agent::builder(says(&["Yes."]))
        .clock(clock_that_panics(crashes.clone()))
        .filter(Arm(crashes))
        .build();
    prompt(&mut agent, "go");
    let times = agent.messages().iter().filter_map(AgentMessage::as_llm);
    let times: Vec<Value> = times.map(|it| to_json(it)["timestamp"].clone()).collect();
    assert_eq!(
        times,
        [TIME, TIME],
        "a panicking clock does not stop the loop: the last time that it returned is used"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_dropped_agent_aborts_its_loop() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    let handle = agent.handle();
    let events = agent.prompt("go");
    drop(agent);
    within_limit(handle.finished()).await;
    // The reader gets all events up to AgentEnd.
    loop_of(events).await;
}

#[tokio::test(start_paused = true)]
async fn test_ch16_random_conversations_follow_the_rules() {
    for seed in 0..30 {
        let played = timeout(Duration::from_secs(3_600), scenario::play(seed)).await;
        match played {
            Ok(Ok(())) => {}
            Ok(Err(wrong)) => panic!("conversation {seed}: {wrong}"),
            Err(_) => panic!("conversation {seed} hangs"),
        }
    }
}

/// The id, the parent and the kind of a loop, as its first event has them.
fn origin(events: &[AgentEvent]) -> Value {
    let start = to_json(&events[0]);
    json!([
        start["loop_id"],
        start["parent_loop_id"],
        start["continuation_kind"]
    ])
}

/// A history whose last message for the model is a tool's result.
fn open_history() -> Vec<AgentMessage> {
    vec![
        user_text("go"),
        model_reply("", &[("a", "read")], StopReason::ToolUse).into(),
        result("a", "text", false).into(),
        note("for the screen"),
    ]
}

/// An agent whose tool works for a second and notifies when it begins.
fn agent_with_work(begun: Arc<Notify>) -> Agent {
    let work = FnTool::new("work", move |_| {
        begun.notify_one();
        async {
            sleep(Duration::from_secs(1)).await;
            Ok(ToolResult::text("worked"))
        }
    });
    let model = ScriptedModel::new([Step::calls(&[("a", "work")]), Step::says("Done.")]);
    agent_with(&model, ToolSet::new().with(work))
}

/// A clock that panics once the flag is set.
fn clock_that_panics(crashes: Arc<AtomicBool>) -> Arc<dyn Fn() -> u64 + Send + Sync> {
    Arc::new(move || match crashes.load(Ordering::Relaxed) {
        true => panic_silently("a bug in the clock"),
        false => TIME,
    })
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

/// The message with which `work` panics.
fn panic_of(work: impl FnOnce()) -> String {
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let thrown = thrown.expect_err("the contract asks for a panic here");
    let message = thrown.downcast_ref::<String>().cloned();
    message.unwrap_or_default()
}
