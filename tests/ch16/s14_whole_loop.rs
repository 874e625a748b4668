//! Section 16.14: The first and the last event

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use tokio::time::{sleep, timeout};

use super::grammar::{check, check_pairs, name, text_of};
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_sends_events_in_grammar_order() {
    let events = run_two_turns(&calls_and_text()).await;
    assert_eq!(
        names(&events),
        "AgentStart \
         TurnStart MessageStart MessageEnd MessageStart MessageEnd \
         ToolExecutionStart ToolExecutionEnd ToolExecutionStart ToolExecutionEnd \
         MessageStart MessageEnd MessageStart MessageEnd TurnEnd \
         TurnStart MessageStart MessageUpdate MessageUpdate MessageUpdate MessageEnd TurnEnd \
         AgentEnd",
        "a turn with two calls and a turn with a text, between AgentStart and AgentEnd"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_user_triggers_only_the_first_turn() {
    let events = run_two_turns(&calls_and_text()).await;
    assert_eq!(
        triggers(&events),
        [TurnTrigger::User, TurnTrigger::Continuation],
        "the user triggers the first turn, the tool results the second"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_end_carries_the_usage_of_all_replies() {
    let events = run_two_turns(&calls_and_text()).await;
    let Some(AgentEvent::AgentEnd { usage, .. }) = events.last() else {
        panic!("the last event should be AgentEnd: {events:?}");
    };
    assert_eq!(
        usage.input, 20,
        "AgentEnd carries the usage of both replies"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_second_request_has_the_results() {
    let model = calls_and_text();
    run_two_turns(&model).await;
    let lengths: Vec<usize> = model
        .requests()
        .iter()
        .map(|it| it.messages.len())
        .collect();
    assert_eq!(
        lengths,
        [1, 4],
        "the second request also has the reply and its two results"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_prompt_changes_nothing() {
    let model = ScriptedModel::new([Step::says("no")]);
    let mut agent = refusing(&model);
    run(&mut agent, vec![user_text("fine"), user_text("bad")]).await;
    assert_eq!(
        agent.messages(),
        [],
        "a prompt is accepted completely or not at all"
    );
    assert_eq!(model.requests().len(), 0, "the model was not asked");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_prompt_is_reported() {
    let mut agent = refusing(&ScriptedModel::new([Step::says("no")]));
    let events = run(&mut agent, vec![user_text("fine"), user_text("bad")]).await;
    assert_eq!(
        names(&events),
        "AgentStart InputRejected AgentEnd",
        "the loop ends without a turn"
    );
    assert_eq!(
        rejection(&events).as_deref(),
        Some("not here"),
        "AgentEnd has the filter's reason"
    );
    assert_eq!(
        agent.finish().await,
        Some(StopReason::GuardRail),
        "the stop reason of a rejected prompt"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_follow_up_does_not_end_loop() {
    let mut agent = refusing(&ScriptedModel::new([Step::says("1"), Step::says("2")]));
    for text in ["bad", "bad", "good"] {
        agent.follow_up(Message::user(text));
    }
    let events = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:1 user:good assistant:2",
        "the accepted follow-up is answered"
    );
    let rejected = events.iter().filter(|it| name(it) == "InputRejected");
    assert_eq!(rejected.count(), 2, "each rejected message sends an event");
    assert_eq!(
        rejection(&events),
        None,
        "the loop's own prompt was not rejected"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_trailing_extension_causes_no_request() {
    let model = ScriptedModel::new([Step::says("1")]);
    let mut agent = agent(&model);
    agent.follow_up(note("after"));
    run(&mut agent, vec![note("before"), user_text("go")]).await;
    assert_eq!(
        roles(agent.messages()),
        "extension: user:go assistant:1 extension:",
        "extensions go into the history"
    );
    assert_eq!(
        model.requests().len(),
        1,
        "a trailing extension does not cause another request"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_extension_alone_causes_no_request() {
    let model = ScriptedModel::new([Step::says("not asked for")]);
    let events = run(&mut agent(&model), vec![note("alone")]).await;
    assert_eq!(
        names(&events),
        "AgentStart MessageStart MessageEnd AgentEnd",
        "the extension goes into the history without a turn"
    );
    assert_eq!(
        model.requests().len(),
        0,
        "an extension alone does not cause a request"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_ends_loop_in_any_state() {
    for (state, milliseconds) in ABORTS {
        let (mut agent, requests) = aborted_after(milliseconds).await;
        assert_eq!(
            agent.finish().await,
            Some(StopReason::Aborted),
            "the stop reason after an abort {state}"
        );
        assert!(
            requests <= 1,
            "the model is not asked again after an abort {state}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_leaves_a_complete_history() {
    for (state, milliseconds) in ABORTS {
        let (agent, _) = aborted_after(milliseconds).await;
        let pairs = check_pairs(&convert_to_llm(agent.messages()));
        assert_eq!(pairs, Ok(()), "the results after an abort {state}");
        assert_eq!(
            text_of(&agent.messages()[0]),
            "go",
            "the prompt is in the history even if it was not answered (an abort {state})"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_leaves_follow_ups_queued() {
    for (state, milliseconds) in ABORTS {
        let (agent, _) = aborted_after(milliseconds).await;
        assert_eq!(
            agent.handle().queues().follow_up.waiting.len(),
            1,
            "queued messages stay queued after an abort {state}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_is_free_before_agent_end_is_read() {
    let mut agent = Agent::builder(ScriptedModel::new([Step::says("Yes.")]))
        .event_buffer(1)
        .build();
    let (work, mut events) = prepare(&mut agent);
    tokio::spawn(work.run(vec![user_text("Well?")]));
    // After the reply's end, `TurnEnd` fills the channel.
    read_until(&mut events, "MessageEnd").await;
    read_until(&mut events, "MessageEnd").await;
    let free = timeout(Duration::from_secs(60), agent.finish()).await;
    assert_eq!(
        free,
        Ok(Some(StopReason::Stop)),
        "a loop that only has AgentEnd to send has ended: it hands its history over first"
    );
    let rest = within_limit(collect_events(events)).await;
    assert_eq!(
        names(&rest),
        "TurnEnd AgentEnd",
        "the reader still gets the last events"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_dropped_loop_leaves_complete_history() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read"), ("b", "read")])]);
    let mut agent = agent_with(&model, read_tool(60_000));
    let (work, events) = prepare(&mut agent);
    drop(events);
    let cut = timeout(Duration::from_secs(1), work.run(vec![user_text("go")])).await;
    assert!(cut.is_err(), "the tool takes a minute");
    assert!(!agent.is_streaming(), "the dropped loop does not run");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST} toolResult:{LOST}"),
        "each call of the dropped loop has a result"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_next_loop_continues_with_the_same_lane() {
    let model = AddressModel::default();
    let history = (0..20).map(|_| user_text("earlier")).collect();
    let mut agent = Agent::builder(model.clone()).history(history).build();
    run(&mut agent, vec![user_text("one")]).await;
    run(&mut agent, vec![user_text("two")]).await;
    let requests = model.0.lock().unwrap();
    let (first, second) = (&requests[0], &requests[1]);
    assert_eq!(first.len(), 21, "the first request has the history");
    assert_eq!(
        second[..first.len()],
        first[..],
        "`end` keeps the loop's lane, so the next loop does not copy the messages for the model: they have the same addresses"
    );
}

/// Runs one loop to its end. Its events must follow the grammar.
async fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> Vec<AgentEvent> {
    let (work, events) = prepare(agent);
    let ((), events) = both(work.run(prompt), collect_events(events)).await;
    assert_eq!(check(&events), Ok(()), "the events of the loop");
    events
}

/// A model that replies with two calls and then with a text.
fn calls_and_text() -> ScriptedModel {
    ScriptedModel::new([
        Step::calls(&[("a", "read"), ("b", "read")]),
        Step::says("Both are empty."),
    ])
}

/// The events of a loop with this model.
async fn run_two_turns(model: &ScriptedModel) -> Vec<AgentEvent> {
    let mut agent = agent_with(model, read_tool(1));
    run(&mut agent, vec![user_text("What is in a and b?")]).await
}

/// An agent that rejects `bad` with the reason `not here`.
fn refusing(model: &ScriptedModel) -> Agent {
    Agent::builder(model.clone())
        .filter(Refuse("not here", "bad"))
        .build()
}

/// The rejection in the last event.
fn rejection(events: &[AgentEvent]) -> Option<String> {
    match events.last() {
        Some(AgentEvent::AgentEnd { rejection, .. }) => rejection.clone(),
        _ => panic!("the last event should be AgentEnd: {events:?}"),
    }
}

/// The states in which a loop is aborted, and their times in milliseconds.
const ABORTS: [(&str, u64); 3] = [
    ("while the model streams", 5),
    ("while a tool runs", 50),
    ("before the loop begins", 0),
];

/// An agent whose loop was aborted after this time and then got a follow-up, and the number of
/// its requests.
async fn aborted_after(milliseconds: u64) -> (Agent, usize) {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]).paused(Duration::from_millis(20)),
        Step::says("not asked for"),
    ]);
    let mut agent = agent_with(&model, read_tool(100));
    let handle = agent.handle();
    let (work, events) = prepare(&mut agent);
    let aborting = async {
        if milliseconds > 0 {
            sleep(Duration::from_millis(milliseconds)).await;
        }
        handle.abort();
        handle.follow_up(Message::user("later"));
    };
    let running = both(work.run(vec![user_text("go")]), collect_events(events));
    let ((), ((), events)) = both(aborting, running).await;
    check(&events).unwrap_or_else(|wrong| panic!("aborted after {milliseconds} ms: {wrong}"));
    (agent, model.requests().len())
}

/// Reads events up to the next one with this name.
async fn read_until(events: &mut AgentEvents, last: &str) {
    while let Some(event) = within_limit(events.recv()).await {
        if name(&event) == last {
            break;
        }
    }
}

/// A model that records the addresses of each request's messages.
#[derive(Clone, Default)]
struct AddressModel(Arc<Mutex<Vec<Vec<usize>>>>);

#[async_trait]
impl LanguageModel for AddressModel {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        _deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let address = |message: &Message| match message {
            Message::User { content, .. }
            | Message::Assistant { content, .. }
            | Message::ToolResult { content, .. } => content.as_ptr() as usize,
        };
        let addresses = request.messages.iter().map(address).collect();
        self.0.lock().unwrap().push(addresses);
        Ok(model_reply("Yes.", &[], StopReason::Stop))
    }
}
