//! Section 16.12: The loop

use claw_code::agent::*;
use claw_code::engine::QueryConfig;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;

use super::grammar::check_turns;
use super::support::*;

#[test]
fn test_ch16_steering_precedes_follow_ups() {
    let model = ScriptedModel::new([
        Step::calls(&[("a", "read")]),
        Step::says("I stop."),
        Step::says("That too."),
    ]);
    let mut agent = agent_with(&model, read_tool(50));
    agent.follow_up(Message::user("And then this."));
    steer_after(20, &agent, "Stop.");
    run(&mut agent, vec![user_text("go")]);
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: user:Stop. assistant:I stop. user:And then this. assistant:That too.",
        "steering follows the results; the follow-up waits until nothing is left to do"
    );
}

#[test]
fn test_ch16_follow_up_waits_while_a_reply_is_owed() {
    for reason in [StopReason::ToolUse, StopReason::Stop, StopReason::Length] {
        let calls = model_reply("", &[("a", "read")], reason);
        let steps = [
            Step::reply(calls),
            Step::says("Done."),
            Step::says("That too."),
        ];
        let mut agent = agent_with(&ScriptedModel::new(steps), read_tool(1));
        agent.follow_up(Message::user("And then this."));
        run(&mut agent, vec![user_text("go")]);
        assert_eq!(
            roles(agent.messages()),
            "user:go assistant: toolResult: assistant:Done. user:And then this. assistant:That too.",
            "a follow-up waits for a natural stop: here the model still has to read a result, also after {reason:?}"
        );
    }
}

#[test]
fn test_ch16_queued_steering_joins_the_first_turn() {
    let go = vec![user_text("go")];
    let messages = messages_after(vec![], Some("now"), None, go);
    let rule = "steering that waits when the loop begins is read in its first turn";
    assert_eq!(messages, "user:go user:now assistant:1", "{rule}");
    let messages = messages_after(vec![], Some("now"), None, vec![]);
    assert_eq!(messages, "user:now assistant:1", "without a prompt too");
}

#[test]
fn test_ch16_owed_reply_comes_before_a_follow_up() {
    let go = vec![user_text("go")];
    let messages = messages_after(go, None, Some("later"), vec![]);
    let expected = "user:go assistant:1 user:later assistant:2";
    assert_eq!(messages, expected, "the loop first answers the history");
    let messages = messages_after(vec![], None, Some("later"), vec![]);
    let expected = "user:later assistant:1";
    assert_eq!(messages, expected, "with nothing to answer, it comes first");
}

#[test]
fn test_ch16_extension_only_prompt_causes_no_turn() {
    let screen = || vec![note("for the screen")];
    let messages = messages_after(vec![], None, None, screen());
    let rule = "the model is not asked about extensions alone";
    assert_eq!(messages, "extension:", "{rule}");
    let messages = messages_after(vec![], None, Some("later"), screen());
    let expected = "extension: user:later assistant:1";
    assert_eq!(messages, expected, "the loop takes the follow-up");
    let reason = run(&mut agent(&says(&[])), screen());
    let rule = "a loop without a turn ends with `Stop`";
    assert_eq!(reason, StopReason::Stop, "{rule}");
}

#[test]
fn test_ch16_queues_drain_one_at_a_time_unless_set_to_all() {
    for (mode, requests) in [(QueueMode::OneAtATime, 4), (QueueMode::All, 2)] {
        let model = says(&["1", "2", "3", "4"]);
        let mut agent = agent(&model);
        agent.handle().set_modes(mode, mode);
        for text in ["a", "b", "c"] {
            agent.follow_up(Message::user(text));
        }
        run(&mut agent, vec![user_text("go")]);
        assert_eq!(
            model.requests().len(),
            requests,
            "the number of requests for a prompt and three follow-ups with {mode:?}"
        );
        assert_eq!(follow_ups(&agent), 0, "no follow-up is left");
    }
}

#[test]
fn test_ch16_failed_reply_ends_loop_and_stays_in_history() {
    let failed = End::Fail(ProviderError::Network("gone".into()));
    let aborted = End::Reply(model_reply("", &[], StopReason::Aborted));
    for (max_turns, end, expected) in [
        (50, failed.clone(), StopReason::Error),
        (50, aborted, StopReason::Aborted),
        (2, failed, StopReason::Error),
    ] {
        let model = ScriptedModel::new([
            Step::calls(&[("a", "read")]),
            Step::new(end),
            Step::says("not asked for"),
        ]);
        let mut agent = limited(&model, max_turns, read_tool(1));
        agent.follow_up(Message::user("later"));
        let reason = run(&mut agent, vec![user_text("go")]);
        assert_eq!(
            reason, expected,
            "the loop ends like its last reply, even in the last permitted turn (limit {max_turns})"
        );
        assert_eq!(
            roles(agent.messages()),
            "user:go assistant: toolResult: assistant:",
            "the failed reply is in the history, and the model is not asked again"
        );
        let rule = "a follow-up waits for a natural stop, and a failed reply is none";
        assert_eq!(follow_ups(&agent), 1, "{rule}");
    }
}

