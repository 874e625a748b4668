//! Section 17.4: To the agent

use std::collections::BTreeSet;

use claw_code::transcript::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_to_agent_carries() {
    let usage = Usage {
        input_tokens: 1,
        output_tokens: 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4000,
    };
    let reply = AgentMessage::Assistant {
        content: AssistantContent(vec![
            text_block("I look."),
            sealed_thoughts(),
            AssistantBlock::Reasoning {
                text: "why".to_string(),
            },
            a_call("t1", "bash", json!({ "command": "ls" })),
        ]),
        stop_reason: StopReason::ToolUse,
        error_message: Some("e".to_string()),
        timestamp: Some(2),
        usage: Some(usage),
    };
    let result = AgentMessage::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: result_text("src"),
        is_error: true,
        narration: None,
        details: None,
        timestamp: Some(3),
    };
    let crossing = to_agent(&[
        a_user("Hi."),
        a_user_with(vec![
            words("Look:"),
            a_png(),
            picture("data:image/gif;base64,AA==", None, None),
        ]),
        reply,
        result,
        a_note(None),
    ]);
    let expected = json!([
        { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 },
        { "role": "user", "timestamp": 0, "content": [
            { "type": "text", "text": "Look:" },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "image", "data": "AA==", "mimeType": "image/gif" }
        ] },
        {
            "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
            "timestamp": 2, "error_message": "e",
            "content": [
                { "type": "text", "text": "I look." },
                { "type": "thinking", "thinking": "plan", "signature": "seal" },
                { "type": "thinking", "thinking": "why" },
                { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
            ],
            "usage": {
                "input": 1, "output": 20, "reasoning": 0, "cache_read": 4000,
                "cache_write": 300, "total_tokens": 4321
            }
        },
        {
            "role": "toolResult", "toolCallId": "t1", "toolName": "bash", "isError": true,
            "content": [{ "type": "text", "text": "src" }], "timestamp": 3
        },
        { "role": "extension", "kind": "note", "data": { "a": 1 } }
    ]);
    assert_json(
        "all of this has a place",
        &to_json(&crossing.messages),
        &expected,
    );
    assert_eq!(crossing.losses, [], "so nothing is lost");
}

#[test]
fn test_ch17_to_agent_says_what_is_lost() {
    let details = AssistantBlock::ReasoningDetails { details: json!([]) };
    let result = AgentMessage::ToolResult {
        tool_call_id: "t".to_string(),
        tool_name: "n".to_string(),
        content: ToolResultContent(vec![picture("https://example.org/a.png", None, None)]),
        is_error: false,
        narration: Some("Ran.".to_string()),
        details: Some(json!({})),
        timestamp: None,
    };
    let odd = picture(
        "data:image/png;base64,AA==",
        Some("image/gif"),
        Some("a cat"),
    );
    for (entry, lost) in [
        (with_secrets().swap_remove(0), vec!["system"]),
        (a_user_with(vec![odd.clone()]), vec!["alt", "media_type"]),
        (
            a_reply_with(vec![details], StopReason::Other),
            vec!["reasoning_details", "stop_reason"],
        ),
        (result, vec!["narration", "details", "image"]),
        (a_note(Some(1)), vec!["timestamp"]),
    ] {
        let crossing = to_agent(&[a_user("before"), entry.clone()]);
        let found: BTreeSet<_> = crossing
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            found,
            lost.iter().copied().collect(),
            "what an agent has no place for is in the list: {entry:?}"
        );
        assert_eq!(crossing.losses.len(), lost.len(), "each once: {entry:?}");
        assert!(
            crossing.losses.iter().all(|loss| loss.message == 1),
            "it was the second entry that lost something, the one with the index 1: {:?}",
            crossing.losses
        );
    }
    let crossing = to_agent(&[a_user_with(vec![odd])]);
    assert_json(
        "where the `data:` URL and `media_type` differ, it is `media_type` that is lost",
        &to_json(&crossing.messages)[0]["content"],
        &json!([{ "type": "image", "data": "AA==", "mimeType": "image/png" }]),
    );
}

#[test]
fn test_ch17_to_agent_loses_what_is_unknown() {
    let blocks = json!([{ "type": "text", "text": "Hi.", "citations": [] }, { "type": "audio" }]);
    for entry in [
        json!({ "role": "user", "content": blocks, "color": "red" }),
        json!({ "role": "assistant", "content": blocks, "stop_reason": "end_turn", "color": "red" }),
    ] {
        let crossing = to_agent(&[from_json(&entry)]);
        let lost: Vec<_> = crossing
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            lost,
            ["color", "citations", "audio"],
            "an unknown field is in the list with its name, and an unknown block with its type"
        );
        assert_json(
            "what is known goes over",
            &to_json(&crossing.messages)[0]["content"],
            &json!([{ "type": "text", "text": "Hi." }]),
        );
    }
}

#[test]
fn test_ch17_an_image_on_the_web_is_named() {
    for source in ["https://example.org/a.png", "data:text/plain,hello"] {
        let image = picture(source, Some("image/png"), Some("a cat"));
        let crossing = to_agent(&[a_user_with(vec![image])]);
        let lost: BTreeSet<_> = crossing
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            lost,
            BTreeSet::from(["alt", "image"]),
            "of an image that becomes a text, what it shows is lost as well: {source}"
        );
        assert_json(
            "an agent's image is its bytes in base64; where there are none, the model is at least told of it",
            &to_json(&crossing.messages)[0]["content"],
            &json!([{ "type": "text", "text": format!("[image: {source}]") }]),
        );
    }
}

#[test]
fn test_ch17_stop_reasons_to_agent() {
    for (ours, theirs) in [
        (StopReason::EndTurn, "stop"),
        (StopReason::ToolUse, "toolUse"),
        (StopReason::MaxTokens, "length"),
        (StopReason::Error, "error"),
        (StopReason::Aborted, "aborted"),
        (StopReason::Other, "stop"),
    ] {
        let crossing = to_agent(&[a_reply_with(vec![], ours)]);
        assert_eq!(
            to_json(&crossing.messages)[0]["stopReason"],
            theirs,
            "what {ours:?} is for an agent"
        );
        assert_eq!(
            crossing.losses.len(),
            usize::from(ours == StopReason::Other),
            "only Other says less over there: {ours:?}"
        );
    }
}

#[test]
fn test_ch17_a_huge_usage_does_not_overflow() {
    let mut reply = a_reply_with(vec![], StopReason::Error);
    if let AgentMessage::Assistant { usage, .. } = &mut reply {
        *usage = Some(Usage {
            input_tokens: u64::MAX,
            output_tokens: u64::MAX,
            ..Usage::default()
        });
    }
    let crossing = to_agent(&[reply]);
    assert_eq!(
        to_json(&crossing.messages)[0]["usage"]["total_tokens"],
        u64::MAX,
        "a sum that is too large stays at the largest number"
    );
}
