//! Two repairs

use claw_code::engine::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn repair_adds_missing_results_in_call_order() {
    let mut history = vec![
        user("go"),
        calls(&["a", "b", "c"]),
        result("b"),
        user("well?"),
        calls(&["d"]),
    ];
    assert_eq!(repair_history(&mut history), 3, "it adds three results");
    assert_eq!(
        outline(&history),
        "user, calls(a b c), result(a), result(b), result(c), user, calls(d), result(d)",
        "each result directly follows its reply, in call order, and no message moves"
    );
    assert_eq!(
        content(&history[3]),
        "result of b",
        "an existing result stays"
    );
}

#[test]
fn added_result_is_an_error() {
    let mut history = vec![user("go"), calls(&["a", "b"])];
    repair_history(&mut history);
    let added = tool_result(&history[2]);
    assert!(added.is_error, "an added result is an error: {added:?}");
    let text = "error: the result of this call was lost";
    assert!(
        added.content.starts_with(text),
        "the text of an added result is `LOST_RESULT`: {added:?}"
    );
    assert!(
        ![&tool_result(&history[3]).id, "a", "b"].contains(&added.id.as_str()),
        "each added message has an id of its own: {history:?}"
    );
}

#[test]
fn repair_keeps_every_message() {
    for other in other_messages() {
        let mut history = vec![calls(&["a"]), other, result("a"), result("z")];
        let before = history.clone();
        let added = repair_history(&mut history);
        assert_eq!(added, 1, "the result of `a` is misplaced: {before:?}");
        history.remove(1);
        assert_eq!(history, before, "no message is moved or removed");
    }
}

#[test]
fn repair_only_adds_what_is_missing() {
    for (rule, mut history, added, repaired) in [
        (
            "the id of an answered call may repeat in a later reply",
            vec![calls(&["a"]), result("a"), user("well?"), calls(&["a"])],
            1,
            "calls(a), result(a), user, calls(a), result(a)",
        ),
        (
            "a misplaced result stays where it is",
            vec![calls(&["a", "b"]), result("b"), result("a")],
            1,
            "calls(a b), result(a), result(b), result(a)",
        ),
        (
            "a surplus result stays",
            vec![calls(&["a"]), result("a"), result("x")],
            0,
            "calls(a), result(a), result(x)",
        ),
    ] {
        assert_eq!(repair_history(&mut history), added, "{rule}: {repaired}");
        assert_eq!(outline(&history), repaired, "{rule}");
    }
}

#[test]
fn repair_leaves_a_complete_history_alone() {
    let mut history = vec![user("go"), calls(&["a"]), result("a"), says("done")];
    let before = history.clone();
    assert_eq!(repair_history(&mut history), 0, "no result is missing");
    assert_eq!(history, before, "no result is missing");
}

#[test]
fn every_call_of_a_reply_gets_its_own_id() {
    for given in [
        ["a", "", "a", "b", "", "a"],
        ["a", "a", "a_1", "a_2", "", "call_1"],
        ["call_1", "", "a_1", "a", "a", "call_4"],
    ] {
        let calls = with_unique_ids(given);
        let ids = ids(&calls);
        for (at, id) in ids.iter().enumerate() {
            assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
            assert!(
                !ids[..at].contains(id),
                "call {at} of {ids:?} has the id of an earlier call; the given ids were {given:?}"
            );
        }
    }
}

#[test]
fn first_call_with_an_id_keeps_it() {
    let calls = with_unique_ids(["a", "", "a", "b", "", "a"]);
    assert_eq!(
        calls[3].id, "b",
        "an id that no other call has stays: the provider's own log knows the call by it"
    );
    assert_eq!(
        calls[0].id, "a",
        "the first call with an id keeps it; only the later ones get new ids"
    );
    let calls = with_unique_ids(["a", "a", "a_1", "a_2", "", "call_1"]);
    assert_eq!(
        [&calls[2].id, &calls[3].id, &calls[5].id],
        ["a_1", "a_2", "call_1"],
        "a new id is not one that another call has"
    );
    let unique = ["a", "A", "a ", "b", "B", "c"];
    let rule = "ids that differ in any character are different";
    assert_eq!(ids(&with_unique_ids(unique)), unique, "{rule}");
}

fn with_unique_ids(ids: [&str; 6]) -> Vec<ToolCall> {
    let named = ids.into_iter().zip(["t", "u"].into_iter().cycle());
    let mut calls: Vec<ToolCall> = named.map(|(id, tool)| call(id, tool)).collect();
    make_ids_unique(&mut calls);
    calls
}
