//! Section 19.6: An agent's history and its signatures

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::tools::Api;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch19_signature_round_trips_through_one_string() {
    for (why, api, block, thinking, seal) in [
        (
            "a plain signature is stored unchanged",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false }),
            "t",
            Some("c2ln"),
        ),
        (
            "redacted thinking is a JSON object with its data and the flag",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true }),
            "",
            Some(r#"{"encrypted_content":"DATA","redacted":true}"#),
        ),
        (
            "an id and encrypted content are two fields of a JSON object",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "ENC", "id": "rs_1", "redacted": false }),
            "t",
            Some(r#"{"encrypted_content":"ENC","id":"rs_1"}"#),
        ),
        (
            "a block with an id only",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "id": "rs_1", "redacted": false }),
            "t",
            Some(r#"{"id":"rs_1"}"#),
        ),
        (
            "so are an id and a signature",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "signature": "c2ln+/==", "id": "rs_1", "redacted": false }),
            "t",
            Some(r#"{"signature":"c2ln+/==","id":"rs_1"}"#),
        ),
        (
            "a signature that is such an object itself goes into one",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "signature": "{}", "redacted": false }),
            "t",
            Some(r#"{"signature":"{}"}"#),
        ),
        (
            "encrypted content without an id is stored unchanged, as in older transcripts",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "ENC", "redacted": false }),
            "t",
            Some("ENC"),
        ),
        (
            "thinking without a signature",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "redacted": false }),
            "t",
            None,
        ),
    ] {
        let read: UnifiedContentBlock = from_json(block.clone());
        let content = thought_content(read.clone());
        let expected = Content::Thinking {
            thinking: thinking.into(),
            signature: seal.map(str::to_string),
        };
        assert_eq!(content, Some(expected), "{why}");
        assert_json(
            &format!("{why}; reading it back should give the same block"),
            &to_json(&thought_block(api, thinking, seal)),
            &block,
        );
    }
    for (api, signature, field) in [
        (Api::Messages, r#"{"type":"text"}"#, "signature"),
        (Api::Responses, "redacted", "encrypted_content"),
    ] {
        let mut block = json!({ "type": "thinking", "thinking": "t", "redacted": false });
        block[field] = json!(signature);
        assert_json(
            &format!("any other string is the `{field}` for {api:?}: {signature}"),
            &to_json(&thought_block(api, "t", Some(signature))),
            &block,
        );
    }
    assert_eq!(
        thought_content(UnifiedContentBlock::Text { text: "a".into() }),
        None,
        "a text is not thinking"
    );
}

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

#[test]
fn test_ch19_unified_blocks_become_content() {
    let blocks: Vec<UnifiedContentBlock> = from_json(json!([
        { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false },
        text("Hi."), png(), tool_use(json!({ "a": 1 })),
        { "type": "document", "source": { "type": "url_pdf", "url": "https://x/a.pdf" } },
    ]));
    assert_json(
        "each block of a model becomes content of the same kind, in order",
        &to_json(&to_content(blocks)),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "toolCall", "id": "call_1", "name": "bash", "arguments": { "a": 1 } },
        ]),
    );
}
