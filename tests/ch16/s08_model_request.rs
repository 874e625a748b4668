//! Section 16.8: One request

use std::time::Duration;

use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;
use tokio::time::sleep;

use super::grammar;
use super::grammar::{name, text_of};
use super::parts::{End, Scripted, Step, slow};
use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_the_model_is_asked_with_everything() {
    let model = Scripted::new([Step::says("Yes.")]);
    let mut agent = Agent::builder(model.clone())
        .system(prompt_of("Be brief."))
        .tools(
            ToolSet::new()
                .with(slow("b", 1, ""))
                .with(slow("a", 1, ""))
                .with(slow("c", 1, "")),
        )
        .thinking(ThinkingLevel::High)
        .history(vec![said("one"), note("two"), said("three")])
        .build();
    let (reply, _) = ask(&mut agent).await;
    let asked = &model.asked()[0];
    assert_eq!(
        asked.messages.len(),
        2,
        "the messages of the model's lane, and no extension: {:?}",
        asked.messages
    );
    assert_eq!(
        asked.tools,
        ["a", "b", "c"],
        "tools by name: a prompt cache holds what is repeated byte for byte"
    );
    assert_eq!(
        (asked.system.as_str(), asked.thinking),
        ("Be brief.", ThinkingLevel::High)
    );
    assert_eq!(text_of(&reply.into()), "Yes.");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_reply_is_told_as_it_grows() {
    let mut agent = agent(&Scripted::new([Step::says("The answer is 42.")]));
    let (reply, events) = ask(&mut agent).await;
    assert_eq!(
        names(&events),
        "MessageStart MessageUpdate MessageUpdate MessageUpdate MessageUpdate",
        "its end is told when it is in the history"
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
        "each update has the whole message so far"
    );
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 0,
    };
    for event in &events {
        assert_eq!(
            message_of(event).turn_id(),
            Some(&turn),
            "it is of this turn"
        );
    }
    let Message::Assistant { timestamp, .. } = reply else {
        panic!("a reply");
    };
    assert_eq!(timestamp, TIME, "the time is the agent's, not the model's");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_reply_without_pieces_is_told_whole() {
    let mut step = Step::says("At once.");
    step.pieces.clear();
    let (reply, events) = ask(&mut agent(&Scripted::new([step]))).await;
    assert_eq!(names(&events), "MessageStart");
    assert_eq!(message_of(&events[0]).as_llm(), Some(&reply));
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_failed_request_leaves_what_had_come() {
    for (end, words) in [
        (End::Fail(ProviderError::Network("gone".into())), "gone"),
        (End::Panic, "a bug in the connection"),
        (End::Reply(Message::user("I am no model")), "no reply"),
    ] {
        let step = Step::says("The bug is in ").ends(end);
        let (reply, _) = ask(&mut agent(&Scripted::new([step]))).await;
        let Message::Assistant {
            stop_reason,
            error_message,
            timestamp,
            ..
        } = &reply
        else {
            panic!("there is a reply in any case: {reply:?}");
        };
        assert_eq!(
            *stop_reason,
            StopReason::Error,
            "of a request that failed: {words}"
        );
        assert!(
            error_message
                .as_ref()
                .is_some_and(|error| error.contains(words)),
            "it says what went wrong ({words}): {error_message:?}"
        );
        assert_eq!(*timestamp, TIME, "a reply that failed has its time too");
        assert_eq!(
            text_of(&reply.into()),
            "The bug is in ",
            "the user has read this much"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_overflow_is_known_as_one() {
    for words in ["prompt is too long: 9 tokens", "413 payload", "zu lang"] {
        let step = Step::new(End::Fail(ProviderError::ContextOverflow(words.into())));
        let (reply, _) = ask(&mut agent(&Scripted::new([step]))).await;
        assert!(
            reply.is_context_overflow(),
            "whatever the server's words, an overflow is known by the message: {reply:?}"
        );
        let Message::Assistant {
            error_message: Some(said),
            ..
        } = &reply
        else {
            panic!("a failed request leaves a reply that says why: {reply:?}");
        };
        assert_eq!(
            said.matches("context length exceeded").count(),
            usize::from(words != "prompt is too long: 9 tokens"),
            "words are put before the server's only where nobody would know it by those: {said}"
        );
    }
    let step = Step::new(End::Fail(ProviderError::BadRequest("no such model".into())));
    let (reply, _) = ask(&mut agent(&Scripted::new([step]))).await;
    assert!(
        !reply.is_context_overflow(),
        "another failure is none: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_abort_keeps_what_had_come() {
    let step = Step::says("one two three ")
        .paused(Duration::from_secs(10))
        .ends(End::Never);
    let mut agent = agent(&Scripted::new([step]));
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
        panic!("there is a reply in any case: {reply:?}");
    };
    assert_eq!(*stop_reason, StopReason::Aborted);
    assert_eq!(*error_message, None, "nothing went wrong");
    assert_eq!(text_of(&reply.into()), "one two ", "two words had come");
    assert_eq!(names(&events), "MessageStart MessageUpdate MessageUpdate");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_every_call_of_a_reply_has_its_own_id() {
    let mut agent = agent(&Scripted::new([Step::calls(&[
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
        "an id that is free stays"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
        assert!(
            !ids[..at].contains(id),
            "call {at} of {ids:?} has an earlier one's id"
        );
    }
}

/// Asks once, in a loop of its own, and returns the reply and what was told.
async fn ask(agent: &mut Agent) -> (Message, Vec<AgentEvent>) {
    let (mut work, events) = agent.prepare("s.c.1", ContinuationKind::Initial, TurnTrigger::User);
    let (reply, events) = in_time(async {
        tokio::join!(
            async move {
                let reply = work.ask().await;
                drop(work);
                reply
            },
            all(events)
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
        other => panic!("a {} has no message", name(other)),
    }
}
