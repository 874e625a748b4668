//! Saving the agent

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn replace_messages_replaces_last_loops_history() {
    let model = says(&["1", "2"]);
    let mut agent = agent(&model);
    assert_eq!(agent.replace_messages(vec![]), Ok(0), "no call is open");
    // Unlike `run`, this leaves the loop's result where the loop put it.
    wait(async { collect_events(agent.prompt("go")).await });
    let spent = agent.usage();
    assert_ne!(spent, Usage::default(), "a reply has usage");
    assert_eq!(agent.replace_messages(vec![user_text("a summary")]), Ok(0));
    assert_eq!(
        roles(agent.messages()),
        "user:a summary",
        "the history is the given one, not that of the last loop"
    );
    assert_eq!(agent.usage(), spent, "the usage stays");
    wait(agent.run("on"));
    assert_eq!(
        roles(agent.messages()),
        "user:a summary user:on assistant:2",
        "the next loop continues the given history"
    );
    let asked = model.requests()[1].messages.len();
    assert_eq!(asked, 2, "and the model sees the same");
}

#[test]
fn saved_state_round_trips() {
    let agent = saved_conversation();
    let saved = agent.save();
    let read: AgentState = from_json(&to_json(&saved));
    assert_eq!(read, saved, "a state can be written as JSON and read back");
    assert_eq!(agent.save(), saved, "saving changes nothing");
    assert_eq!(saved.usage, agent.usage(), "the last loop's usage is saved");
}

#[test]
fn saved_agent_continues() {
    let first = saved_conversation();
    let model = says(&["forgotten", "Bob."]);
    let mut second = Agent::builder(model).config_id("c").build();
    // Unlike `run`, this leaves the loop's result to the next method that needs it.
    wait(async { collect_events(second.prompt("forgotten too")).await });
    second.steer(Message::user("and this"));
    assert_eq!(second.restore(first.save()), Ok(0), "no result was missing");
    let rule = "the restored agent has every field of the saved state, and nothing of its own";
    assert_eq!(second.save(), first.save(), "{rule}");
    assert_eq!(
        second.loop_records().len(),
        1,
        "the records of its own loops stay"
    );
    let events = wait(async { loop_of(second.prompt(Prompt::Messages(vec![]))).await });
    let start = to_json(&events[0]);
    assert_json(
        "the same agent continues: its loop id is new and the parent is known",
        &json!([start["agent_id"], start["loop_id"], start["parent_loop_id"]]),
        &json!(["a", "s.c.2", "s.c.1"]),
    );
    assert_eq!(
        roles(second.messages()),
        "user:I am Bob. assistant:Hello. extension: user:Who am I? assistant:Bob.",
        "an empty prompt takes up the queued messages"
    );
}

#[tokio::test(start_paused = true)]
async fn restore_gives_missing_results() {
    let mut agent = agent(&says(&["I look again."]));
    let mut state = agent.save();
    let reply = model_reply("", &[("a", "read")], StopReason::ToolUse);
    state.messages = vec![user_text("go"), reply.into()];
    assert_eq!(agent.restore(state), Ok(1), "one result was missing");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST}"),
        "the open call has a result"
    );
    let time = to_json(&agent.messages()[2])["timestamp"].clone();
    assert_eq!(time, TIME, "the time of the agent's clock");
    drop(agent.continue_loop());
    let reason = within_limit(agent.finish()).await;
    assert_eq!(reason, Some(StopReason::Stop), "the agent continues");
}

#[tokio::test(start_paused = true)]
async fn busy_agent_keeps_its_state() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    let mut state = agent.save();
    state.session_id = "other".into();
    state.queues.steering.waiting.push_back(user_text("other"));
    drop(agent.prompt("go"));
    let before = agent.save();
    let busy = Err(AgentError::AlreadyStreaming);
    assert_eq!(agent.replace_messages(vec![]), busy, "it keeps its history");
    assert_eq!(agent.restore(state), busy, "it cannot be restored");
    assert_eq!(agent.save(), before, "it keeps its state");
    agent.abort();
    within_limit(agent.finish()).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "rejected calls do not change the history"
    );
}

/// An agent after one loop, with a queued follow-up and a queued extension.
fn saved_conversation() -> Agent {
    let mut agent = agent(&says(&["Hello."]));
    assert_eq!(agent.save().messages, [], "a new agent has no messages");
    // Unlike `run`, this leaves the loop's result where the loop put it.
    wait(async { collect_events(agent.prompt("I am Bob.")).await });
    agent
        .handle()
        .set_modes(QueueMode::OneAtATime, QueueMode::All);
    agent.follow_up(Message::user("Who am I?"));
    agent.steer(note("saved"));
    agent
}
