//! Section 16.8: One model request

use std::time::Duration;

use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;

use super::grammar;
use super::grammar::{name, text_of};
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_request_has_the_messages_of_the_models_lane() {
    let model = ScriptedModel::new([Step::says("Yes.")]);
    let mut agent = Agent::builder(model.clone())
        .history(vec![user_text("one"), note("two"), user_text("three")])
        .build();
    let (reply, _) = ask(&mut agent).await;
    assert_eq!(text_of(&reply.into()), "Yes.", "the model's reply");
    assert_eq!(
        model.requests()[0].messages,
        [user_of(vec![text("one")]), user_of(vec![text("three")])],
        "the request has the messages of the model's lane and no extension"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_request_has_tools_sorted_by_name() {
    let model = ScriptedModel::new([Step::says("Yes.")]);
    let tools = ["b", "a", "c"].map(|name| FnTool::text(name, ""));
    let tools = tools.into_iter().fold(ToolSet::new(), ToolSet::with);
    ask(&mut agent_with(&model, tools)).await;
    assert_eq!(
        model.requests()[0].tools,
        ["a", "b", "c"],
        "tools are sorted by name, since a prompt cache needs the same bytes each time"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_request_has_the_agents_settings() {
    let model = ScriptedModel::new([Step::says("Yes.")]);
    let mut agent = Agent::builder(model.clone())
        .system(prompt_of("Be brief."))
        .thinking(ThinkingLevel::High)
        .build();
    ask(&mut agent).await;
    let asked = &model.requests()[0];
    assert_eq!(
        (asked.system.as_str(), asked.thinking),
        ("Be brief.", ThinkingLevel::High),
        "the system prompt and the thinking level of the agent"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_ask_does_not_end_the_message() {
    let (_, events) = ask_for_the_answer().await;
    assert_eq!(
        names(&events),
        "MessageStart MessageUpdate MessageUpdate MessageUpdate MessageUpdate",
        "`ask` does not send MessageEnd: the reply is not in the history yet"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_updates_carry_message_so_far() {
    let (_, events) = ask_for_the_answer().await;
    let texts = events.iter().map(|event| text_of(message_of(event)));
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [
            "",
            "The ",
            "The answer ",
            "The answer is ",
            "The answer is 42."
        ],
        "each update carries the message so far"
    );
    let updates = events.iter().filter_map(|event| match event {
        AgentEvent::MessageUpdate { message, .. } => Some(message),
        _ => None,
    });
    let updates: Vec<_> = updates.collect();
    assert_ne!(updates[0], updates[1], "their texts differ");
    let shown = format!("{:?}", updates[0]);
    assert!(shown.contains("The "), "it shows its text: {shown}");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_updates_that_are_not_read_copy_nothing() {
    let (_, events) = ask_for_the_answer().await;
    let mut updates = 0;
    for event in &events {
        if let AgentEvent::MessageUpdate { message, .. } = event {
            updates += 1;
            assert!(
                !message.is_copied(),
                "an update that nobody has read has no copy of the reply so far"
            );
            text_of(message);
            assert!(message.is_copied(), "reading an update makes its copy");
        }
    }
    assert_eq!(updates, 4, "there is an update for each delta");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_updates_carry_the_turn_id() {
    let (_, events) = ask_for_the_answer().await;
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 0,
    };
    assert_eq!(events.len(), 5, "the start and four updates");
    for event in &events {
        assert_eq!(
            message_of(event).turn_id(),
            Some(&turn),
            "each event's message has this turn's id"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_reply_has_the_time_of_the_agents_clock() {
    let (reply, _) = ask_for_the_answer().await;
    assert_eq!(
        timestamp(&reply),
        TIME,
        "the timestamp comes from the agent's clock, not from the model"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_reply_without_deltas_starts_complete() {
    let mut step = Step::says("At once.");
    step.deltas.clear();
    let (reply, events) = ask(&mut agent(&ScriptedModel::new([step]))).await;
    assert_eq!(names(&events), "MessageStart", "no delta, no update");
    assert_eq!(
        message_of(&events[0]).as_llm(),
        Some(&reply),
        "MessageStart has the complete reply"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_failed_request_is_a_reply_with_an_error() {
    for (end, message) in failures() {
        let reply = broken_reply(end).await;
        let Message::Assistant {
            stop_reason: StopReason::Error,
            error_message: Some(error),
            ..
        } = &reply
        else {
            panic!("a failed request should return a reply with an error message: {reply:?}");
        };
        assert!(
            error.contains(message),
            "the error message should contain {message:?}: {error:?}"
        );
        assert_eq!(timestamp(&reply), TIME, "a failed reply has a time too");
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_failed_request_keeps_partial_reply() {
    for (end, message) in failures() {
        assert_eq!(
            text_of(&broken_reply(end).await.into()),
            "The bug is in ",
            "after the error {message:?} the reply keeps the text that had arrived, because the user has read it"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_context_overflow_is_recognizable() {
    for said in ["prompt is too long: 9 tokens", "413 payload", "zu lang"] {
        let reply = failed_reply(ProviderError::ContextOverflow(said.into())).await;
        assert!(
            reply.is_context_overflow(),
            "is_context_overflow should recognize an overflow whatever text the server sent: {reply:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_unrecognized_overflow_gets_a_prefix() {
    for (said, prefixes) in [
        ("prompt is too long: 9 tokens", 0),
        ("413 payload", 1),
        ("zu lang", 1),
    ] {
        let reply = failed_reply(ProviderError::ContextOverflow(said.into())).await;
        let Message::Assistant {
            error_message: Some(error),
            ..
        } = &reply
        else {
            panic!("a failed request should leave a reply with an error message: {reply:?}");
        };
        assert_eq!(
            error.matches("context length exceeded").count(),
            prefixes,
            "the prefix is added only if the server's text is not recognized: {error}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_other_failure_is_no_overflow() {
    let reply = failed_reply(ProviderError::BadRequest("no such model".into())).await;
    assert!(
        !reply.is_context_overflow(),
        "another failure is not an overflow: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_is_not_an_error() {
    let (reply, _) = ask_and_abort().await;
    assert!(
        matches!(
            reply,
            Message::Assistant {
                stop_reason: StopReason::Aborted,
                error_message: None,
                ..
            }
        ),
        "an aborted request returns a reply without an error message: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_keeps_partial_reply() {
    let (reply, events) = ask_and_abort().await;
    assert_eq!(
        text_of(&reply.into()),
        "one two ",
        "the reply keeps the two words that had arrived"
    );
    assert_eq!(
        names(&events),
        "MessageStart MessageUpdate MessageUpdate",
        "one update for each word"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_calls_of_a_reply_have_unique_ids() {
    let mut agent = agent(&ScriptedModel::new([Step::calls(&[
        ("a", "t"),
        ("", "t"),
        ("a", "t"),
        ("b", "t"),
    ])]));
    let (reply, _) = ask(&mut agent).await;
    let ids = grammar::calls(&reply);
    assert_eq!(
        (ids[0].as_str(), ids[3].as_str()),
        ("a", "b"),
        "a unique id stays unchanged"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
        assert!(
            !ids[..at].contains(id),
            "call {at} of {ids:?} has an earlier one's id"
        );
    }
}

/// Runs one request in a prepared loop and returns the reply and the events.
async fn ask(agent: &mut Agent) -> (Message, Vec<AgentEvent>) {
    in_loop(agent, async |work| work.ask().await).await
}

fn message_of(event: &AgentEvent) -> &AgentMessage {
    match event {
        AgentEvent::MessageStart { message, .. } | AgentEvent::MessageEnd { message, .. } => {
            message
        }
        AgentEvent::MessageUpdate { message, .. } => message,
        other => panic!("a {} event has no message", name(other)),
    }
}

/// Asks a model that answers in four words.
async fn ask_for_the_answer() -> (Message, Vec<AgentEvent>) {
    ask(&mut agent(&ScriptedModel::new([Step::says(
        "The answer is 42.",
    )])))
    .await
}

/// Asks a model that sends a word every ten seconds, and aborts after 25 seconds.
async fn ask_and_abort() -> (Message, Vec<AgentEvent>) {
    let step = Step::says("one two three ")
        .paused(Duration::from_secs(10))
        .ends(End::Never);
    let mut agent = agent(&ScriptedModel::new([step]));
    let handle = agent.handle();
    let (asked, ()) = both(ask(&mut agent), abort_after(&handle, 25_000)).await;
    asked
}

/// The ways in which a request fails, and a part of each error message.
fn failures() -> [(End, &'static str); 3] {
    [
        (End::Fail(ProviderError::Network("gone".into())), "gone"),
        (End::Panic, "a bug in the connection"),
        (End::Reply(Message::user("I am no model")), "no reply"),
    ]
}

/// The reply of a model that sends a text and then ends like this.
async fn broken_reply(end: End) -> Message {
    let step = Step::says("The bug is in ").ends(end);
    ask(&mut agent(&ScriptedModel::new([step]))).await.0
}

/// The reply of a model that fails at once.
async fn failed_reply(error: ProviderError) -> Message {
    let step = Step::new(End::Fail(error));
    ask(&mut agent(&ScriptedModel::new([step]))).await.0
}

fn timestamp(reply: &Message) -> u64 {
    match reply {
        Message::Assistant { timestamp, .. } => *timestamp,
        other => panic!("`ask` should return an assistant message in every case: {other:?}"),
    }
}
