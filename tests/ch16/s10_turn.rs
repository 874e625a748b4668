//! Section 16.10: One turn

use std::time::Duration;

use claw_code::agent::*;
use claw_code::provider::ProviderError;
use tokio::time::timeout;

use super::support::*;

#[test]
fn test_ch16_turn_sends_its_events_in_order() {
    let (reasons, events) = turn_with_a_call();
    assert!(
        names(&events).starts_with("TurnStart "),
        "a turn begins with TurnStart, before its input: {}",
        names(&events)
    );
    assert_eq!(
        names(&events),
        "TurnStart MessageStart MessageEnd MessageStart MessageEnd \
         ToolExecutionStart ToolExecutionEnd MessageStart MessageEnd TurnEnd",
        "the input, the reply, its call and the call's result"
    );
    let reason = StopReason::ToolUse;
    assert_eq!(reasons, [reason], "the stop reason of the reply");
}

#[test]
fn test_ch16_turn_end_carries_reply_usage_and_results() {
    let (_, events) = turn_with_a_call();
    let Some(AgentEvent::TurnEnd {
        message,
        usage,
        tool_results,
        ..
    }) = events.last()
    else {
        panic!("the last event should be TurnEnd: {events:?}");
    };
    assert_eq!(
        (message.role(), usage.input, tool_results.len()),
        ("assistant", 10, 1),
        "TurnEnd carries the reply, its usage and its results"
    );
}

#[test]
fn test_ch16_turn_index_grows() {
    let (_, events, _) = good_and_failed_turn(&two_steps());
    let starts = events.iter().filter_map(|event| match event {
        AgentEvent::TurnStart { turn_index, .. } => Some(*turn_index),
        _ => None,
    });
    assert_eq!(starts.collect::<Vec<_>>(), [0, 1], "turns count from 0");
    assert_eq!(
        triggers(&events),
        [TurnTrigger::User, TurnTrigger::Continuation],
        "only the first turn has the loop's own trigger"
    );
}

#[test]
fn test_ch16_failed_reply_stays_in_the_history() {
    let model = two_steps();
    let (reasons, _, agent) = good_and_failed_turn(&model);
    assert_eq!(
        reasons,
        [StopReason::Stop, StopReason::Error],
        "a failed request has a reply too"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:one assistant:1 user:two assistant:",
        "the failed reply stays in the history"
    );
    let second = &model.requests()[1].messages;
    assert_eq!(second.len(), 3, "the first turn and the new input");
    let usage = agent.usage().input;
    assert_eq!(usage, 10, "the sum of all turns; the failed reply has none");
}

#[test]
fn test_ch16_every_stop_reason_leaves_results() {
    for reason in [StopReason::Length, StopReason::Error] {
        let reply = model_reply("", &[("a", "read")], reason);
        let mut agent = agent_with(&ScriptedModel::new([Step::reply(reply)]), read_tool(1));
        let (_, events) = run_turns(&mut agent, vec![vec![user_text("go")]]);
        let ends = events.iter().filter_map(|event| match event {
            AgentEvent::TurnEnd { tool_results, .. } => Some(tool_results.len()),
            _ => None,
        });
        assert_eq!(
            ends.collect::<Vec<_>>(),
            [1],
            "each call has a result, even in a reply that ended with {reason:?}"
        );
    }
}

#[test]
fn test_ch16_dropped_turn_counts_the_usage_of_its_reply() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")])]);
    let mut agent = agent_with(&model, read_tool(60_000));
    let (cut, _) = in_loop(&mut agent, async |work| {
        let turn = work.turn(vec![user_text("go")]);
        timeout(Duration::from_secs(1), turn).await
    });
    assert!(cut.is_err(), "the tool takes a minute");
    assert_eq!(
        agent.usage().input,
        10,
        "the loop has paid for the reply: its usage grows before the calls run"
    );
}

