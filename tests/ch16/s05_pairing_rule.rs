//! Section 16.5: The rule, once more

use claw_code::agent::*;
use serde_json::json;

use super::grammar::check_pairs;
use super::parts::reply;
use super::support::*;

#[test]
fn test_ch16_mend_gives_every_call_its_result() {
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 3,
    };
    let note = || AgentMessage::from(ExtensionMessage::new("note", json!(1)));
    let calls = AgentMessage::from(reply(
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
        mend_messages(&mut history, 9),
        2,
        "the results of a and of c were missing"
    );
    check_pairs(&convert_to_llm(&history)).unwrap_or_else(|wrong| {
        panic!("every call has its result, in call order: {wrong}\n{history:#?}")
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
        "a result belongs to the turn of its reply"
    );
    let kept: Vec<&AgentMessage> = history.iter().filter(|m| before.contains(m)).collect();
    assert_eq!(
        kept,
        before.iter().collect::<Vec<_>>(),
        "every message that was there stays, in its order, extensions too"
    );
}

#[test]
fn test_ch16_a_result_out_of_place_answers_nothing() {
    let calls = |calls: &[(&str, &str)]| reply("", calls, StopReason::ToolUse).into();
    let mut history = vec![
        said("go"),
        calls(&[("a", "read")]),
        said("well?"),
        result("a", "late", false).into(),
    ];
    assert_eq!(
        mend_messages(&mut history, 9),
        1,
        "a result behind words of the user's answers nothing"
    );
    assert_eq!(
        roles(&history),
        format!("user:go assistant: toolResult:{LOST} user:well? toolResult:late"),
        "what was missing stands directly behind the reply, and what was there stays"
    );
    let mut history = vec![
        said("go"),
        calls(&[("a", "read"), ("b", "read")]),
        result("b", "second", false).into(),
        result("a", "first", false).into(),
    ];
    assert_eq!(
        mend_messages(&mut history, 9),
        1,
        "a result behind that of a later call answers nothing"
    );
    assert_eq!(
        roles(&history),
        format!("user:go assistant: toolResult:{LOST} toolResult:second toolResult:first"),
        "the results stand in the order of the calls"
    );
}

#[test]
fn test_ch16_mend_leaves_a_whole_history_alone() {
    let mut history: Vec<AgentMessage> = vec![
        Message::user("go").into(),
        reply("", &[("a", "t"), ("b", "t")], StopReason::ToolUse).into(),
        result("a", "1", false).into(),
        ExtensionMessage::new("note", json!(1)).into(),
        result("b", "2", false).into(),
        reply("", &[("a", "t")], StopReason::ToolUse).into(),
        result("a", "3", false).into(),
    ];
    let before = history.clone();
    assert_eq!(mend_messages(&mut history, 9), 0, "nothing was missing");
    assert_eq!(history, before, "nothing was missing");
}
