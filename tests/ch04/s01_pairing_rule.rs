//! Section 4.1: The rule

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
        assert_unanswered(&history, &[]);
    }
}

#[test]
fn test_ch4_calls_without_a_result_are_listed() {
    assert_unanswered(&[user("go"), calls(&["a", "b"])], &["a", "b"]);
    assert_unanswered(&[calls(&["a", "b"]), result("a")], &["b"]);
    assert_unanswered(&[calls(&["a", "b"]), result("b")], &["a"]);
    assert_unanswered(
        &[calls(&["a"]), says("hm"), calls(&["b"]), result("b")],
        &["a"],
    );
}

#[test]
fn test_ch4_a_result_counts_only_in_its_place() {
    // Behind somebody else's words, in front of its call, or behind a later call's result.
    assert_unanswered(&[calls(&["a"]), user("well?"), result("a")], &["a"]);
    assert_unanswered(&[result("a"), calls(&["a"])], &["a"]);
    assert_unanswered(&[calls(&["a", "b"]), result("b"), result("a")], &["a"]);
}

#[test]
fn test_ch4_a_result_answers_one_call() {
    // Some providers count every reply's calls from one, so an id can come again.
    assert_unanswered(&[calls(&["a"]), result("a"), calls(&["a"])], &["a"]);
    assert_unanswered(&[calls(&["a"]), calls(&["a"]), result("a")], &["a"]);
}

fn assert_unanswered(history: &[Message], expected: &[&str]) {
    let found: Vec<&str> = unanswered(history).iter().map(|c| c.id.as_str()).collect();
    assert_eq!(
        found,
        expected,
        "the calls without a result in its place, in {}",
        shape(history)
    );
}
