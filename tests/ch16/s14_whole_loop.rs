//! Section 16.14: The first and the last event

use std::time::Duration;

use claw_code::agent::*;
use claw_code::types::ToolSet;
use tokio::time::{sleep, timeout};

use super::grammar::{check, check_pairs, name, text_of};
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_sends_events_in_grammar_order() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read"), ("b", "read")]),
        Step::says("Both are empty."),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(FnTool::delayed("read", 1, "")));
    let events = run(&mut agent, vec![user_text("What is in a and b?")]).await;
    assert_eq!(
        names(&events),
        "AgentStart \
         TurnStart MessageStart MessageEnd MessageStart MessageEnd \
         ToolExecutionStart ToolExecutionEnd ToolExecutionStart ToolExecutionEnd \
         MessageStart MessageEnd MessageStart MessageEnd TurnEnd \
         TurnStart MessageStart MessageUpdate MessageUpdate MessageUpdate MessageEnd TurnEnd \
         AgentEnd"
    );
    assert_eq!(check(&events), Ok(()));
    let triggers: Vec<TurnTrigger> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::TurnStart { triggered_by, .. } => Some(*triggered_by),
            _ => None,
        })
        .collect();
    assert_eq!(
        triggers,
        [TurnTrigger::User, TurnTrigger::Continuation],
        "the user triggers the first turn, the tool results the second"
    );
    let Some(AgentEvent::AgentEnd { usage, .. }) = events.last() else {
        panic!("the last event should be AgentEnd");
    };
    assert_eq!(
        usage.input, 20,
        "AgentEnd carries the usage of both replies"
    );
    let asked = model.requests();
    assert_eq!(
        (asked[0].messages.len(), asked[1].messages.len()),
        (1, 4),
        "the second request also has the reply and its two results"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_prompt_changes_nothing() {
    let model = ScriptedModel::new([Step::says("no")]);
    let mut agent = Agent::builder(model.clone())
        .filter(Refuse("not here", "bad"))
        .build();
    let events = run(&mut agent, vec![user_text("fine"), user_text("bad")]).await;
    assert_eq!(names(&events), "AgentStart InputRejected AgentEnd");
    assert_eq!(check(&events), Ok(()));
    let Some(AgentEvent::AgentEnd { rejection, .. }) = events.last() else {
        panic!("the last event should be AgentEnd");
    };
    assert_eq!(rejection.as_deref(), Some("not here"));
    assert_eq!(
        agent.messages(),
        [],
        "a prompt is accepted completely or not at all"
    );
    assert_eq!(model.requests().len(), 0, "the model was not asked");
    assert_eq!(agent.finish().await, Some(StopReason::GuardRail));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_rejected_follow_up_does_not_end_loop() {
    let model = ScriptedModel::new([Step::says("1"), Step::says("2")]);
    let mut agent = Agent::builder(model.clone())
        .filter(Refuse("not here", "bad"))
        .build();
    for text in ["bad", "bad", "good"] {
        agent.follow_up(Message::user(text));
    }
    let events = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:1 user:good assistant:2"
    );
    let rejected = events
        .iter()
        .filter(|event| name(event) == "InputRejected")
        .count();
    assert_eq!(rejected, 2, "each rejected message sends an event");
    let Some(AgentEvent::AgentEnd { rejection, .. }) = events.last() else {
        panic!("the last event should be AgentEnd");
    };
    assert_eq!(*rejection, None, "the loop's own prompt was not rejected");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_extension_causes_no_request() {
    let model = ScriptedModel::new([Step::says("1")]);
    let mut agent = agent(&model);
    agent.follow_up(note("after"));
    let events = run(&mut agent, vec![note("before"), user_text("go")]).await;
    assert_eq!(check(&events), Ok(()));
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
    let events = run(&mut agent, vec![note("alone")]).await;
    assert_eq!(
        names(&events),
        "AgentStart MessageStart MessageEnd AgentEnd"
    );
    assert_eq!(
        model.requests().len(),
        1,
        "an extension alone does not cause a request"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_ends_loop_in_any_state() {
    // While the model streams, while a tool runs, and before the loop begins.
    for after in [5, 50, 0] {
        let model = ScriptedModel::new([
            Step::calls(&[("a", "read")]).paused(Duration::from_millis(20)),
            Step::says("not asked for"),
        ]);
        let mut agent = agent_with(
            &model,
            ToolSet::new().with(FnTool::delayed("read", 100, "")),
        );
        let handle = agent.handle();
        let (work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
        let aborting = async {
            if after > 0 {
                sleep(Duration::from_millis(after)).await;
            }
            handle.abort();
            handle.follow_up(Message::user("later"));
        };
        let ((), (), events) = within_limit(async {
            tokio::join!(
                aborting,
                work.run(vec![user_text("go")]),
                collect_events(events)
            )
        })
        .await;
        check(&events).unwrap_or_else(|wrong| panic!("aborted after {after} ms: {wrong}"));
        assert_eq!(agent.finish().await, Some(StopReason::Aborted));
        check_pairs(&convert_to_llm(agent.messages())).unwrap();
        assert_eq!(
            text_of(&agent.messages()[0]),
            "go",
            "the prompt is in the history even if it was not answered"
        );
        assert!(model.requests().len() <= 1, "the model is not asked again");
        assert_eq!(
            agent.handle().queues().follow_up.waiting.len(),
            1,
            "queued messages stay queued"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_agent_is_free_before_agent_end_is_read() {
    let mut agent = Agent::builder(ScriptedModel::new([Step::says("Yes.")]))
        .event_buffer(1)
        .build();
    let (work, mut events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    tokio::spawn(work.run(vec![user_text("Well?")]));
    // After the reply's end, `TurnEnd` fills the channel.
    for _ in 0..2 {
        while let Some(event) = within_limit(events.recv()).await {
            if name(&event) == "MessageEnd" {
                break;
            }
        }
    }
    let free = timeout(Duration::from_secs(60), agent.finish()).await;
    assert_eq!(
        free,
        Ok(Some(StopReason::Stop)),
        "a loop that only has AgentEnd to send has ended: it hands its history over first"
    );
    let rest = within_limit(collect_events(events)).await;
    assert_eq!(names(&rest), "TurnEnd AgentEnd");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_dropped_loop_leaves_complete_history() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read"), ("b", "read")])]);
    let mut agent = agent_with(
        &model,
        ToolSet::new().with(FnTool::delayed("read", 60_000, "")),
    );
    let (work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    drop(events);
    let cut = timeout(Duration::from_secs(1), work.run(vec![user_text("go")])).await;
    assert!(cut.is_err(), "the tool takes a minute");
    assert!(!agent.is_streaming(), "the dropped loop does not run");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST} toolResult:{LOST}"),
    );
}

/// Runs one loop to its end.
async fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> Vec<AgentEvent> {
    let (work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let ((), events) =
        within_limit(async { tokio::join!(work.run(prompt), collect_events(events)) }).await;
    events
}
