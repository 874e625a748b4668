//! Section 12.8: The strictest answer

use claw_code::hooks::*;
use serde_json::json;

use super::support::*;

fn ask(text: &str) -> HookAnswer {
    decides(HookDecision::Ask(text.into()))
}

fn allow() -> HookAnswer {
    decides(HookDecision::Allow)
}

#[test]
fn test_ch12_strictest_decision_counts() {
    let silent = HookAnswer::default;
    let cases = [
        ([silent(), allow()], allow()),
        ([allow(), ask("a")], ask("a")),
        ([ask("a"), denies("b")], denies("b")),
        ([denies("a"), ask("b")], denies("a")),
        ([ask("a"), allow()], ask("a")),
        ([denies("a"), silent()], denies("a")),
    ];
    for (answers, expected) in cases {
        let combined = HookAnswer::combine(answers.clone());
        assert_eq!(combined, expected, "the strictest of {answers:?}");
    }
}

#[test]
fn test_ch12_first_of_equally_strict_decisions_counts() {
    let combined = HookAnswer::combine([denies("first"), denies("second")]);
    assert_eq!(combined, denies("first"), "in the order of the hooks");
}

#[test]
fn test_ch12_no_answer_has_no_opinion() {
    assert_eq!(HookAnswer::combine([]), HookAnswer::default(), "no hook");
}

#[test]
fn test_ch12_texts_of_all_hooks_are_kept() {
    let message = |text: &str| HookAnswer {
        messages: vec![text.into()],
        ..adds(text)
    };
    let combined = HookAnswer::combine([message("a"), message("b")]);
    assert_eq!(combined.context, ["a", "b"], "for the model, in order");
    assert_eq!(combined.messages, ["a", "b"], "for the user, in order");
}

#[test]
fn test_ch12_one_hook_is_enough_to_stop() {
    let stops = |reason: &str| HookAnswer {
        stop: Some(reason.into()),
        ..HookAnswer::default()
    };
    let combined = HookAnswer::combine([allow(), stops("a"), stops("b")]);
    assert_eq!(combined.stop, Some("a".into()), "the first reason");
}

#[test]
fn test_ch12_last_rewrite_counts() {
    let first = rewrites(json!({ "command": "ls -a", "timeout": 5000 }));
    let last = rewrites(json!({ "command": "ls -l" }));
    let combined = HookAnswer::combine([first, last.clone(), allow()]);
    assert_eq!(
        combined.updated_input, last.updated_input,
        "a rewrite replaces all arguments, and a hook without a rewrite changes nothing"
    );
    let combined = HookAnswer::combine([denies("no"), last.clone()]);
    assert_eq!(
        combined.updated_input, last.updated_input,
        "a rewrite counts whatever decision its hook makes"
    );
}
