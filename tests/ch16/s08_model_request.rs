//! Section 16.8: One model request

use std::time::Duration;

use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;
use tokio::time::sleep;

use super::grammar;
use super::grammar::{name, text_of};
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_request_carries_lane_tools_and_settings() {
    let model = ScriptedModel::new([Step::says("Yes.")]);
    let mut agent = Agent::builder(model.clone())
        .system(prompt_of("Be brief."))
        .tools(
            ToolSet::new()
                .with(FnTool::delayed("b", 1, ""))
                .with(FnTool::delayed("a", 1, ""))
                .with(FnTool::delayed("c", 1, "")),
        )
        .thinking(ThinkingLevel::High)
        .history(vec![user_text("one"), note("two"), user_text("three")])
        .build();
    let (reply, _) = ask(&mut agent).await;
    let asked = &model.requests()[0];
    assert_eq!(
        asked.messages.len(),
        2,
        "the request has the messages of the model's lane and no extension: {:?}",
        asked.messages
    );
    assert_eq!(
        asked.tools,
        ["a", "b", "c"],
        "tools are sorted by name, since a prompt cache needs the same bytes each time"
    );
    assert_eq!(
        (asked.system.as_str(), asked.thinking),
        ("Be brief.", ThinkingLevel::High)
    );
    assert_eq!(text_of(&reply.into()), "Yes.");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_updates_carry_message_so_far() {
    let mut agent = agent(&ScriptedModel::new([Step::says("The answer is 42.")]));
    let (reply, events) = ask(&mut agent).await;
    assert_eq!(
        names(&events),
        "MessageStart MessageUpdate MessageUpdate MessageUpdate MessageUpdate",
        "`ask` does not send MessageEnd: the reply is not in the history yet"
    );
    let texts: Vec<String> = events
        .iter()
        .map(|event| text_of(message_of(event)))
        .collect();
    assert_eq!(
        texts,
        [
            "",
            "The ",
            "The answer ",
            "The answer is ",
            "The answer is 42."
        ],
        "each update carries the message so far"
    );
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 0,
    };
    for event in &events {
        assert_eq!(
            message_of(event).turn_id(),
            Some(&turn),
            "each event's message has this turn's id"
        );
    }
    let Message::Assistant { timestamp, .. } = reply else {
        panic!("the reply should be an assistant message");
    };
    assert_eq!(
        timestamp, TIME,
        "the timestamp comes from the agent's clock, not from the model"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_reply_without_deltas_starts_complete() {
    let mut step = Step::says("At once.");
    step.deltas.clear();
    let (reply, events) = ask(&mut agent(&ScriptedModel::new([step]))).await;
    assert_eq!(names(&events), "MessageStart");
    assert_eq!(message_of(&events[0]).as_llm(), Some(&reply));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_failed_request_keeps_partial_reply() {
    for (end, words) in [
        (End::Fail(ProviderError::Network("gone".into())), "gone"),
        (End::Panic, "a bug in the connection"),
        (End::Reply(Message::user("I am no model")), "no reply"),
    ] {
        let step = Step::says("The bug is in ").ends(end);
        let (reply, _) = ask(&mut agent(&ScriptedModel::new([step]))).await;
        let Message::Assistant {
            stop_reason,
            error_message,
            timestamp,
            ..
        } = &reply
        else {
            panic!("`ask` should return an assistant message in every case: {reply:?}");
        };
        assert_eq!(
            *stop_reason,
            StopReason::Error,
            "the stop reason of a failed request ({words})"
        );
        assert!(
            error_message
                .as_ref()
                .is_some_and(|error| error.contains(words)),
            "the error message should contain {words:?}: {error_message:?}"
        );
        assert_eq!(*timestamp, TIME, "a failed reply has a timestamp too");
        assert_eq!(
            text_of(&reply.into()),
            "The bug is in ",
            "the reply keeps the text that had arrived, because the user has read it"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_context_overflow_is_recognizable() {
    for words in ["prompt is too long: 9 tokens", "413 payload", "zu lang"] {
        let step = Step::new(End::Fail(ProviderError::ContextOverflow(words.into())));
        let (reply, _) = ask(&mut agent(&ScriptedModel::new([step]))).await;
        assert!(
            reply.is_context_overflow(),
            "is_context_overflow should recognize an overflow whatever text the server sent: {reply:?}"
        );
        let Message::Assistant {
            error_message: Some(said),
            ..
        } = &reply
        else {
            panic!("a failed request should leave a reply with an error message: {reply:?}");
        };
        assert_eq!(
            said.matches("context length exceeded").count(),
            usize::from(words != "prompt is too long: 9 tokens"),
            "the prefix is added only if the server's text is not recognized: {said}"
        );
    }
    let step = Step::new(End::Fail(ProviderError::BadRequest("no such model".into())));
    let (reply, _) = ask(&mut agent(&ScriptedModel::new([step]))).await;
    assert!(
        !reply.is_context_overflow(),
        "another failure is not an overflow: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_abort_keeps_partial_reply() {
    let step = Step::says("one two three ")
        .paused(Duration::from_secs(10))
        .ends(End::Never);
    let mut agent = agent(&ScriptedModel::new([step]));
    let handle = agent.handle();
    let aborting = async {
        sleep(Duration::from_secs(25)).await;
        handle.abort();
    };
    let ((reply, events), ()) = tokio::join!(ask(&mut agent), aborting);
    let Message::Assistant {
        stop_reason,
        error_message,
        ..
    } = &reply
    else {
        panic!("`ask` should return an assistant message in every case: {reply:?}");
    };
    assert_eq!(*stop_reason, StopReason::Aborted);
    assert_eq!(*error_message, None, "an abort is not an error");
    assert_eq!(
        text_of(&reply.into()),
        "one two ",
        "the reply keeps the two words that had arrived"
    );
    assert_eq!(names(&events), "MessageStart MessageUpdate MessageUpdate");
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
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let (reply, events) = within_limit(async {
        tokio::join!(
            async move {
                let reply = work.ask().await;
                drop(work);
                reply
            },
            collect_events(events)
        )
    })
    .await;
    (reply, events)
}

fn message_of(event: &AgentEvent) -> &AgentMessage {
    match event {
        AgentEvent::MessageStart { message, .. }
        | AgentEvent::MessageUpdate { message, .. }
        | AgentEvent::MessageEnd { message, .. } => message,
        other => panic!("a {} event has no message", name(other)),
    }
}
