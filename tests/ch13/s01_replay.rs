//! Section 13.1: Steps of a history

use claw_code::plan::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

/// The steps as text: `> prompt`, or the call's name, the result's text and whether it failed.
fn steps(messages: &[Message]) -> Vec<String> {
    let steps = replay(messages).into_iter();
    steps
        .map(|step| match step {
            ReplayStep::Prompt(text) => format!("> {text}"),
            ReplayStep::Answered { call, result } => {
                format!("{}: {} ({})", call.name, result.content, result.is_error)
            }
        })
        .collect()
}

#[test]
fn test_ch13_prompts_and_answered_calls_are_steps() {
    let history = [
        Message::user("look\n"),
        reply([
            call_with_id("a", "list", json!({})),
            call_with_id("b", "read", json!({})),
        ]),
        output("a", "notes.txt"),
        failure("b", "no such file"),
        Message::assistant(Some("Done.".into()), vec![], StopReason::Stop, None),
        Message::user("thanks"),
    ];
    assert_eq!(
        steps(&history),
        [
            "> look\n",
            "list: notes.txt (false)",
            "read: error: no such file (true)",
            "> thanks"
        ],
        "the prompts and the calls with their results, in the history's order"
    );
}

#[test]
fn test_ch13_call_without_a_result_is_no_step() {
    let history = [
        Message::user("look"),
        reply([call_with_id("a", "list", json!({}))]),
    ];
    assert_eq!(steps(&history), ["> look"], "the call has no result");
}

#[test]
fn test_ch13_ids_of_an_earlier_reply_are_used_again() {
    let [first, first_result] = answered(call_with_id("a", "list", json!({})), "one");
    let [second, second_result] = answered(call_with_id("a", "read", json!({})), "two");
    let history = [first, first_result, second, second_result];
    assert_eq!(
        steps(&history),
        ["list: one (false)", "read: two (false)"],
        "a result belongs to the call of the reply before it"
    );
}

#[test]
fn test_ch13_id_of_a_call_without_a_result_is_used_again() {
    let lost = reply([call_with_id("a", "list", json!({}))]);
    let [second, result] = answered(call_with_id("a", "read", json!({})), "two");
    assert_eq!(
        steps(&[lost, second, result]),
        ["read: two (false)"],
        "the result of the first call was lost"
    );
}

#[test]
fn test_ch13_result_after_another_message_belongs_to_no_call() {
    let others = [
        Message::user("wait"),
        Message::system("remember"),
        Message::assistant(Some("Hm.".into()), vec![], StopReason::Stop, None),
        Message::Attachment(AttachmentMessage {
            id: new_id(),
            path: "AGENTS.md".into(),
            content: "rules".into(),
            content_type: "instructions".into(),
        }),
        Message::Progress(ProgressMessage {
            tool_use_id: "a".into(),
            data: json!(1),
        }),
    ];
    for other in others {
        let is_prompt = matches!(other, Message::User(_));
        let history = [
            reply([call_with_id("a", "list", json!({}))]),
            other.clone(),
            output("a", "late"),
        ];
        let expected: &[&str] = if is_prompt { &["> wait"] } else { &[] };
        assert_eq!(steps(&history), expected, "{other:?} is between the two");
    }
}

#[test]
fn test_ch13_results_are_in_call_order() {
    let history = [
        reply([
            call_with_id("a", "list", json!({})),
            call_with_id("b", "read", json!({})),
        ]),
        output("b", "second"),
        output("a", "first"),
    ];
    assert_eq!(
        steps(&history),
        ["read: second (false)"],
        "the result of `a` comes after that of a later call"
    );
    let history = [&history[..], &[output("b", "again")]].concat();
    assert_eq!(
        steps(&history),
        ["read: second (false)"],
        "a result removes its own call, too, and not only the first open one"
    );
    let three = ["a", "b", "c"].map(|id| call_with_id(id, "list", json!({})));
    let results = ["b", "a", "c"].map(|id| output(id, id));
    assert_eq!(
        steps(&[&[reply(three)], &results[..]].concat()),
        ["list: b (false)"],
        "`a` is before `b`, so its result belongs to no call, and the results of this reply are over"
    );
    let history = [
        reply([
            call_with_id("a", "list", json!({})),
            call_with_id("a", "read", json!({})),
        ]),
        output("a", "one"),
        output("a", "two"),
    ];
    assert_eq!(
        steps(&history),
        ["list: one (false)", "read: two (false)"],
        "the reply repeats an id, so its first result belongs to the first such call"
    );
}

#[test]
fn test_ch13_result_with_an_unknown_id_closes_all_calls() {
    let history = [
        reply([call_with_id("a", "list", json!({}))]),
        output("other", "unknown"),
        output("a", "one"),
    ];
    let none: [&str; 0] = [];
    assert_eq!(
        steps(&history),
        none,
        "no call has the id `other`, so the results of this reply are over, as in chapter 4's repair"
    );
    let calls = ["a", "b"].map(|id| call_with_id(id, "list", json!({})));
    let history = [reply(calls), output("other", "unknown"), output("b", "two")];
    assert_eq!(
        steps(&history),
        none,
        "no call has the id `other`, so the results of this reply are over, also for `b`"
    );
}

#[test]
fn test_ch13_second_result_of_a_call_belongs_to_no_call() {
    let [call, result] = answered(call_with_id("a", "list", json!({})), "one");
    let history = [call, result, output("a", "two")];
    assert_eq!(
        steps(&history),
        ["list: one (false)"],
        "a call has one result"
    );
}