#[test]
fn test_ch16_history_has_the_reply_before_its_end_is_sent() {
    let reply = End::Reply(model_reply("", &[], StopReason::Stop));
    let mut agent = Agent::builder(ScriptedModel::new([Step::new(reply)]))
        .event_buffer(4)
        .build();
    let (mut work, _unread) = prepare(&mut agent);
    let cut = wait(async {
        let turn = work.turn(vec![user_text("go")]);
        timeout(Duration::from_secs(1), turn).await
    });
    assert!(cut.is_err(), "the fifth event, the reply's end, waits");
    drop(work);
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "`MessageEnd` means that the history has the reply: record it first"
    );
}

#[test]
fn test_ch16_events_carry_the_recorded_reply() {
    let mut agent = agent(&says(&["Done."]));
    let (_, events) = run_turns(&mut agent, vec![vec![user_text("go")]]);
    let ends = events.iter().filter_map(|event| match event {
        AgentEvent::MessageEnd { message, .. } | AgentEvent::TurnEnd { message, .. } => {
            Some(message)
        }
        _ => None,
    });
    let ends: Vec<&AgentMessage> = ends.skip(1).collect();
    let ids: Vec<String> = ends.iter().map(|message| turn_id(message)).collect();
    assert_eq!(
        ids,
        ["s.c.1 0", "s.c.1 0"],
        "the reply's end and TurnEnd carry the reply with the id of its turn"
    );
    let reply = &agent.messages()[1];
    assert_eq!(
        ends,
        [reply, reply],
        "the reply's end and TurnEnd carry the message that the history has"
    );
}

#[test]
fn test_ch16_messages_carry_their_turn_id() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")]), Step::says("Done.")]);
    let mut agent = agent_with(&model, read_tool(1));
    let older = TurnId {
        loop_id: "elsewhere.c.1".into(),
        turn_index: 7,
    };
    let prompt = vec![user_text("go").with_turn_id(Some(older)), user_text("now")];
    run_turns(&mut agent, vec![prompt, vec![]]);
    let ids: Vec<String> = agent.messages().iter().map(turn_id).collect();
    assert_eq!(
        ids,
        [
            "elsewhere.c.1 7",
            "s.c.1 0",
            "s.c.1 0",
            "s.c.1 0",
            "s.c.1 1"
        ],
        "a message that has an id keeps it; the prompt, the reply and the results get their turn's"
    );
}

/// Runs one turn for each input and returns the stop reasons and the events.
fn run_turns(
    agent: &mut Agent,
    inputs: Vec<Vec<AgentMessage>>,
) -> (Vec<StopReason>, Vec<AgentEvent>) {
    in_loop(agent, async |work| {
        let mut reasons = Vec::new();
        for input in inputs {
            reasons.push(work.turn(input).await);
        }
        reasons
    })
}

/// One turn whose reply has a call.
fn turn_with_a_call() -> (Vec<StopReason>, Vec<AgentEvent>) {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")])]);
    let mut agent = agent_with(&model, read_tool(1));
    run_turns(&mut agent, vec![vec![user_text("go")]])
}

/// A model that replies once and then fails.
fn two_steps() -> ScriptedModel {
    let failed = End::Fail(ProviderError::Network("gone".into()));
    ScriptedModel::new([Step::says("1"), Step::new(failed)])
}

/// Two turns with this model, with the inputs `one` and `two`.
fn good_and_failed_turn(model: &ScriptedModel) -> (Vec<StopReason>, Vec<AgentEvent>, Agent) {
    let mut agent = agent(model);
    let inputs = ["one", "two"].map(|text| vec![user_text(text)]);
    let (reasons, events) = run_turns(&mut agent, inputs.to_vec());
    (reasons, events, agent)
}

/// The loop and the turn of a message, such as `s.c.1 0`, or `no turn id`.
fn turn_id(message: &AgentMessage) -> String {
    match message.turn_id() {
        Some(turn) => format!("{} {}", turn.loop_id, turn.turn_index),
        None => "no turn id".into(),
    }
}
