//! Section 16.13: The loop

use std::time::Duration;

use claw_code::agent::*;
use claw_code::engine::QueryConfig;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;
use tokio::time::sleep;

use super::grammar::check_turns;
use super::support::*;

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
    let ((_, events), ()) = tokio::join!(run(&mut agent, vec![user_text("go")]), talking);
    assert_eq!(check_turns(&events), Ok(()));
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
async fn test_ch16_failed_reply_ends_loop_and_stays_in_history() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::new(End::Fail(ProviderError::Network("gone".into()))),
        Step::says("not asked for"),
    ]);
    let mut agent = agent_with(&model, ToolSet::new().with(FnTool::delayed("read", 1, "")));
    agent.follow_up(Message::user("later"));
    let (reason, events) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(check_turns(&events), Ok(()));
    assert_eq!(reason, StopReason::Error);
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
    let (reason, events) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(check_turns(&events), Ok(()));
    assert_eq!(reason, StopReason::MaxTurns);
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
    let (reason, _) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        (reason, agent.handle().queues().follow_up.waiting.len()),
        (StopReason::MaxTurns, 1),
        "a waiting follow-up would need a third turn, so it stays queued"
    );
    agent.handle().clear_queues();
    agent.follow_up(Message::user("again"));
    let (reason, _) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        reason,
        StopReason::Stop,
        "a loop that is done after two turns has not reached a limit of two"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_between_turns_ends_loop() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")]), Step::says("not asked for")]);
    let mut agent = agent_with(
        &model,
        ToolSet::new().with(FnTool::delayed("read", 100, "")),
    );
    let handle = agent.handle();
    let aborting = async {
        sleep(Duration::from_millis(50)).await;
        handle.abort();
    };
    let ((reason, events), ()) = tokio::join!(run(&mut agent, vec![user_text("go")]), aborting);
    assert_eq!(check_turns(&events), Ok(()));
    assert_eq!(reason, StopReason::Aborted);
    assert_eq!(
        model.requests().len(),
        1,
        "the model owes a reply to the result, but the loop was aborted"
    );
    assert_eq!(
        agent.messages().len(),
        3,
        "no turn begins after an abort: {}",
        roles(agent.messages())
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_queued_messages_join_the_first_turn() {
    for (prompt, expected) in [
        (vec![user_text("go")], "user:go user:now assistant:Yes."),
        (vec![], "user:now assistant:Yes."),
    ] {
        let model = ScriptedModel::new([Step::says("Yes.")]);
        let mut agent = agent(&model);
        agent.steer(Message::user("now"));
        run(&mut agent, prompt).await;
        assert_eq!(
            (roles(agent.messages()).as_str(), model.requests().len()),
            (expected, 1),
            "steering that waits when the loop begins is read in its first turn"
        );
    }
    let mut agent = agent(&ScriptedModel::new([Step::says("Yes.")]));
    agent.follow_up(Message::user("later"));
    run(&mut agent, vec![]).await;
    assert_eq!(
        roles(agent.messages()),
        "user:later assistant:Yes.",
        "without a prompt and without anything to answer, a follow-up begins the first turn"
    );
}

/// Runs the turns of one loop and returns the stop reason and the events.
async fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> (StopReason, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let turns = async move { work.turns(prompt).await };
    within_limit(async { tokio::join!(turns, collect_events(events)) }).await
}
