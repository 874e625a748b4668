//! Section 16.16: Saving the agent

use claw_code::agent::*;
use serde_json::json;

use super::grammar::check;
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_replace_messages_replaces_last_loops_history() {
    let mut agent = agent(&ScriptedModel::new([Step::says("1"), Step::says("2")]));
    assert_eq!(agent.replace_messages(vec![]), Ok(0), "no call is open");
    // Unlike `run`, this leaves the loop's result where the loop put it.
    collect_events(agent.prompt("go")).await;
    within_limit(agent.handle().finished()).await;
    assert_eq!(agent.replace_messages(vec![user_text("a summary")]), Ok(0));
    assert_eq!(
        roles(agent.messages()),
        "user:a summary",
        "the history is the given one, not that of the last loop"
    );
    within_limit(agent.run("on")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a summary user:on assistant:2",
        "the next loop continues the given history"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_replace_messages_keeps_the_usage() {
    let mut agent = agent(&ScriptedModel::new([Step::says("1")]));
    assert_eq!(agent.replace_messages(vec![]), Ok(0), "no call is open");
    within_limit(agent.run("go")).await;
    let spent = agent.usage();
    assert_ne!(spent, Usage::default(), "a reply has usage");
    assert_eq!(agent.replace_messages(vec![user_text("a summary")]), Ok(0));
    assert_eq!(
        agent.usage(),
        spent,
        "replacing the history does not change the usage"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_saved_state_round_trips() {
    let saved = saved_conversation().await.save();
    let read: AgentState = from_json(&to_json(&saved));
    assert_eq!(read, saved, "a state can be written as JSON and read back");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_restored_agent_has_messages_and_usage() {
    let first = saved_conversation().await;
    let mut second = Agent::builder(ScriptedModel::default()).build();
    assert_eq!(second.restore(first.save()), Ok(0), "no result was missing");
    assert_eq!(
        (second.messages(), second.usage()),
        (first.messages(), first.usage()),
        "the restored agent has the messages and the usage of the saved one"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_saved_agent_continues() {
    let first = saved_conversation().await;
    let model = ScriptedModel::new([Step::says("Bob.")]);
    let mut second = Agent::builder(model).config_id("c").build();
    second.restore(first.save()).expect("a complete state");
    let events = second.prompt(Prompt::Messages(vec![]));
    let events = within_limit(collect_events(events)).await;
    assert_eq!(check(&events), Ok(()), "the events of the loop");
    let start = to_json(&events[0]);
    assert_json(
        "the loop id is new and the parent is known",
        &json!([start["loop_id"], start["parent_loop_id"]]),
        &json!(["s.c.2", "s.c.1"]),
    );
    assert_eq!(
        roles(second.messages()),
        "user:I am Bob. assistant:Hello. extension: user:Who am I? assistant:Bob.",
        "an empty prompt takes up the queued messages"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_restore_gives_missing_results() {
    let mut agent = agent(&ScriptedModel::new([Step::says("I look again.")]));
    let mut state = agent.save();
    state.messages = vec![
        user_text("go"),
        model_reply("", &[("a", "read")], StopReason::ToolUse).into(),
    ];
    assert_eq!(agent.restore(state), Ok(1), "one result was missing");
    assert_eq!(
        roles(agent.messages()),
        format!("user:go assistant: toolResult:{LOST}"),
        "the open call has a result"
    );
    within_limit(collect_events(agent.continue_loop())).await;
    assert_eq!(
        agent.finish().await,
        Some(StopReason::Stop),
        "the agent continues after the repair"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_busy_agent_keeps_its_state() {
    let mut agent = agent(&ScriptedModel::new([Step::new(End::Never)]));
    let state = agent.save();
    drop(agent.prompt("go"));
    assert_eq!(
        agent.replace_messages(vec![]),
        Err(AgentError::AlreadyStreaming),
        "a busy agent keeps its history"
    );
    assert_eq!(
        agent.restore(state),
        Err(AgentError::AlreadyStreaming),
        "a busy agent keeps its state"
    );
    agent.abort();
    within_limit(agent.finish()).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "rejected calls do not change the history"
    );
}

/// An agent after one loop, with a queued follow-up and a queued extension.
async fn saved_conversation() -> Agent {
    let mut agent = agent(&ScriptedModel::new([Step::says("Hello.")]));
    assert_eq!(agent.save().messages, [], "a new agent has no messages");
    within_limit(agent.run("I am Bob.")).await;
    agent.follow_up(Message::user("Who am I?"));
    agent.steer(note("saved"));
    agent
}
