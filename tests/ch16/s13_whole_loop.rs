//! Section 16.13: The first and the last event

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use tokio::time::timeout;

use super::grammar::{check_pairs, name};
use super::support::*;

#[test]
fn test_ch16_loop_sends_events_in_grammar_order() {
    let calls = Step::calls(&[("a", "read"), ("b", "read")]);
    let model = ScriptedModel::new([calls, Step::says("Both are empty.")]);
    let mut agent = agent_with(&model, read_tool(1));
    let events = run(&mut agent, vec![user_text("What is in a and b?")]);
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
    let second = &model.requests()[1].messages;
    assert_eq!(second.len(), 4, "the prompt, the reply and its two results");
}

#[test]
fn test_ch16_rejected_prompt_changes_nothing() {
    let model = says(&["no"]);
    let mut agent = refusing(&model);
    agent.follow_up(Message::user("later"));
    let events = run(&mut agent, ["fine", "bad", "bad"].map(user_text).to_vec());
    let expected = "AgentStart InputRejected AgentEnd";
    assert_eq!(names(&events), expected, "the loop ends without a turn");
    let reason = rejection(&events);
    assert_eq!(reason, Some("not here"), "AgentEnd has the filter's reason");
    let rule = "a prompt is accepted completely or not at all";
    assert_eq!(agent.messages(), [], "{rule}");
    assert_eq!(model.requests().len(), 0, "the model was not asked");
    assert_eq!(follow_ups(&agent), 1, "the queues stay unchanged");
    let stop = wait(agent.finish());
    assert_eq!(stop, Some(StopReason::GuardRail), "the stop reason");
}

#[test]
fn test_ch16_rejected_follow_up_does_not_end_loop() {
    let mut agent = refusing(&says(&["1", "2"]));
    for text in ["bad", "bad", "good"] {
        agent.follow_up(Message::user(text));
    }
    let events = run(&mut agent, vec![user_text("go")]);
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:1 user:good assistant:2",
        "the accepted follow-up is answered"
    );
    let rejected = events.iter().filter(|it| name(it) == "InputRejected");
    assert_eq!(rejected.count(), 2, "each rejected message sends an event");
    assert_eq!(rejection(&events), None, "the prompt was not rejected");
}

#[test]
fn test_ch16_trailing_extension_causes_no_request() {
    let model = says(&["1", "not asked for"]);
    let mut agent = agent(&model);
    agent.follow_up(note("after"));
    run(&mut agent, vec![note("before"), user_text("go")]);
    assert_eq!(
        roles(agent.messages()),
        "extension: user:go assistant:1 extension:",
        "extensions go into the history, and the last one causes no request"
    );
}

#[test]
fn test_ch16_abort_ends_loop_in_any_state() {
    for (state, milliseconds) in [
        ("while the model streams", 5),
        ("while a tool runs", 50),
        ("before the loop begins", 0),
    ] {
        let model = ScriptedModel::new([
            Step::calls(&[("a", "read")]).paused(Duration::from_millis(20)),
            Step::says("not asked for"),
        ]);
        let mut agent = agent_with(&model, read_tool(100));
        agent.follow_up(Message::user("later"));
        let (work, events) = prepare(&mut agent);
        match milliseconds {
            0 => agent.abort(),
            _ => abort_after(milliseconds, &agent),
        }
        wait(both(work.run(vec![user_text("go")]), loop_of(events)));
        let reason = wait(agent.finish());
        assert_eq!(reason, Some(StopReason::Aborted), "an abort {state}");
        let requests = model.requests().len();
        assert!(requests <= 1, "the model is not asked again: {state}");
        assert_eq!(follow_ups(&agent), 1, "follow-ups stay queued: {state}");
        let messages = agent.messages();
        assert_eq!(messages[0].role(), "user", "the prompt stays: {state}");
        let pairs = check_pairs(&convert_to_llm(messages));
        assert_eq!(pairs, Ok(()), "each call has a result: {state}");
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_is_free_before_agent_end_is_read() {
    let model: Arc<dyn LanguageModel> = Arc::new(says(&["Yes."]));
    let held = Arc::downgrade(&model);
    let mut agent = AgentBuilder::new(model).event_buffer(1).build();
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
    drop(agent);
    let is_held = held.upgrade().is_some();
    assert!(!is_held, "a loop that waits for its reader holds nothing");
    let rest = within_limit(collect_events(events)).await;
    assert_eq!(
        names(&rest),
        "TurnEnd AgentEnd",
        "the reader still gets the last events"
    );
}

#[test]
fn test_ch16_dropped_loop_leaves_complete_history() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read"), ("b", "read")])]);
    let mut agent = agent_with(&model, read_tool(60_000));
    let (work, events) = prepare(&mut agent);
    drop(events);
    let cut = wait(async {
        let running = work.run(vec![user_text("go")]);
        timeout(Duration::from_secs(1), running).await
    });
    assert!(cut.is_err(), "the tool takes a minute");
    assert!(!agent.is_streaming(), "the dropped loop does not run");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST} toolResult:{LOST}"),
        "each call of the dropped loop has a result"
    );
}

#[test]
fn test_ch16_next_loop_continues_with_the_same_lane() {
    let model = AddressModel::default();
    let history = (0..20).map(|_| user_text("earlier")).collect();
    let mut agent = Agent::builder(model.clone()).history(history).build();
    run(&mut agent, vec![user_text("one")]);
    run(&mut agent, vec![user_text("two")]);
    let requests = model.0.lock().unwrap();
    let (first, second) = (&requests[0], &requests[1]);
    assert_eq!(first.len(), 21, "the first request has the history");
    assert_eq!(
        second[..first.len()],
        first[..],
        "the next loop does not copy the messages for the model: they have the same addresses"
    );
}

/// Runs one loop to its end. Its events must follow the grammar.
fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> Vec<AgentEvent> {
    let (work, events) = prepare(agent);
    wait(both(work.run(prompt), loop_of(events))).1
}

/// An agent that rejects `bad` with the reason `not here`.
fn refusing(model: &ScriptedModel) -> Agent {
    Agent::builder(model.clone())
        .filter(Refuse("not here", "bad"))
        .build()
}

/// The rejection in the last event.
fn rejection(events: &[AgentEvent]) -> Option<&str> {
    match events.last() {
        Some(AgentEvent::AgentEnd { rejection, .. }) => rejection.as_deref(),
        _ => panic!("the last event should be AgentEnd: {events:?}"),
    }
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
        let addresses = request
            .messages
            .iter()
            .map(|it| content(it).as_ptr() as usize);
        self.0.lock().unwrap().push(addresses.collect());
        Ok(model_reply("Yes.", &[], StopReason::Stop))
    }
}
