//! Section 16.10: The loop

use std::time::Duration;

use claw_code::agent::*;
use claw_code::engine::QueryConfig;
use claw_code::provider::ProviderError;
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
async fn test_ch16_messages_carry_their_turn_id() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")]), Step::says("Done.")]);
    let mut agent = agent_with(&model, ToolSet::new().with(FnTool::delayed("read", 1, "")));
    let older = TurnId {
        loop_id: "elsewhere.c.1".into(),
        turn_index: 7,
    };
    run(
        &mut agent,
        vec![user_text("go").with_turn_id(Some(older)), user_text("now")],
    )
    .await;
    let turns: Vec<(&str, u64)> = agent
        .messages()
        .iter()
        .filter_map(AgentMessage::turn_id)
        .map(|turn| (turn.loop_id.as_str(), turn.turn_index))
        .collect();
    assert_eq!(
        turns,
        [
            ("elsewhere.c.1", 7),
            ("s.c.1", 0),
            ("s.c.1", 0),
            ("s.c.1", 0),
            ("s.c.1", 1),
        ],
        "the prompt, the reply and the results get this turn's id; a message that already has an id keeps it"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_precedes_follow_ups() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::says("I stop."),
        Step::says("That too."),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(FnTool::delayed("read", 50, "")));
    let handle = agent.handle();
    handle.follow_up(Message::user("And then this."));
    let talking = async {
        sleep(Duration::from_millis(20)).await;
        handle.steer(Message::user("Stop."));
    };
    let (events, ()) = tokio::join!(run(&mut agent, vec![user_text("go")]), talking);
    assert_eq!(check(&events), Ok(()));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: user:Stop. assistant:I stop. user:And then this. assistant:That too.",
        "steering follows the results; the follow-up waits until the model has nothing left to do"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_queues_drain_one_at_a_time_unless_set_to_all() {
    for (mode, requests) in [(QueueMode::OneAtATime, 4), (QueueMode::All, 2)] {
        let model = ScriptedModel::new(["1", "2", "3", "4"].map(Step::says));
        let mut agent = agent(&model);
        agent.handle().set_modes(mode, mode);
        for text in ["a", "b", "c"] {
            agent.follow_up(Message::user(text));
        }
        run(&mut agent, vec![user_text("go")]).await;
        assert_eq!(
            model.requests().len(),
            requests,
            "the number of requests for a prompt and three follow-ups with {mode:?}"
        );
        assert_eq!(
            agent.handle().queues().follow_up.waiting.len(),
            0,
            "no follow-up is left"
        );
    }
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
async fn test_ch16_failed_reply_ends_loop_and_stays_in_history() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::new(End::Fail(ProviderError::Network("gone".into()))),
        Step::says("not asked for"),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(FnTool::delayed("read", 1, "")));
    agent.follow_up(Message::user("later"));
    let events = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(agent.finish().await, Some(StopReason::Error));
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant:"
    );
    let Some(Message::Assistant { stop_reason, .. }) =
        agent.messages().last().and_then(AgentMessage::as_llm)
    else {
        panic!("the failed reply should be in the history");
    };
    assert_eq!(*stop_reason, StopReason::Error);
    assert_eq!(
        agent.handle().queues().follow_up.waiting.len(),
        1,
        "a follow-up waits for a natural end"
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
async fn test_ch16_turn_limit_ends_loop() {
    let model = ScriptedModel::new((0..5).map(|_| Step::calls(&[("a", "read")])));
    let limits = QueryConfig {
        max_turns: 2,
        ..QueryConfig::default()
    };
    let mut agent = Agent::builder(model.clone())
        .tools(ToolSet::new().with(FnTool::delayed("read", 1, "")))
        .limits(limits.clone())
        .build();
    let events = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(check(&events), Ok(()));
    assert_eq!(agent.finish().await, Some(StopReason::MaxTurns));
    assert_eq!(model.requests().len(), 2);
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant: toolResult:",
        "the calls of the last reply have results, so that the next loop can continue"
    );
    let model = ScriptedModel::new(["1", "2", "3", "4"].map(Step::says));
    let mut agent = Agent::builder(model).limits(limits).build();
    agent.follow_up(Message::user("again"));
    agent.follow_up(Message::user("and again"));
    run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        (
            agent.finish().await,
            agent.handle().queues().follow_up.waiting.len()
        ),
        (Some(StopReason::MaxTurns), 1),
        "a waiting follow-up would need a third turn, so it stays queued"
    );
    agent.handle().clear_queues();
    agent.follow_up(Message::user("again"));
    run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        agent.finish().await,
        Some(StopReason::Stop),
        "a loop that is done after two turns has not reached a limit of two"
    );
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
