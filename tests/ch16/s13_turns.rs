//! Section 16.13: The loop

use claw_code::agent::*;
use claw_code::engine::QueryConfig;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;

use super::grammar::check_turns;
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_steering_precedes_follow_ups() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::says("I stop."),
        Step::says("That too."),
    ]);
    let mut agent = agent_with(&model, read_tool(50));
    let handle = agent.handle();
    handle.follow_up(Message::user("And then this."));
    let running = run(&mut agent, vec![user_text("go")]);
    both(running, steer_after(&handle, 20, "Stop.")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: user:Stop. assistant:I stop. user:And then this. assistant:That too.",
        "steering follows the results; the follow-up waits until the model has nothing left to do"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_follow_up_waits_while_a_reply_is_owed() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::says("Done."),
        Step::says("That too."),
    ]);
    let mut agent = agent_with(&model, read_tool(1));
    agent.follow_up(Message::user("And then this."));
    run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant:Done. user:And then this. assistant:That too.",
        "a follow-up waits for a natural stop: here the model still has to read a result"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_owed_reply_comes_before_a_follow_up() {
    let model = ScriptedModel::new(["1", "2"].map(Step::says));
    let history = vec![user_text("go")];
    let mut agent = Agent::builder(model).history(history).build();
    agent.follow_up(Message::user("later"));
    run(&mut agent, vec![]).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:1 user:later assistant:2",
        "without a prompt, the loop first answers the last message of the history"
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
    let (reason, agent) = run_with_failed_reply().await;
    assert_eq!(
        reason,
        StopReason::Error,
        "the loop ends like its last reply"
    );
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant:",
        "a follow-up waits for a natural stop: here the model still has to read a result, and is not asked again after the failure"
    );
    let last = agent.messages().last().and_then(AgentMessage::as_llm);
    assert_eq!(
        to_json(&last)["stopReason"],
        "error",
        "the failed reply is in the history: {last:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_failed_reply_leaves_follow_ups_queued() {
    let (_, agent) = run_with_failed_reply().await;
    assert_eq!(
        agent.handle().queues().follow_up.waiting.len(),
        1,
        "a follow-up waits for a natural stop, and a failed reply is none"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_turn_limit_ends_loop() {
    let model = ScriptedModel::new((0..5).map(|_| Step::calls(&[("a", "read")])));
    let mut agent = limited(&model, 2, read_tool(1));
    let (reason, _) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(reason, StopReason::MaxTurns, "the limit ended the loop");
    assert_eq!(model.requests().len(), 2, "one request for each turn");
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant: toolResult:",
        "the calls of the last reply have results, so that the next loop can continue"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_turn_limit_leaves_follow_ups_queued() {
    let model = ScriptedModel::new(["1", "2"].map(Step::says));
    let mut agent = limited(&model, 2, ToolSet::new());
    agent.follow_up(Message::user("again"));
    agent.follow_up(Message::user("and again"));
    let (reason, _) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        (reason, agent.handle().queues().follow_up.waiting.len()),
        (StopReason::MaxTurns, 1),
        "a waiting follow-up would need a third turn, so it stays queued"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_that_is_done_has_not_reached_the_limit() {
    let model = ScriptedModel::new(["1", "2"].map(Step::says));
    let mut agent = limited(&model, 2, ToolSet::new());
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
    let mut agent = agent_with(&model, read_tool(100));
    let handle = agent.handle();
    let running = run(&mut agent, vec![user_text("go")]);
    let ((reason, _), ()) = both(running, abort_after(&handle, 50)).await;
    assert_eq!(reason, StopReason::Aborted, "the abort ended the loop");
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
async fn test_ch16_abort_in_the_last_permitted_turn_is_an_abort() {
    let model = ScriptedModel::new([Step::calls(&[("a", "read")])]);
    let mut agent = limited(&model, 1, read_tool(100));
    let handle = agent.handle();
    let running = run(&mut agent, vec![user_text("go")]);
    let ((reason, _), ()) = both(running, abort_after(&handle, 50)).await;
    assert_eq!(
        reason,
        StopReason::Aborted,
        "the loop has reached its limit of one turn, but the user ended it: the abort is checked first"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_loop_ends_with_the_reason_of_its_last_reply() {
    let cut = model_reply("As I was", &[], StopReason::Length);
    let mut agent = agent(&ScriptedModel::new([Step::says("1"), Step::reply(cut)]));
    agent.follow_up(Message::user("again"));
    let (reason, _) = run(&mut agent, vec![user_text("go")]).await;
    assert_eq!(
        reason,
        StopReason::Length,
        "the last reply was cut off at its length limit, and the host should know"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_queued_steering_joins_the_first_turn() {
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
}

#[tokio::test(start_paused = true)]
async fn test_ch16_follow_up_begins_a_loop_without_prompt() {
    let mut agent = agent(&ScriptedModel::new([Step::says("Yes.")]));
    agent.follow_up(Message::user("later"));
    run(&mut agent, vec![]).await;
    assert_eq!(
        roles(agent.messages()),
        "user:later assistant:Yes.",
        "without a prompt and without anything to answer, a follow-up begins the first turn"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_extension_only_prompt_causes_no_turn() {
    let model = ScriptedModel::new([Step::says("not asked for")]);
    let mut agent = agent(&model);
    let (reason, events) = run(&mut agent, vec![note("for the screen")]).await;
    assert_eq!(
        (model.requests().len(), names(&events).as_str()),
        (0, "MessageStart MessageEnd"),
        "the extension goes into the history, and the model is not asked about extensions alone"
    );
    assert_eq!(reason, StopReason::Stop, "a loop without a turn ends so");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_follow_up_follows_an_extension_only_prompt() {
    let mut agent = agent(&ScriptedModel::new([Step::says("Yes.")]));
    agent.follow_up(Message::user("later"));
    run(&mut agent, vec![note("for the screen")]).await;
    assert_eq!(
        roles(agent.messages()),
        "extension: user:later assistant:Yes.",
        "an extension is not input, so the loop begins at a natural stop and takes the follow-up"
    );
}

/// Runs the turns of one loop, whose events must follow the grammar, and returns the stop
/// reason and the events.
async fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> (StopReason, Vec<AgentEvent>) {
    let (reason, events) = in_loop(agent, async |work| work.turns(prompt).await).await;
    assert_eq!(check_turns(&events), Ok(()), "the events of the turns");
    (reason, events)
}

/// A loop whose second request fails, with a queued follow-up.
async fn run_with_failed_reply() -> (StopReason, Agent) {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::new(End::Fail(ProviderError::Network("gone".into()))),
        Step::says("not asked for"),
    ]);
    let mut agent = agent_with(&model, read_tool(1));
    agent.follow_up(Message::user("later"));
    let (reason, _) = run(&mut agent, vec![user_text("go")]).await;
    (reason, agent)
}

/// An agent whose loops have at most `max_turns` turns.
fn limited(model: &ScriptedModel, max_turns: usize, tools: ToolSet) -> Agent {
    let limits = QueryConfig {
        max_turns,
        ..QueryConfig::default()
    };
    Agent::builder(model.clone())
        .tools(tools)
        .limits(limits)
        .build()
}
