//! Section 5.4: Two system messages

use claw_code::prompt::*;
use claw_code::types::Message;

use super::support::*;

#[test]
fn test_ch5_prompt_splits_at_boundary() {
    for (whole, prefix, rest) in [
        (prompt("one\n\ntwo\n", 4), "one\n", "two\n"),
        (prompt("one\n", 4), "one\n", ""),
        (prompt("two\n", 0), "", "two\n"),
        (prompt("", 0), "", ""),
        (prompt("one\n\n\n  two\n", 4), "one\n", "\n  two\n"),
        (prompt("one\n\n  two\n", 4), "one\n", "  two\n"),
    ] {
        assert_eq!(whole.prefix(), prefix, "the static part of {whole:?}");
        assert_eq!(
            whole.rest(),
            rest,
            "the dynamic part does not include the empty line before it, which is exactly one `\\n`; here in {whole:?}"
        );
    }
}

#[test]
fn test_ch5_wrong_boundary_panics() {
    let right = prompt("é\n", 3);
    assert_eq!((right.prefix(), right.rest()), ("é\n", ""));
    for wrong in [prompt("é\n", 1), prompt("one\n", 5)] {
        assert!(
            std::panic::catch_unwind(|| wrong.prefix().len()).is_err(),
            "`prefix` panics if the boundary is inside a character or after the end, here in {wrong:?}"
        );
        assert!(
            std::panic::catch_unwind(|| wrong.rest().len()).is_err(),
            "`rest` panics if the boundary is inside a character or after the end, here in {wrong:?}"
        );
    }
}

#[test]
fn test_ch5_messages_carry_part_tags() {
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
            "{whole:?} as system messages: the static part, then the dynamic part, and no message for an empty part"
        );
    }
}

#[test]
fn test_ch5_messages_have_new_ids() {
    let whole = prompt("one\n\ntwo\n", 4);
    let ids: Vec<String> = whole
        .messages()
        .iter()
        .chain(&whole.messages())
        .map(|message| match message {
            Message::System(system) => system.id.clone(),
            other => panic!("a prompt gives only system messages, but got {other:?}"),
        })
        .collect();
    for (at, id) in ids.iter().enumerate() {
        assert!(
            uuid::Uuid::parse_str(id).is_ok(),
            "each message takes its id from new_id(); this one is {id:?}"
        );
        assert!(
            !ids[..at].contains(id),
            "two messages have the same id, {id:?}"
        );
    }
}
