//! Section 19.6: An agent's history

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::tools::Api;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch19_agent_history_converts_to_chat() {
    let history = [
        Message::User {
            content: vec![
                Content::Text {
                    text: "Look:".into(),
                },
                Content::Image {
                    data: "iVBORw0KGgo=".into(),
                    mime_type: "image/png".into(),
                },
            ],
            timestamp: 1_767_323_045_678,
        },
        reply("anthropic", StopReason::ToolUse),
        Message::ToolResult {
            tool_call_id: "call_1".into(),
            tool_name: "bash".into(),
            content: vec![Content::Text { text: "no".into() }],
            is_error: true,
            timestamp: 1_767_323_045_678,
            child_loop_id: Some("s.sub.1".into()),
        },
    ];
    let time = "2026-01-02T03:04:05.678Z";
    assert_json(
        "blocks in order, the time unless it is 0, the status, and a result with its tool name",
        &to_json(&from_agent(&history, Api::Messages, "anthropic")),
        &json!([
            { "role": "user", "content": "Look:", "raw_content_blocks": [text("Look:"), png()],
              "timestamp": time },
            { "role": "assistant", "content": "Let me look.", "reasoning": "t",
              "tool_calls": [call("call_1", "{\"a\":1}")], "status": "completed",
              "raw_content_blocks": [
                { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false },
                text("Let me look."), tool_use(json!({ "a": 1 })) ] },
            { "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "no", "timestamp": time,
              "raw_content_blocks": [
                { "type": "tool_result", "tool_use_id": "call_1", "content": "no", "is_error": true } ] },
        ]),
    );
}

#[test]
fn test_ch19_thinking_is_sent_only_to_its_provider() {
    let history = [reply("anthropic", StopReason::ToolUse)];
    for (provider, expected) in [("anthropic", Some("t")), ("openai", None), ("", None)] {
        let chat = from_agent(&history, Api::Messages, provider);
        assert_eq!(
            chat[0].reasoning.as_deref(),
            expected,
            "thinking from anthropic, for {provider:?}: only its own provider can verify the signature"
        );
        assert_eq!(
            chat[0].content.as_deref(),
            Some("Let me look."),
            "text is sent to every provider"
        );
    }
}

#[test]
fn test_ch19_stop_reason_becomes_status() {
    for (reason, status) in [
        (StopReason::Stop, "completed"),
        (StopReason::ToolUse, "completed"),
        (StopReason::Error, "failed"),
        (StopReason::Length, "incomplete"),
        (StopReason::Aborted, "incomplete"),
        (StopReason::GuardRail, "incomplete"),
    ] {
        let chat = from_agent(&[reply("p", reason)], Api::Responses, "p");
        assert_json(
            &format!("the status of a reply that ended with {reason:?}"),
            &to_json(&chat[0].status),
            &json!(status),
        );
    }
}