#[test]
fn test_ch16_turn_limit_ends_loop() {
    let model = ScriptedModel::new((0..5).map(|_| Step::calls(&[("a", "read")])));
    let mut agent = limited(&model, 2, read_tool(1));
    let reason = run(&mut agent, vec![user_text("go")]);
    assert_eq!(reason, StopReason::MaxTurns, "the limit ended the loop");
    assert_eq!(model.requests().len(), 2, "one request for each turn");
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant: toolResult: assistant: toolResult:",
        "the calls of the last reply have results, so that the next loop can continue"
    );
}

#[test]
fn test_ch16_loop_that_is_done_has_not_reached_the_limit() {
    for (texts, expected, left) in [
        (&["again"][..], StopReason::Stop, 0),
        (&["again", "and again"], StopReason::MaxTurns, 1),
    ] {
        let mut agent = limited(&says(&["1", "2"]), 2, ToolSet::new());
        for text in texts {
            agent.follow_up(Message::user(*text));
        }
        let reason = run(&mut agent, vec![user_text("go")]);
        let rule = "a follow-up that would need a third turn stays queued";
        assert_eq!(follow_ups(&agent), left, "{rule}");
        assert_eq!(
            reason, expected,
            "a loop that is done after two turns has not reached a limit of two: {texts:?}"
        );
    }
}

#[test]
fn test_ch16_loop_at_its_limit_takes_nothing_from_the_queues() {
    let mut agent = limited(&says(&["1"]), 1, ToolSet::new());
    agent.follow_up(note("for the screen"));
    let reason = run(&mut agent, vec![user_text("go")]);
    let rule = "at the limit, what is queued waits for the next loop, even an extension";
    assert_eq!(follow_ups(&agent), 1, "{rule}");
    assert_eq!(reason, StopReason::Stop, "the model has nothing left to do");
}

#[test]
fn test_ch16_abort_between_turns_ends_loop() {
    for max_turns in [50, 1] {
        let model = ScriptedModel::new([Step::calls(&[("a", "read")]), Step::says("2")]);
        let mut agent = limited(&model, max_turns, read_tool(100));
        abort_after(50, &agent);
        let reason = run(&mut agent, vec![user_text("go")]);
        assert_eq!(
            reason,
            StopReason::Aborted,
            "even in the last permitted turn: the abort is checked first (limit {max_turns})"
        );
        let messages = agent.messages().len();
        assert_eq!(messages, 3, "no turn begins after an abort");
    }
}

#[test]
fn test_ch16_loop_ends_with_the_reason_of_its_last_reply() {
    let cut = model_reply("As I was", &[], StopReason::Length);
    let steps = [Step::reply(cut.clone()), Step::says("1"), Step::reply(cut)];
    let mut agent = agent(&ScriptedModel::new(steps));
    agent.follow_up(Message::user("again"));
    agent.follow_up(Message::user("and again"));
    let reason = run(&mut agent, vec![user_text("go")]);
    assert_eq!(
        reason,
        StopReason::Length,
        "the last reply was cut off at its length limit, and the host should know"
    );
    let rule = "a reply that was cut off does not end the loop: the follow-ups are read";
    assert_eq!(follow_ups(&agent), 0, "{rule}");
}

#[test]
fn test_ch16_abort_before_the_first_turn_takes_nothing() {
    for (prompt, history) in [(vec![user_text("go")], "user:go assistant:"), (vec![], "")] {
        let mut agent = agent(&says(&["1"]));
        agent.steer(Message::user("redirect"));
        agent.follow_up(Message::user("later"));
        let handle = agent.handle();
        let (reason, _) = in_loop(&mut agent, async |work| {
            handle.abort();
            work.turns(prompt).await
        });
        assert_eq!(reason, StopReason::Aborted, "the loop was aborted");
        let queues = handle.queues();
        assert_eq!(
            (
                queues.steering.waiting.len(),
                queues.follow_up.waiting.len()
            ),
            (1, 1),
            "after an abort, queued messages stay queued, even before the first turn"
        );
        assert_eq!(
            roles(agent.messages()),
            history,
            "an aborted loop keeps its prompt in the history"
        );
    }
}

/// Runs the turns of one loop, whose events must follow the grammar, and returns the stop
/// reason.
fn run(agent: &mut Agent, prompt: Vec<AgentMessage>) -> StopReason {
    let (reason, events) = in_loop(agent, async |work| work.turns(prompt).await);
    assert_eq!(check_turns(&events), Ok(()), "the events of the turns");
    reason
}

/// The whole history after the turns of a loop with this history, these queued messages and
/// this prompt.
fn messages_after(
    history: Vec<AgentMessage>,
    steering: Option<&str>,
    follow_up: Option<&str>,
    prompt: Vec<AgentMessage>,
) -> String {
    let mut agent = Agent::builder(says(&["1", "2"])).history(history).build();
    if let Some(text) = steering {
        agent.steer(Message::user(text));
    }
    if let Some(text) = follow_up {
        agent.follow_up(Message::user(text));
    }
    run(&mut agent, prompt);
    roles(agent.messages())
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
