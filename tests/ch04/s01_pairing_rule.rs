//! Section 4.1: The pairing rule

use claw_code::engine::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch4_answered_calls_are_not_listed() {
    for history in [
        vec![],
        vec![user("hello"), says("hello")],
        vec![calls(&["a", "b"]), result("a"), result("b")],
        vec![
            user("go"),
            calls(&["a"]),
            result("a"),
            calls(&["b"]),
            result("b"),
            says("done"),
        ],
    ] {
        assert_unanswered("every call has its result", &history, &[]);
    }
}

#[test]
fn test_ch4_calls_without_a_result_are_listed() {
    let rule = "a call without a result is unanswered";
    assert_unanswered(rule, &[user("go"), calls(&["a", "b"])], &["a", "b"]);
    assert_unanswered(rule, &[calls(&["a", "b"]), result("a")], &["b"]);
    assert_unanswered(rule, &[calls(&["a", "b"]), result("b")], &["a"]);
    let history = [calls(&["a"]), says("hm"), calls(&["b"]), result("b")];
    assert_unanswered(rule, &history, &["a"]);
    let stopped = AssistantMessage {
        stop_reason: StopReason::Stop,
        ..reply(&["a"])
    };
    let rule = "a call counts whatever the stop reason of its reply is";
    assert_unanswered(rule, &[Message::Assistant(stopped)], &["a"]);
}

#[test]
fn test_ch4_misplaced_results_do_not_count() {
    for other in other_messages() {
        let rule = "a result after a message of another kind does not count";
        assert_unanswered(rule, &[calls(&["a"]), other, result("a")], &["a"]);
    }
    for (rule, history) in [
        (
            "a result before its call does not count",
            vec![result("a"), calls(&["a"])],
        ),
        (
            "a result after the result of a later call does not count",
            vec![calls(&["a", "b"]), result("b"), result("a")],
        ),
        (
            "a result after the result of an unknown call does not count",
            vec![calls(&["a"]), result("x"), result("a")],
        ),
    ] {
        assert_unanswered(rule, &history, &["a"]);
    }
    let rule = "the second result of a call is not passed over";
    let history = [calls(&["a", "b"]), result("a"), result("a"), result("b")];
    assert_unanswered(rule, &history, &["b"]);
}

#[test]
fn test_ch4_each_result_answers_one_call() {
    // Some providers number the calls of each reply from zero, so ids repeat.
    let rule = "one result does not answer two calls with the same id";
    let history = [calls(&["a"]), result("a"), calls(&["a"])];
    assert_unanswered(rule, &history, &["a"]);
    let history = [calls(&["a"]), calls(&["a"]), result("a")];
    assert_unanswered(rule, &history, &["a"]);
    let rule = "every unanswered call is listed, of every reply, even if ids repeat";
    let history = [calls(&["a"]), user("well?"), calls(&["a", "b"])];
    assert_unanswered(rule, &history, &["a", "a", "b"]);
}

#[track_caller]
fn assert_unanswered(rule: &str, history: &[Message], expected: &[&str]) {
    let found: Vec<&str> = unanswered_calls(history)
        .iter()
        .map(|call| call.id.as_str())
        .collect();
    assert_eq!(found, expected, "{rule}: {}", outline(history));
}
