//! Section 16.3: One result per call

use claw_code::agent::*;

use super::grammar::check_pairs;
use super::support::*;

#[test]
fn test_ch16_repair_gives_every_call_a_result() {
    let before = history_with_missing_results();
    let mut history = before.clone();
    let added = repair_history(&mut history, 9);
    assert_eq!(added, 3, "the results of `a`, `c` and `d` were missing");
    check_pairs(&convert_to_llm(&history)).unwrap_or_else(|wrong| {
        panic!("every call should have its result, in call order: {wrong}\n{history:#?}")
    });
    history.retain(|message| before.contains(message));
    assert_eq!(
        history, before,
        "all existing messages stay in order, including extensions"
    );
}

#[test]
fn test_ch16_added_result_is_an_error_of_its_reply() {
    let before = history_with_missing_results();
    let mut history = before.clone();
    repair_history(&mut history, 9);
    let added = history.iter().find(|message| !before.contains(message));
    let added = added.expect("a result is added");
    assert_eq!(
        added.as_llm(),
        Some(&Message::ToolResult {
            tool_call_id: "a".into(),
            tool_name: "read".into(),
            content: vec![text(LOST)],
            is_error: true,
            timestamp: 9,
            child_loop_id: None,
        }),
        "the reply's first call has an error result at the time of the repair: {history:#?}"
    );
    assert_eq!(
        added.turn_id(),
        history[1].turn_id(),
        "an added result has the turn id of its reply"
    );
}

#[test]
fn test_ch16_misplaced_result_does_not_count() {
    let late = "a result after a user message does not answer the call";
    let late_history = vec![
        calls(&[("a", "read")]),
        user_text("well?"),
        result("a", "1", false).into(),
    ];
    let late_repaired = format!("assistant: toolResult:{LOST} user:well? toolResult:1");
    let swapped = "a result after a later call's result does not answer its call";
    let swapped_history = vec![
        calls(&[("a", "read"), ("b", "read")]),
        result("b", "2", false).into(),
        result("a", "1", false).into(),
    ];
    let swapped_repaired = format!("assistant: toolResult:{LOST} toolResult:2 toolResult:1");
    let next = "the result of an open call comes before the next reply";
    let next_history = vec![
        calls(&[("a", "read")]),
        calls(&[("b", "read")]),
        result("b", "2", false).into(),
    ];
    let next_repaired = format!("assistant: toolResult:{LOST} assistant: toolResult:2");
    let extension = "an extension after the reply stays there, and an added result follows it";
    let extension_history = vec![
        calls(&[("a", "read"), ("b", "read")]),
        note("between"),
        result("b", "2", false).into(),
    ];
    let extension_repaired = format!("assistant: extension: toolResult:{LOST} toolResult:2");
    for (rule, mut history, repaired) in [
        (late, late_history, late_repaired),
        (swapped, swapped_history, swapped_repaired),
        (next, next_history, next_repaired),
        (extension, extension_history, extension_repaired),
    ] {
        assert_eq!(repair_history(&mut history, 9), 1, "{rule}");
        assert_eq!(roles(&history), repaired, "{rule}");
    }
}

#[test]
fn test_ch16_repair_leaves_complete_history_unchanged() {
    let mut history: Vec<AgentMessage> = vec![
        user_text("go"),
        calls(&[("a", "t"), ("b", "t")]),
        result("a", "1", false).into(),
        note("between"),
        result("b", "2", false).into(),
        calls(&[("a", "t")]),
        result("a", "3", false).into(),
    ];
    let before = history.clone();
    assert_eq!(repair_history(&mut history, 9), 0, "no result was missing");
    assert_eq!(history, before, "a complete history stays unchanged");
}

/// A history in which only `b` of the calls `a`, `b`, `c` and, in a later reply, `d` has a result.
fn history_with_missing_results() -> Vec<AgentMessage> {
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 3,
    };
    let reply = calls(&[("a", "read"), ("b", "bash"), ("c", "read")]);
    vec![
        user_text("go"),
        reply.with_turn_id(Some(turn)),
        note("first"),
        result("b", "there", false).into(),
        note("second"),
        user_text("well?"),
        calls(&[("d", "read")]),
    ]
}

/// A reply with calls, (id, name) each. It was aborted, and its calls need results all the same.
fn calls(calls: &[(&str, &str)]) -> AgentMessage {
    model_reply("", calls, StopReason::Aborted).into()
}
