//! Section 4.2: Two repairs

use claw_code::engine::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch4_mend_adds_what_is_missing_where_it_belongs() {
    let mut history = vec![
        user("go"),
        calls(&["a", "b", "c"]),
        result("b"),
        user("well?"),
        calls(&["d"]),
    ];
    assert_eq!(mend(&mut history), 3, "three results were missing");
    assert_eq!(
        shape(&history),
        "user, calls(a b c), result(a), result(b), result(c), user, calls(d), result(d)",
        "each result stands behind its reply, in call order, and all else stays"
    );
    let Message::ToolResult(added) = &history[2] else {
        panic!("a result is due here, and it is {:?}", history[2]);
    };
    assert!(
        added.is_error
            && added
                .content
                .starts_with("error: the result of this call was lost"),
        "an added result is a failure, and says what happened: {added:?}"
    );
    assert_eq!(content(&history[3]), "result of b", "what was there stays");
}

#[test]
fn test_ch4_mend_leaves_a_whole_history_alone() {
    let mut history = vec![user("go"), calls(&["a"]), result("a"), says("done")];
    let before = history.clone();
    assert_eq!(mend(&mut history), 0, "nothing was missing");
    assert_eq!(history, before, "nothing was missing");
}

#[test]
fn test_ch4_every_call_of_a_reply_gets_its_own_id() {
    let mut given: Vec<ToolCall> = ["a", "", "a", "b", "", "a"].map(|id| call(id, "t")).into();
    unique_ids(&mut given);
    let ids: Vec<&str> = given.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(
        ids[3], "b",
        "an id that no other call has stays: the provider's own log knows the call by it"
    );
    assert_eq!(
        ids[0], "a",
        "of the calls with one id, the first keeps it and the later ones get new ones"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
        assert!(
            !ids[..at].contains(id),
            "call {at} of {ids:?} has the id of an earlier one"
        );
    }
}
