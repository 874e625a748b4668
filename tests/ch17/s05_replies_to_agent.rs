//! Section 17.5: Replies to the agent

use claw_code::transcript::*;
use serde_json::json;

use super::conversions::*;
use super::support::*;

#[test]
fn test_ch17_the_blocks_of_a_reply_become_content() {
    let reasoning = AssistantBlock::Reasoning {
        text: "why".to_string(),
    };
    let call = tool_call("t1", "bash", json!({ "command": "ls" }));
    let (text, signature) = (String::new(), Some("s".to_string()));
    let signed = AssistantBlock::Thinking { text, signature };
    let mut blocks = vec![text_block("I look."), signed_thinking(), reasoning, call];
    blocks.extend([text_block(""), signed]);
    assert_converted(
        "`reasoning` becomes thinking without a signature; the other blocks keep their fields, and all keep their order, even blocks with an empty text",
        &[reply_blocks(blocks, StopReason::ToolUse)],
        json!([{
            "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
            "timestamp": 0, "usage": {
                "input": 0, "output": 0, "reasoning": 0, "cache_read": 0,
                "cache_write": 0, "total_tokens": 0
            },
            "content": [
                { "type": "text", "text": "I look." },
                { "type": "thinking", "thinking": "plan", "signature": "signature" },
                { "type": "thinking", "thinking": "why" },
                { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } },
                { "type": "text", "text": "" },
                { "type": "thinking", "thinking": "", "signature": "s" }
            ]
        }]),
    );
}

#[test]
fn test_ch17_the_fields_of_a_reply_become_fields() {
    assert_converted(
        "the error, the timestamp and the token counts are kept; the total is their sum",
        &[failed_reply(vec![])],
        json!([{
            "role": "assistant", "stopReason": "length", "model": "", "provider": "",
            "timestamp": 2, "error_message": "e", "content": [],
            "usage": {
                "input": 1, "output": 20, "reasoning": 0, "cache_read": 4000,
                "cache_write": 300, "total_tokens": 4321
            }
        }]),
    );
}

#[test]
fn test_ch17_a_reply_loses_reasoning_details_and_unnamed_stop_reason() {
    let details = AssistantBlock::ReasoningDetails { details: json!([]) };
    assert_lost_to_agent(
        reply_blocks(vec![details], StopReason::Other),
        &["reasoning_details", "stop_reason"],
    );
}

#[test]
fn test_ch17_stop_reasons_to_agent() {
    for (stop_reason, expected) in [
        (StopReason::EndTurn, "stop"),
        (StopReason::ToolUse, "toolUse"),
        (StopReason::MaxTokens, "length"),
        (StopReason::Error, "error"),
        (StopReason::Aborted, "aborted"),
        (StopReason::Other, "stop"),
    ] {
        let conversion = to_agent(&[reply_blocks(vec![], stop_reason)]);
        assert_eq!(
            to_json(&conversion.messages)[0]["stopReason"],
            expected,
            "the agent's name for {stop_reason:?}"
        );
        assert_eq!(
            conversion.losses.len(),
            usize::from(stop_reason == StopReason::Other),
            "only `Other` is a loss: {stop_reason:?}"
        );
    }
}

#[test]
fn test_ch17_a_huge_usage_does_not_overflow() {
    let mut reply = reply_blocks(vec![], StopReason::Error);
    if let AgentMessage::Assistant { usage, .. } = &mut reply {
        *usage = Some(Usage {
            input_tokens: u64::MAX,
            output_tokens: u64::MAX,
            cache_creation_input_tokens: u64::MAX,
            cache_read_input_tokens: u64::MAX,
        });
    }
    let conversion = to_agent(&[reply]);
    assert_eq!(
        to_json(&conversion.messages)[0]["usage"]["total_tokens"],
        u64::MAX,
        "a sum that does not fit becomes `u64::MAX`"
    );
}

#[test]
fn test_ch17_a_usage_to_agent_loses_its_unknown_fields() {
    let known = reply_blocks(vec![text_block("Hi.")], StopReason::EndTurn);
    assert_eq!(lost(&to_agent(&[known])), [""; 0], "this reply is known");
    let entry = json!({ "role": "assistant", "content": [], "stop_reason": "end_turn",
        "usage": { "input_tokens": 1, "output_tokens": 2, "cost": 1 } });
    assert_eq!(
        lost(&to_agent(&[from_json(&entry)])),
        ["usage.cost"],
        "the list has the path of a field inside the usage"
    );
}

#[test]
fn test_ch17_a_reply_to_agent_loses_what_is_unknown() {
    assert_unknown_is_lost_to_agent(
        reply_blocks(vec![text_block("Hi.")], StopReason::EndTurn),
        json!({ "role": "assistant", "content": unknown_blocks(), "stop_reason": "end_turn",
                "color": "red" }),
    );
}
