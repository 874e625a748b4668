//! Section 15.5: Two lanes

use std::marker::PhantomData;

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

/// Whether a conversion exists, with the names of its types.
macro_rules! converts {
    ($from:ty, $to:ty) => {
        (
            Converts::<$from, $to>::YES,
            stringify!($from),
            stringify!($to),
        )
    };
}

#[test]
fn test_ch15_agent_message_is_written_without_wrapper() {
    for (entry, json) in [
        (AgentMessage::from(a_reply()), to_json(&a_reply())),
        (
            AgentMessage::from(an_extension()),
            json!({ "role": "extension", "kind": "notification", "data": { "text": "Saved." } }),
        ),
    ] {
        assert_json(
            "an agent message is written without a wrapper",
            &to_json(&entry),
            &json,
        );
    }
}

#[test]
fn test_ch15_message_converts_into_the_models_lane() {
    let entry = AgentMessage::from(a_user());
    assert_eq!(
        entry,
        AgentMessage::Llm(llm(a_user(), None)),
        "a message goes into the model's lane, without a turn id"
    );
    assert_eq!(entry.role(), "user", "the role of the message");
    assert_eq!(entry.as_llm(), Some(&a_user()), "the model sees it");
    assert_eq!(entry.turn_id(), None, "it has no turn id");
    assert_eq!(
        LlmMessage::from(a_newer_user()),
        llm(a_newer_user(), None),
        "the converted message is unchanged and has no turn id"
    );
    assert_eq!(
        AgentMessage::from(a_newer_user()),
        AgentMessage::Llm(llm(a_newer_user(), None)),
        "the message keeps what this program does not know"
    );
}

#[test]
fn test_ch15_message_with_a_turn_keeps_it() {
    let mut llm = llm(a_result(), Some(a_turn()));
    llm.other.insert("cost".to_string(), json!(3));
    let entry = AgentMessage::from(llm.clone());
    assert_eq!(
        entry,
        AgentMessage::Llm(llm),
        "the turn id is kept, and so is every other field"
    );
    assert_eq!(entry.role(), "toolResult", "the role of the message");
    assert_eq!(entry.as_llm(), Some(&a_result()), "the model sees it");
    assert_eq!(entry.turn_id(), Some(&a_turn()), "its turn id");
}

#[test]
fn test_ch15_extension_converts_into_the_applications_lane() {
    let note = ExtensionMessage {
        role: "user".to_string(),
        ..a_newer_extension()
    };
    let entry = AgentMessage::from(note.clone());
    assert_eq!(entry, AgentMessage::Extension(note), "it is unchanged");
    assert_eq!(entry.role(), "extension", "the role of every extension");
    assert_eq!(entry.as_llm(), None, "a model never sees an extension");
    assert_eq!(entry.turn_id(), None, "an extension has no turn id");
}

#[test]
fn test_ch15_with_turn_id_sets_and_clears() {
    let entry = AgentMessage::Llm(llm(a_user(), None));
    let marked = entry.clone().with_turn_id(Some(a_turn()));
    assert_eq!(
        marked.turn_id(),
        Some(&a_turn()),
        "with_turn_id sets the turn id"
    );
    assert_eq!(marked.as_llm(), Some(&a_user()), "the message is unchanged");
    let next = TurnId {
        turn_index: 1,
        ..a_turn()
    };
    assert_eq!(
        marked.clone().with_turn_id(Some(next.clone())).turn_id(),
        Some(&next),
        "with_turn_id replaces an earlier turn id"
    );
    assert_eq!(
        marked.with_turn_id(None),
        entry,
        "with_turn_id(None) clears the turn id"
    );
}

#[test]
fn test_ch15_with_turn_id_keeps_unknown_fields() {
    let seventh = TurnId {
        turn_index: 7,
        ..a_turn()
    };
    for turn_id in [Some(a_turn()), Some(seventh.clone()), None] {
        let mut expected = llm(a_newer_user(), turn_id.clone());
        expected.other.insert("cost".to_string(), json!(3));
        let of_usage = json!({ "cost": 1 });
        expected.other.insert("usage".to_string(), of_usage);
        let mut newer = expected.clone();
        newer.turn_id = Some(seventh.clone());
        let of_turn = json!({ "branch": "b" });
        newer.other.insert("turnId".to_string(), of_turn);
        assert_eq!(
            AgentMessage::Llm(newer).with_turn_id(turn_id),
            AgentMessage::Llm(expected),
            "only the turn id changes, with its own unknown fields; a field of a newer program stays in `other`"
        );
    }
}

#[test]
fn test_ch15_extension_takes_no_turn_id() {
    let mut note = a_newer_extension();
    note.other.insert("turnId".to_string(), json!(7));
    let note = AgentMessage::Extension(note);
    for turn in [Some(a_turn()), None] {
        assert_eq!(
            note.clone().with_turn_id(turn),
            note,
            "an extension has no turn id and is unchanged"
        );
    }
}

#[test]
fn test_ch15_extension_never_becomes_a_message() {
    let entry: AgentMessage = an_extension().into();
    assert_eq!(entry.as_llm(), None, "a model never sees an extension");
    for (exists, from, to) in [
        converts!(ExtensionMessage, LlmMessage),
        converts!(ExtensionMessage, Message),
        converts!(ExtensionMessage, Content),
        converts!(AgentMessage, LlmMessage),
        converts!(AgentMessage, Message),
        converts!(&ExtensionMessage, LlmMessage),
        converts!(&ExtensionMessage, Message),
        converts!(&AgentMessage, LlmMessage),
        converts!(&AgentMessage, Message),
    ] {
        assert!(
            !exists,
            "there must be no conversion from {from} to {to}: it would lead from the application's lane into the model's"
        );
    }
}

#[test]
fn test_ch15_messages_and_extensions_become_agent_messages() {
    let entry: AgentMessage = a_user().into();
    assert_eq!(entry.as_llm(), Some(&a_user()), "the model sees a message");
    for (exists, from, to) in [
        converts!(Message, LlmMessage),
        converts!(Message, AgentMessage),
        converts!(ExtensionMessage, AgentMessage),
    ] {
        assert!(exists, "there should be a conversion from {from} to {to}");
    }
}

/// Whether the compiler knows a conversion from one type to another. The constant of the
/// inherent impl is used if its bound holds, and the trait's constant otherwise.
struct Converts<A, B>(PhantomData<(A, B)>);

impl<A: Into<B>, B> Converts<A, B> {
    const YES: bool = true;
}

trait Otherwise {
    const YES: bool = false;
}

impl<A, B> Otherwise for Converts<A, B> {}
