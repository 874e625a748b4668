//! Section 5.4: Two messages

use claw_code::prompt::*;
use claw_code::types::Message;

use super::support::*;

#[test]
fn test_ch5_prompt_has_two_parts() {
    for (whole, prefix, rest) in [
        (prompt("one\n\ntwo\n", 4), "one\n", "two\n"),
        (prompt("one\n", 4), "one\n", ""),
        (prompt("two\n", 0), "", "two\n"),
        (prompt("", 0), "", ""),
    ] {
        assert_eq!(whole.prefix(), prefix, "the static part of {whole:?}");
        assert_eq!(
            whole.rest(),
            rest,
            "the dynamic part of {whole:?}, without the empty line before it"
        );
    }
}

#[test]
fn test_ch5_messages_are_tagged() {
    for (whole, expected) in [
        (
            prompt("one\n\ntwo\n", 4),
            vec![(STATIC_TAG, "one\n"), (DYNAMIC_TAG, "two\n")],
        ),
        (prompt("one\n", 4), vec![(STATIC_TAG, "one\n")]),
        (prompt("two\n", 0), vec![(DYNAMIC_TAG, "two\n")]),
        (prompt("", 0), vec![]),
    ] {
        let messages = whole.messages();
        let found: Vec<(&str, &str)> = messages.iter().map(tag_and_content).collect();
        assert_eq!(
            found, expected,
            "{whole:?} as system messages: the static part, then the dynamic one, and none for a part that is empty"
        );
    }
}

#[test]
fn test_ch5_messages_have_ids() {
    let whole = prompt("one\n\ntwo\n", 4);
    let ids: Vec<String> = whole
        .messages()
        .iter()
        .chain(&whole.messages())
        .map(|message| match message {
            Message::System(system) => system.id.clone(),
            other => panic!("a prompt is made of system messages, not of {other:?}"),
        })
        .collect();
    for (at, id) in ids.iter().enumerate() {
        assert!(
            uuid::Uuid::parse_str(id).is_ok(),
            "a message's id comes from new_id(); this one is {id:?}"
        );
        assert!(
            !ids[..at].contains(id),
            "every message has an id of its own"
        );
    }
}
