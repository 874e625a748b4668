//! Section 15.5: Two lanes

use std::marker::PhantomData;

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_agent_message_json() {
    for (entry, json) in [
        (AgentMessage::from(a_reply()), to_json(&a_reply())),
        (
            AgentMessage::from(an_extension()),
            json!({ "role": "extension", "kind": "notification", "data": { "text": "Saved." } }),
        ),
    ] {
        assert_json(
            "an entry is written as what it holds: nothing is wrapped around it",
            &to_json(&entry),
            &json,
        );
    }
}

#[test]
fn test_ch15_from_and_back() {
    let entry = AgentMessage::from(a_user());
    assert_eq!(
        entry,
        AgentMessage::Llm(llm(a_user(), None)),
        "a message goes into the model's lane, with no turn"
    );
    assert_eq!(entry.role(), "user");
    assert_eq!(entry.as_llm(), Some(&a_user()));
    assert_eq!(entry.turn_id(), None);

    let llm = llm(a_result(), Some(a_turn()));
    let entry = AgentMessage::from(llm.clone());
    assert_eq!(entry, AgentMessage::Llm(llm), "its turn is kept");
    assert_eq!(entry.role(), "toolResult");
    assert_eq!(entry.as_llm(), Some(&a_result()));
    assert_eq!(entry.turn_id(), Some(&a_turn()));
    assert_eq!(LlmMessage::from(a_user()).turn_id, None);

    let note = an_extension();
    let entry = AgentMessage::from(note.clone());
    assert_eq!(entry, AgentMessage::Extension(note));
    assert_eq!(entry.role(), "extension");
    assert_eq!(entry.as_llm(), None, "a model never sees an extension");
    assert_eq!(entry.turn_id(), None, "an extension has no turn");
}

#[test]
fn test_ch15_with_turn_id() {
    let entry = AgentMessage::Llm(llm(a_user(), None));
    let marked = entry.clone().with_turn_id(Some(a_turn()));
    assert_eq!(marked.turn_id(), Some(&a_turn()), "the turn was set");
    assert_eq!(
        marked.as_llm(),
        Some(&a_user()),
        "the message stays as it was"
    );
    assert_eq!(
        marked.with_turn_id(None),
        entry,
        "and the turn was taken off"
    );

    let note = AgentMessage::Extension(an_extension());
    assert_eq!(
        note.clone().with_turn_id(Some(a_turn())),
        note,
        "an extension has no turn and stays as it was"
    );
}

#[test]
fn test_ch15_no_way_back() {
    let entry: AgentMessage = an_extension().into();
    assert_eq!(entry.as_llm(), None);
    // What there is, so that the question below is known to work.
    for (exists, from, to) in [
        (
            Converts::<Message, LlmMessage>::YES,
            "Message",
            "LlmMessage",
        ),
        (
            Converts::<Message, AgentMessage>::YES,
            "Message",
            "AgentMessage",
        ),
        (
            Converts::<ExtensionMessage, AgentMessage>::YES,
            "ExtensionMessage",
            "AgentMessage",
        ),
    ] {
        assert!(exists, "there should be a conversion from {from} to {to}");
    }
    for (exists, from, to) in [
        (
            Converts::<ExtensionMessage, LlmMessage>::YES,
            "ExtensionMessage",
            "LlmMessage",
        ),
        (
            Converts::<ExtensionMessage, Message>::YES,
            "ExtensionMessage",
            "Message",
        ),
        (
            Converts::<ExtensionMessage, Content>::YES,
            "ExtensionMessage",
            "Content",
        ),
        (
            Converts::<AgentMessage, LlmMessage>::YES,
            "AgentMessage",
            "LlmMessage",
        ),
        (
            Converts::<AgentMessage, Message>::YES,
            "AgentMessage",
            "Message",
        ),
    ] {
        assert!(
            !exists,
            "there must be no conversion from {from} to {to}: it would be a way from the application's lane into the model's"
        );
    }
}

/// Whether one type converts into another, as the compiler has it. The constant of the
/// first block is taken where its bound holds, and the trait's everywhere else.
struct Converts<From, To>(PhantomData<(From, To)>);

impl<From: Into<To>, To> Converts<From, To> {
    const YES: bool = true;
}

trait Otherwise {
    const YES: bool = false;
}

impl<From, To> Otherwise for Converts<From, To> {}
