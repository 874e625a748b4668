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
    let events = prompt(&mut agent, "I am Bob.").await;
    let start = to_json(&events[0]);
    let snapshot = &start["config_snapshot"];
    assert_json(
        "AgentStart names the session, the agent and the model, and carries the host's metadata",
        &json!([
            start["type"],
            start["session_id"],
            start["agent_id"],
            snapshot["provider"],
            snapshot["model"],
            start["metadata"]
        ]),
        &json!(["AgentStart", "s", "a", "test", "m-1", { "host": "test" }]),
    );
    assert_json(
        "its time is that of the agent's clock",
        &start["timestamp"],
        &to_json(&event_time(TIME)),
    );
    assert_eq!(agent.session_id(), "s", "the agent's session");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_finish_without_a_loop_has_no_stop_reason() {
    let mut agent = agent(&ScriptedModel::new([Step::says("Hello.")]));
    assert_eq!(agent.finish().await, None, "no loop has run yet");
    let reason = within_limit(agent.run("I am Bob.")).await;
    assert_eq!(reason, StopReason::Stop, "the stop reason of the loop");
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
async fn test_ch16_second_prompt_continues_the_first_loop() {
    let mut agent = agent(&ScriptedModel::new(["Hello.", "Bob."].map(Step::says)));
    let first = to_json(&prompt(&mut agent, "I am Bob.").await[0]);
    let second = to_json(&prompt(&mut agent, "Who am I?").await[0]);
    let origin = |start: &Value| {
        json!([
            start["loop_id"],
            start["parent_loop_id"],
            start["continuation_kind"]
        ])
    };
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
    assert_eq!(agent.finish().await, Some(StopReason::Stop), "its end");
    assert_eq!(agent.loop_id(), Some("s.c.2"), "the last loop's id");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_prompts_do_not_copy_the_history() {
    let model = ScriptedModel::new(["One.", "Two.", "Three."].map(Step::says));
    let mut agent = agent(&model);
    within_limit(agent.run("I am Bob.")).await;
    let address = |agent: &Agent| match agent.messages()[0].as_llm() {
        Some(Message::User { content, .. }) => content.as_ptr() as usize,
        other => panic!("the first message is the user's, not {other:?}"),
    };
    let before = address(&agent);
    for input in ["Who am I?", "Are you sure?"] {
        prompt(&mut agent, input).await;
    }
    agent.finish().await;
    assert_eq!(
        address(&agent),
        before,
        "after two more prompts, the first message of the history is the same allocation"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_prompt_after_a_given_history_continues_it() {
    let model = ScriptedModel::new([Step::says("Done.")]);
    let mut agent = Agent::builder(model).history(open_history()).build();
    let start = to_json(&prompt(&mut agent, "now").await[0]);
    assert_json(
        "the history is not empty, so the agent's first loop is not `Initial`",
        &start["continuation_kind"],
        &json!("Default"),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_prompt_after_a_rejected_one_continues_it() {
    let model = ScriptedModel::new([Step::says("Done.")]);
    let filter = Refuse("not here", "bad");
    let mut agent = Agent::builder(model).filter(filter).build();
    prompt(&mut agent, "bad").await;
    assert_eq!(agent.messages(), [], "the rejected prompt is not kept");
    let start = to_json(&prompt(&mut agent, "good").await[0]);
    assert_json(
        "the agent has had a loop, so the second one is not `Initial`, although the history is empty",
        &start["continuation_kind"],
        &json!("Default"),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_second_prompt_continues_the_conversation() {
    let model = ScriptedModel::new(["Hello.", "Bob."].map(Step::says));
    let mut agent = agent(&model);
    prompt(&mut agent, "I am Bob.").await;
    prompt(&mut agent, "Who am I?").await;
    assert_eq!(
        roles(agent.messages()),
        "user:I am Bob. assistant:Hello. user:Who am I? assistant:Bob.",
        "the history has the messages of both loops"
    );
    assert_eq!(
        model.requests()[1].messages.len(),
        3,
        "the second request includes the earlier messages"
    );
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
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    assert!(
        agent.is_streaming(),
        "the agent is busy from the call on, before the task has begun"
    );
    let busy = Some(AgentError::AlreadyStreaming);
    let again = agent.try_prompt("again").err();
    assert_eq!(again, busy, "a second prompt");
    let error = agent.try_continue(ContinuationKind::Default).err();
    assert_eq!(error, busy, "a continuation");
    assert_eq!(
        AgentError::AlreadyStreaming.to_string(),
        "Agent is already streaming. Use steer() or follow_up().",
        "the error says what to do instead"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_prompting_a_busy_agent_panics_with_the_error() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    let message = AgentError::AlreadyStreaming.to_string();
    assert_eq!(
        panic_of(|| drop(agent.prompt("again"))),
        message,
        "`prompt` panics with the error of `try_prompt`"
    );
    assert_eq!(
        panic_of(|| drop(agent.continue_loop())),
        message,
        "`continue_loop` panics with the error of `try_continue`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_calls_do_not_change_the_history() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    drop(agent.prompt("go"));
    agent.try_prompt("again").expect_err("the agent is busy");
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
    let model = ScriptedModel::new([Step::says("I see.")]);
    let mut agent = Agent::builder(model).history(open_history()).build();
    let kind = ContinuationKind::Branch { tag: "b".into() };
    let events = agent.try_continue(kind).expect(
        "the last message of the model's lane is a result, so there is something to answer",
    );
    let events = loop_of(events).await;
    assert_json(
        "the loop is of the given kind",
        &to_json(&events[0])["continuation_kind"],
        &json!({ "Branch": { "tag": "b" } }),
    );
    assert_eq!(
        triggers(&events),
        [TurnTrigger::Branch],
        "the kind determines the trigger of the first turn"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_empty_history_cannot_be_continued() {
    let mut agent = agent(&ScriptedModel::default());
    let error = agent
        .try_continue(ContinuationKind::Default)
        .expect_err("a history without messages can't be continued");
    assert_eq!(error, AgentError::EmptyHistory, "there is no message");
    assert_eq!(
        panic_of(|| drop(agent.continue_loop())),
        error.to_string(),
        "`continue_loop` panics with the error of `try_continue`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_answered_history_cannot_be_continued() {
    let model = ScriptedModel::new([Step::says("I see.")]);
    let mut agent = Agent::builder(model).history(open_history()).build();
    loop_of(agent.continue_loop()).await;
    let error = AgentError::NothingToAnswer;
    assert_eq!(
        agent.try_continue(ContinuationKind::Default).err(),
        Some(error),
        "the history ends with the reply of the last loop, so nothing is left to answer"
    );
    assert_eq!(
        panic_of(|| drop(agent.continue_loop())),
        error.to_string(),
        "`continue_loop` panics with the error of `try_continue`"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_handle_steers_from_another_task() {
    let (mut agent, begun) = agent_with_work();
    let handle = agent.handle();
    tokio::spawn(async move {
        begun.notified().await;
        handle.steer(Message::user("Faster."));
    });
    drop(agent.prompt("go"));
    assert_eq!(within_limit(agent.finish()).await, Some(StopReason::Stop));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult:worked user:Faster. assistant:Done.",
        "the steering message follows the results of the running call"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_handle_waits_for_the_end_of_the_loop() {
    let (mut agent, begun) = agent_with_work();
    let handle = agent.handle();
    let other = tokio::spawn(async move {
        begun.notified().await;
        assert!(handle.is_streaming(), "a loop runs while its tool runs");
        handle.finished().await;
        handle.is_streaming()
    });
    drop(agent.prompt("go"));
    assert_eq!(within_limit(agent.finish()).await, Some(StopReason::Stop));
    assert!(
        !within_limit(other).await.unwrap(),
        "no loop runs after `finished` returns"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_clear_queues_returns_the_queued_messages() {
    let mut agent = agent(&ScriptedModel::new([Step::says("Hello.")]));
    within_limit(agent.run("go")).await;
    let handle = agent.handle();
    handle.set_modes(QueueMode::All, QueueMode::OneAtATime);
    handle.steer(Message::user("Faster."));
    handle.follow_up(Message::user("And then?"));
    let (taken, left) = (handle.clear_queues(), handle.queues());
    let queued = |queues: &Queues| {
        [&queues.steering, &queues.follow_up].map(|it| roles(it.waiting.clone().make_contiguous()))
    };
    assert_eq!(
        queued(&taken),
        ["user:Faster.", "user:And then?"],
        "clear_queues returns the queued messages"
    );
    assert_eq!(queued(&left), ["", ""], "both queues are empty");
    assert_eq!(
        (left.steering.mode, left.follow_up.mode),
        (QueueMode::All, QueueMode::OneAtATime),
        "clear_queues keeps the modes"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_waits_for_stalled_reader_until_abort() {
    let mut agent = agent_of_a_thousand_words();
    let events = agent.prompt("go");
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
}

#[tokio::test(start_paused = true)]
async fn test_ch16_stalled_reader_gets_the_remaining_events() {
    let mut agent = agent_of_a_thousand_words();
    let events = agent.prompt("go");
    sleep(Duration::from_secs(60)).await;
    agent.abort();
    within_limit(agent.finish()).await;
    assert_eq!(
        check(&within_limit(collect_events(events)).await),
        Ok(()),
        "a reader that continues after an abort gets the remaining events"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_running_loop_keeps_its_settings() {
    let (agent, _) = agent_with_changed_settings().await;
    assert_eq!(
        roles(agent.messages()),
        "user:a assistant:1 user:b assistant:2",
        "a loop keeps the settings with which it began"
    );
    let records = agent.loop_records();
    assert_eq!(
        records[0].loop_id, "s.test.m-1.1",
        "the id of the loop that ran during the change"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_next_loop_has_the_new_settings() {
    let (agent, second) = agent_with_changed_settings().await;
    assert_eq!(
        agent.loop_id(),
        Some("s.test.m-1.low.1"),
        "different settings have their own loop numbers"
    );
    assert_eq!(
        second.requests()[0].thinking,
        ThinkingLevel::Low,
        "the next request has the new thinking level"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_sub_agent_names_its_caller() {
    let start = to_json(&prompt(&mut sub_agent(), "go").await[0]);
    assert_json(
        "a sub-agent has its own loop ids, and the parent is its caller's loop",
        &json!([start["loop_id"], start["parent_loop_id"]]),
        &json!(["child.sub.1", "s.c.4"]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_caller_triggers_only_the_first_loop() {
    let mut agent = sub_agent();
    let first = prompt(&mut agent, "go").await;
    let second = prompt(&mut agent, "and on").await;
    assert_eq!(
        (triggers(&first), triggers(&second)),
        (vec![TurnTrigger::SubAgent], vec![TurnTrigger::User]),
        "only the first loop is triggered by the caller"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_loop_sends_agent_end() {
    let events = within_limit(collect_events(panicking_agent().prompt("go"))).await;
    let Some(AgentEvent::AgentEnd { messages, .. }) = events.last() else {
        panic!("a reader should get AgentEnd even if the loop panics; it got {events:?}");
    };
    assert_eq!(
        roles(messages),
        "user:go",
        "AgentEnd has the messages up to the panic"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_panicking_loop_keeps_the_history() {
    let mut agent = panicking_agent();
    drop(agent.prompt("go"));
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
    let mut agent = Agent::builder(ScriptedModel::new([Step::says("Yes.")]))
        .clock(clock_that_panics(crashes.clone()))
        .filter(Arm(crashes))
        .build();
    prompt(&mut agent, "go").await;
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
    assert_eq!(
        check(&within_limit(collect_events(events)).await),
        Ok(()),
        "the reader gets all events up to AgentEnd"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_random_conversations_follow_the_rules() {
    for seed in 0..50 {
        let played = timeout(Duration::from_secs(3_600), scenario::play(seed)).await;
        match played {
            Ok(Ok(())) => {}
            Ok(Err(wrong)) => panic!("conversation {seed}: {wrong}"),
            Err(_) => panic!("conversation {seed} hangs"),
        }
    }
}

/// Prompts the agent and returns the events of the loop.
async fn prompt(agent: &mut Agent, text: &str) -> Vec<AgentEvent> {
    loop_of(agent.prompt(text)).await
}

/// The events of one loop, which must follow the grammar.
async fn loop_of(events: AgentEvents) -> Vec<AgentEvent> {
    let events = within_limit(collect_events(events)).await;
    assert_eq!(check(&events), Ok(()), "the events of the loop");
    events
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

/// An agent whose tool works for a second, and a notification that it has begun.
fn agent_with_work() -> (Agent, Arc<Notify>) {
    let begun = Arc::new(Notify::new());
    let begins = begun.clone();
    let work = FnTool::new("work", move |_| {
        begins.notify_one();
        async {
            sleep(Duration::from_secs(1)).await;
            Ok(ToolResult::text("worked"))
        }
    });
    let model = ScriptedModel::new([Step::calls(&[("a", "work")]), Step::says("Done.")]);
    (agent_with(&model, ToolSet::new().with(work)), begun)
}

/// An agent whose reply has far more deltas than its event buffer holds.
fn agent_of_a_thousand_words() -> Agent {
    Agent::builder(ScriptedModel::new([Step::says(&"word ".repeat(1_000))]))
        .event_buffer(4)
        .build()
}

/// An agent that got another model and thinking level during its first loop and has ended its
/// second, and the other model.
async fn agent_with_changed_settings() -> (Agent, ScriptedModel) {
    let first = ScriptedModel::new([Step::says("1").paused(Duration::from_secs(1))]);
    let second = ScriptedModel::new([Step::says("2"), Step::says("3")]);
    let mut agent = Agent::builder(first).session_id("s").build();
    drop(agent.prompt("a"));
    agent.settings_mut().model = Arc::new(second.clone());
    agent.settings_mut().thinking = ThinkingLevel::Low;
    within_limit(agent.finish()).await;
    within_limit(agent.run("b")).await;
    (agent, second)
}

/// An agent that was started by a tool of the loop `s.c.4`.
fn sub_agent() -> Agent {
    Agent::builder(ScriptedModel::new([Step::says("1"), Step::says("2")]))
        .session_id("child")
        .sub_agent_of("s.c.4")
        .build()
}

/// An agent whose loop panics once it has added its prompt.
fn panicking_agent() -> Agent {
    let crashes = Arc::new(AtomicBool::new(false));
    Agent::builder(Nameless(crashes.clone()))
        .filter(Arm(crashes))
        .build()
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

fn panic_of(work: impl FnOnce()) -> String {
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let thrown = thrown.expect_err("the contract asks for a panic here");
    let words = thrown.downcast_ref::<String>().cloned();
    words
        .or_else(|| thrown.downcast_ref::<&str>().map(|words| words.to_string()))
        .unwrap_or_default()
}
