//! Section 13.3: The approved plan as text

use claw_code::plan::*;

use super::support::approval;

/// Plans that are hard to find again in a text.
const PLANS: [&str; 6] = [
    "1. Read the tests.",
    "1. Read.\n\n2. Write.\n",
    "windows\r\nlines",
    "Größe – 日本",
    " bytes. Plan mode is over: carry out the plan.\n\n",
    "The user approved this plan of 3 bytes. Plan mode is over: carry out the plan.\n\nbad",
];

#[test]
fn test_ch13_approval_has_the_length_and_the_plan() {
    assert_eq!(
        approval_text("1. Read."),
        "The user approved this plan of 8 bytes. Plan mode is over: carry out the plan.\n\n1. Read.",
        "the line, an empty line, and the plan"
    );
}

#[test]
fn test_ch13_length_counts_bytes() {
    for plan in PLANS {
        assert_eq!(
            approval_text(plan),
            approval(plan),
            "the length in bytes of {plan:?}, and the plan unchanged"
        );
    }
}

#[test]
fn test_ch13_approved_plan_is_found_unchanged() {
    for plan in PLANS {
        let found = approved_plan(&approval(plan));
        assert_eq!(found.as_deref(), Some(plan), "byte for byte");
    }
    let longest = "x".repeat(MAX_PLAN_BYTES);
    assert!(
        approved_plan(&approval(&longest)) == Some(longest),
        "a plan of MAX_PLAN_BYTES is found, too"
    );
}

#[test]
fn test_ch13_text_after_the_plan_is_not_part_of_it() {
    for plan in PLANS {
        let with_note = approval(plan) + "\n\na hook: run the linter, too";
        assert_eq!(
            approved_plan(&with_note).as_deref(),
            Some(plan),
            "a gate has added a note after {plan:?}"
        );
    }
}

#[test]
fn test_ch13_other_text_is_no_approval() {
    for text in [
        "",
        "the user rejected the plan; ask what to change",
        "The user approved this plan of 3 bytes.",
        "The user approved this plan of 3 bytes. No one may carry out the plan.\n\nabc",
        "The user approved this plan of many bytes. Plan mode is over: carry out the plan.\n\nabc",
        "No. The user approved this plan of 3 bytes. Plan mode is over: carry out the plan.\n\nabc",
        "\nThe user approved this plan of 3 bytes. Plan mode is over: carry out the plan.\n\nabc",
    ] {
        assert_eq!(
            approved_plan(text),
            None,
            "not a text of approval_text: {text:?}"
        );
    }
}

#[test]
fn test_ch13_shortened_plan_is_no_approval() {
    let text =
        "The user approved this plan of 8 bytes. Plan mode is over: carry out the plan.\n\n1. Re";
    assert_eq!(approved_plan(text), None, "three bytes are missing");
    let text =
        "The user approved this plan of 1 bytes. Plan mode is over: carry out the plan.\n\né";
    assert_eq!(
        approved_plan(text),
        None,
        "the first byte is only a part of `é`"
    );
}
