//! Section 16.4: One result per call

use claw_code::agent::*;
use serde_json::json;

use super::grammar::check_pairs;
use super::support::*;

#[test]
fn test_ch16_repair_gives_every_call_a_result() {
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 3,
    };
    let note = || AgentMessage::from(ExtensionMessage::new("note", json!(1)));
    let calls = AgentMessage::from(model_reply(
        "",
        &[("a", "read"), ("b", "bash"), ("c", "read")],
        StopReason::ToolUse,
    ))
    .with_turn_id(Some(turn.clone()));
    let mut history = vec![
        Message::user("go").into(),
        calls,
        note(),
        result("b", "there", false).into(),
        note(),
        Message::user("well?").into(),
    ];
    let before = history.clone();
    assert_eq!(
        repair_history(&mut history, 9),
        2,
        "the results of `a` and `c` were missing"
    );
    check_pairs(&convert_to_llm(&history)).unwrap_or_else(|wrong| {
        panic!("every call should have its result, in call order: {wrong}\n{history:#?}")
    });
    let added = history.iter().find(|message| {
        matches!(message.as_llm(), Some(Message::ToolResult { tool_call_id, .. }) if tool_call_id == "a")
    });
    assert_eq!(
        added.and_then(AgentMessage::as_llm),
        Some(&Message::ToolResult {
            tool_call_id: "a".into(),
            tool_name: "read".into(),
            content: vec![text(LOST)],
            is_error: true,
            timestamp: 9,
            child_loop_id: None,
        })
    );
    assert_eq!(
        added.and_then(AgentMessage::turn_id),
        Some(&turn),
        "an added result has the turn id of its reply"
    );
    let kept: Vec<&AgentMessage> = history.iter().filter(|m| before.contains(m)).collect();
    assert_eq!(
        kept,
        before.iter().collect::<Vec<_>>(),
        "all existing messages stay in order, including extensions"
    );
}

#[test]
fn test_ch16_result_out_of_place_does_not_count() {
    let calls = |calls: &[(&str, &str)]| model_reply("", calls, StopReason::ToolUse).into();
    let mut history = vec![
        user_text("go"),
        calls(&[("a", "read")]),
        user_text("well?"),
        result("a", "late", false).into(),
    ];
    assert_eq!(
        repair_history(&mut history, 9),
        1,
        "a result after a user message does not answer the call"
    );
    assert_eq!(
        roles(&history),
        format!("user:go assistant: toolResult:{LOST} user:well? toolResult:late"),
        "the missing result directly follows the reply, and existing messages stay"
    );
    let mut history = vec![
        user_text("go"),
        calls(&[("a", "read"), ("b", "read")]),
        result("b", "second", false).into(),
        result("a", "first", false).into(),
    ];
    assert_eq!(
        repair_history(&mut history, 9),
        1,
        "a result after a later call's result does not answer its call"
    );
    assert_eq!(
        roles(&history),
        format!("user:go assistant: toolResult:{LOST} toolResult:second toolResult:first"),
        "results are in call order"
    );
}

#[test]
fn test_ch16_repair_leaves_complete_history_unchanged() {
    let mut history: Vec<AgentMessage> = vec![
        Message::user("go").into(),
        model_reply("", &[("a", "t"), ("b", "t")], StopReason::ToolUse).into(),
        result("a", "1", false).into(),
        ExtensionMessage::new("note", json!(1)).into(),
        result("b", "2", false).into(),
        model_reply("", &[("a", "t")], StopReason::ToolUse).into(),
        result("a", "3", false).into(),
    ];
    let before = history.clone();
    assert_eq!(repair_history(&mut history, 9), 0, "no result was missing");
    assert_eq!(history, before, "a complete history stays unchanged");
}
