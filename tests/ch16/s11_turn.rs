//! Section 16.11: One turn

use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_turn_sends_its_events_in_order() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")])]);
    let mut agent = agent_with(&model, ToolSet::new().with(FnTool::delayed("read", 1, "")));
    let (reasons, events) = run_turns(&mut agent, [vec![user_text("What is in a?")]]).await;
    assert_eq!(
        names(&events),
        "TurnStart MessageStart MessageEnd MessageStart MessageEnd \
         ToolExecutionStart ToolExecutionEnd MessageStart MessageEnd TurnEnd",
        "the input, the reply, its call and the call's result"
    );
    assert_eq!(
        reasons,
        [StopReason::ToolUse],
        "a turn returns the stop reason of its reply"
    );
    let Some(AgentEvent::TurnEnd {
        message,
        usage,
        tool_results,
        ..
    }) = events.last()
    else {
        panic!("the last event should be TurnEnd");
    };
    assert_eq!(
        (message.role(), usage.input, tool_results.len()),
        ("assistant", 10, 1),
        "TurnEnd carries the reply, its usage and its results"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_turn_index_grows() {
    let model = ScriptedModel::new([
        Step::says("1"),
        Step::new(End::Fail(ProviderError::Network("gone".into()))),
    ]);
    let mut agent = agent(&model);
    let prompts = ["one", "two"].map(|text| vec![user_text(text)]);
    let (reasons, events) = run_turns(&mut agent, prompts).await;
    assert_eq!(
        reasons,
        [StopReason::Stop, StopReason::Error],
        "a failed request has a reply too"
    );
    let starts: Vec<(u64, TurnTrigger)> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::TurnStart {
                turn_index,
                triggered_by,
                ..
            } => Some((*turn_index, *triggered_by)),
            _ => None,
        })
        .collect();
    assert_eq!(
        starts,
        [(0, TurnTrigger::User), (1, TurnTrigger::Continuation)],
        "turns count from 0, and only the first has the loop's own trigger"
    );
    assert_eq!(
        model.requests()[1].messages.len(),
        3,
        "the second request has the first turn's messages and the new input"
    );
    assert_eq!(
        agent.usage().input,
        10,
        "the loop's usage is the sum of its replies"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:one assistant:1 user:two assistant:",
        "the failed reply stays in the history"
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
    let prompt = vec![user_text("go").with_turn_id(Some(older)), user_text("now")];
    run_turns(&mut agent, [prompt, vec![]]).await;
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

/// Runs one turn for each input and returns the stop reasons and the events.
async fn run_turns(
    agent: &mut Agent,
    inputs: impl IntoIterator<Item = Vec<AgentMessage>>,
) -> (Vec<StopReason>, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let turns = async move {
        let mut reasons = Vec::new();
        for input in inputs {
            reasons.push(work.turn(input).await);
        }
        reasons
    };
    within_limit(async { tokio::join!(turns, collect_events(events)) }).await
}
