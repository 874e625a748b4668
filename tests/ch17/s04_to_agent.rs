//! Section 17.4: To the agent

use std::collections::BTreeSet;

use claw_code::transcript::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch17_user_and_custom_entries_become_messages() {
    let blocks = user_blocks(vec![
        content_text("Look:"),
        png_image(),
        image("data:image/gif;base64,AA==", None, None),
    ]);
    assert_converted(
        "a string becomes one text block, a base64 URL an image, and a custom entry an extension",
        &[user_entry("Hi."), blocks, custom_entry(None)],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 },
            { "role": "user", "timestamp": 0, "content": [
                { "type": "text", "text": "Look:" },
                { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
                { "type": "image", "data": "AA==", "mimeType": "image/gif" }
            ] },
            { "role": "extension", "kind": "note", "data": { "a": 1 } }
        ]),
    );
}

#[test]
fn test_ch17_the_blocks_of_a_reply_become_content() {
    let reasoning = AssistantBlock::Reasoning {
        text: "why".to_string(),
    };
    let call = tool_call("t1", "bash", json!({ "command": "ls" }));
    let blocks = vec![text_block("I look."), signed_thinking(), reasoning, call];
    assert_converted(
        "`reasoning` becomes thinking without a signature; the other blocks keep their fields",
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
                { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
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
fn test_ch17_a_result_becomes_a_tool_result() {
    let result = AgentMessage::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: result_text("src"),
        is_error: true,
        narration: None,
        details: None,
        timestamp: Some(3),
    };
    assert_converted(
        "a result keeps its call, its content, its failure and its timestamp",
        &[result],
        json!([{
            "role": "toolResult", "toolCallId": "t1", "toolName": "bash", "isError": true,
            "content": [{ "type": "text", "text": "src" }], "timestamp": 3
        }]),
    );
}

/// Asserts what `to_agent` makes of a transcript, without losses.
#[track_caller]
fn assert_converted(why: &str, transcript: &[AgentMessage], expected: Value) {
    let conversion = to_agent(transcript);
    assert_json(why, &to_json(&conversion.messages), &expected);
    assert_eq!(conversion.losses, [], "nothing is lost");
}

#[test]
fn test_ch17_an_image_loses_its_description_and_other_media_type() {
    let odd = image(
        "data:image/png;base64,AA==",
        Some("image/gif"),
        Some("a cat"),
    );
    assert_lost(user_blocks(vec![odd]), &["alt", "media_type"]);
}

#[test]
fn test_ch17_a_reply_loses_reasoning_details_and_unnamed_stop_reason() {
    let details = AssistantBlock::ReasoningDetails { details: json!([]) };
    assert_lost(
        reply_blocks(vec![details], StopReason::Other),
        &["reasoning_details", "stop_reason"],
    );
}

#[test]
fn test_ch17_the_hosts_data_is_lost() {
    let result = AgentMessage::ToolResult {
        tool_call_id: "t".to_string(),
        tool_name: "n".to_string(),
        content: ToolResultContent(vec![image("https://example.org/a.png", None, None)]),
        is_error: false,
        narration: Some("Ran.".to_string()),
        details: Some(json!({})),
        timestamp: None,
    };
    assert_lost(result, &["narration", "details", "image"]);
    assert_lost(custom_entry(Some(1)), &["timestamp"]);
    assert_lost(entries_with_secrets().swap_remove(0), &["system"]);
}

/// Asserts that `entry` loses just these, each once and with the entry's index.
#[track_caller]
fn assert_lost(entry: AgentMessage, expected: &[&str]) {
    let losses = to_agent(&[user_entry("before"), entry.clone()]).losses;
    let found: BTreeSet<&str> = losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(
        found,
        expected.iter().copied().collect(),
        "what an agent's history can't hold is a loss: {entry:?}"
    );
    assert_eq!(
        losses.len(),
        expected.len(),
        "each loss is listed once: {losses:?}"
    );
    assert!(
        losses.iter().all(|loss| loss.message == 1),
        "the entry with the loss has the index 1: {losses:?}"
    );
}

#[test]
fn test_ch17_the_data_url_decides_the_media_type() {
    let odd = image("data:image/png;base64,AA==", Some("image/gif"), None);
    let conversion = to_agent(&[user_blocks(vec![odd])]);
    assert_json(
        "if the `data:` URL and `media_type` differ, `media_type` is lost",
        &to_json(&conversion.messages)[0]["content"],
        &json!([{ "type": "image", "data": "AA==", "mimeType": "image/png" }]),
    );
}

#[test]
fn test_ch17_to_agent_loses_what_is_unknown() {
    let known = to_agent(&[user_blocks(vec![content_text("Hi.")])]);
    assert!(known.losses.is_empty(), "a known block loses nothing");
    let blocks = json!([{ "type": "text", "text": "Hi.", "citations": [] }, { "type": "audio" }]);
    for entry in [
        json!({ "role": "user", "content": blocks, "color": "red" }),
        json!({ "role": "assistant", "content": blocks, "stop_reason": "end_turn", "color": "red" }),
    ] {
        let conversion = to_agent(&[from_json(&entry)]);
        let lost: Vec<_> = conversion
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
            "known content is converted",
            &to_json(&conversion.messages)[0]["content"],
            &json!([{ "type": "text", "text": "Hi." }]),
        );
    }
}

#[test]
fn test_ch17_an_image_without_data_becomes_text() {
    for source in ["https://example.org/a.png", "data:text/plain,hello"] {
        let picture = image(source, Some("image/png"), Some("a cat"));
        let conversion = to_agent(&[user_blocks(vec![picture])]);
        let lost: BTreeSet<_> = conversion
            .losses
            .iter()
            .map(|loss| loss.what.as_str())
            .collect();
        assert_eq!(
            lost,
            BTreeSet::from(["alt", "image"]),
            "an image that becomes text loses its description too: {source}"
        );
        assert_json(
            "an agent's image holds base64 data; without data, the model gets the URL as text",
            &to_json(&conversion.messages)[0]["content"],
            &json!([{ "type": "text", "text": format!("[image: {source}]") }]),
        );
    }
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
            ..Usage::default()
        });
    }
    let conversion = to_agent(&[reply]);
    assert_eq!(
        to_json(&conversion.messages)[0]["usage"]["total_tokens"],
        u64::MAX,
        "a sum that does not fit becomes `u64::MAX`"
    );
}
