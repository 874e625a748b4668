//! Section 16.16: Saving the agent

use claw_code::agent::*;

use super::grammar::check;
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_replace_messages_replaces_last_loops_history() {
    let mut agent = agent(&ScriptedModel::new([Step::says("1"), Step::says("2")]));
    assert_eq!(agent.replace_messages(vec![]), Ok(0), "no call is open");
    within_limit(agent.run("go")).await;
    let spent = agent.usage();
    assert_ne!(spent, Usage::default(), "a reply has usage");
    assert_eq!(agent.replace_messages(vec![user_text("a summary")]), Ok(0));
    assert_eq!(
        roles(agent.messages()),
        "user:a summary",
        "the history is the given one, not that of the last loop"
    );
    assert_eq!(
        agent.usage(),
        spent,
        "replacing the history does not change the usage"
    );
    within_limit(agent.run("on")).await;
    assert_eq!(
        roles(agent.messages()),
        "user:a summary user:on assistant:2"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_saved_agent_continues() {
    let mut first = agent(&ScriptedModel::new([Step::says("Hello.")]));
    assert_eq!(first.save().messages, [], "a new agent has no messages");
    within_limit(first.run("I am Bob.")).await;
    first.follow_up(Message::user("Who am I?"));
    first.steer(note("saved"));
    let saved = serde_json::to_string(&first.save()).expect("a state can be written as JSON");
    let state: AgentState = serde_json::from_str(&saved).expect("the JSON can be read back");
    assert_eq!(state, first.save());

    let model = ScriptedModel::new([Step::says("Bob.")]);
    let mut second = Agent::builder(model.clone()).config_id("c").build();
    assert_eq!(second.restore(state), Ok(0), "no result was missing");
    assert_eq!(
        (second.messages(), second.usage()),
        (first.messages(), first.usage())
    );
    let events = within_limit(collect_events(second.prompt(Prompt::Messages(vec![])))).await;
    assert_eq!(check(&events), Ok(()));
    assert!(
        matches!(&events[0], AgentEvent::AgentStart { loop_id, parent_loop_id, .. }
            if loop_id == "s.c.2" && parent_loop_id.as_deref() == Some("s.c.1")),
        "the loop id is new and the parent is known: {:?}",
        events[0]
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
        format!("user:go assistant: toolResult:{LOST}")
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
        Err(AgentError::AlreadyStreaming)
    );
    assert_eq!(agent.restore(state), Err(AgentError::AlreadyStreaming));
    agent.abort();
    within_limit(agent.finish()).await;
    assert_eq!(
        roles(agent.messages()),
        "user:go assistant:",
        "rejected calls do not change the history"
    );
}
