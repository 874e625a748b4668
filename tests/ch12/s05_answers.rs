//! Section 12.5: Answers as JSON

use claw_code::hooks::*;
use serde_json::{Value, json};

use super::support::*;

/// The answer in this JSON, which is valid.
#[track_caller]
fn answer(json: Value) -> HookAnswer {
    let parsed = parse_answer(&json.to_string());
    parsed.unwrap_or_else(|error| panic!("the answer is valid: {json}: {error}"))
}

/// The answer with this `hookSpecificOutput`.
#[track_caller]
fn specific(fields: Value) -> HookAnswer {
    answer(json!({ "hookSpecificOutput": fields }))
}

#[test]
fn test_ch12_empty_answer_has_no_opinion() {
    for json in [
        json!({}),
        json!({ "continue": true, "hookSpecificOutput": null }),
        json!({ "hookSpecificOutput": { "additionalContext": "" } }),
    ] {
        assert_eq!(answer(json), HookAnswer::default(), "nothing is said");
    }
}

#[test]
fn test_ch12_decision_about_a_call_has_its_reason() {
    let decision = |decision| {
        let reason = "production";
        specific(json!({ "permissionDecision": decision, "permissionDecisionReason": reason }))
    };
    assert_eq!(decision("allow"), decides(HookDecision::Allow));
    assert_eq!(
        decision("ask"),
        decides(HookDecision::Ask("production".into()))
    );
    assert_eq!(decision("deny"), denies("production"));
    let older = json!({ "reason": "old", "hookSpecificOutput": { "permissionDecision": "deny" } });
    assert_eq!(
        answer(older),
        denies("old"),
        "without a `permissionDecisionReason`, `reason` counts"
    );
}

#[test]
fn test_ch12_top_level_decision_counts_too() {
    let decision = |decision| answer(json!({ "decision": decision, "reason": "run the tests" }));
    assert_eq!(decision("block"), denies("run the tests"));
    assert_eq!(decision("approve"), decides(HookDecision::Allow));
}

#[test]
fn test_ch12_decision_about_a_call_comes_first() {
    let answer = answer(json!({
        "decision": "approve",
        "reason": "old",
        "hookSpecificOutput": { "permissionDecision": "deny", "permissionDecisionReason": "new" },
    }));
    assert_eq!(answer, denies("new"), "`permissionDecision` is more exact");
}

#[test]
fn test_ch12_decision_without_a_reason_says_so() {
    assert_eq!(
        answer(json!({ "decision": "block" })),
        denies(NO_REASON),
        "the model must read something"
    );
    assert_eq!(
        specific(json!({ "permissionDecision": "ask" })),
        decides(HookDecision::Ask(NO_REASON.into())),
        "the user must read something"
    );
}

#[test]
fn test_ch12_answer_rewrites_and_adds_context() {
    let input = json!({ "command": "ls -a" });
    let answer = specific(json!({ "updatedInput": input, "additionalContext": "on main" }));
    let expected = HookAnswer {
        context: vec!["on main".into()],
        ..rewrites(input)
    };
    assert_eq!(answer, expected, "both are in `hookSpecificOutput`");
}

#[test]
fn test_ch12_answer_stops_and_informs_the_user() {
    let answer = answer(json!({
        "continue": false, "stopReason": "the build is broken", "systemMessage": "see CI",
    }));
    let expected = HookAnswer {
        stop: Some("the build is broken".into()),
        messages: vec!["see CI".into()],
        ..HookAnswer::default()
    };
    assert_eq!(answer, expected, "both are for the user");
}

#[test]
fn test_ch12_reason_to_stop_needs_a_stop() {
    let kept = answer(json!({ "continue": true, "stopReason": "x" }));
    assert_eq!(kept.stop, None, "the agent continues");
    let stopped = answer(json!({ "continue": false }));
    assert_eq!(stopped.stop, Some(NO_REASON.into()), "the agent stops");
}

#[test]
fn test_ch12_unknown_fields_are_ignored() {
    let json = json!({ "suppressOutput": true, "hookSpecificOutput": { "sessionTitle": "x" } });
    assert_eq!(answer(json), HookAnswer::default(), "newer fields");
}

#[test]
fn test_ch12_long_texts_are_truncated() {
    let long = "x".repeat(MAX_CONTEXT_BYTES + 1);
    let answer = answer(json!({
        "decision": "block",
        "reason": long,
        "continue": false,
        "stopReason": long,
        "systemMessage": long,
        "hookSpecificOutput": { "additionalContext": long },
    }));
    let (Some(HookDecision::Deny(reason)), Some(stop)) = (&answer.decision, &answer.stop) else {
        panic!("a denial and a stop: {answer:?}");
    };
    for text in [reason, stop, &answer.messages[0], &answer.context[0]] {
        assert!(
            text.len() <= MAX_CONTEXT_BYTES && text.contains("bytes left out"),
            "a hook can't flood the model or the user: {} bytes",
            text.len()
        );
    }
    let ask = json!({ "permissionDecision": "ask", "permissionDecisionReason": long });
    let expected = HookDecision::Ask(bounded(&long));
    assert_eq!(
        specific(ask).decision,
        Some(expected),
        "`permissionDecisionReason` is bounded, for a question too"
    );
}

#[test]
fn test_ch12_invalid_answer_is_an_error() {
    let cases = [
        "{oops",
        r#"{"decision": "maybe"}"#,
        r#"{"hookSpecificOutput": {"permissionDecision": "defer"}}"#,
        r#"{"hookSpecificOutput": {"updatedInput": "ls"}}"#,
        r#"{"continue": "no"}"#,
    ];
    for json in cases {
        let error = parse_answer(json).expect_err("not an answer");
        assert!(
            error.starts_with("its answer is not valid: ") && error.contains("line 1"),
            "{json}: the error should say what is wrong, and where: {error}"
        );
    }
}
