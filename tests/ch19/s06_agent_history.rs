//! Section 19.6: An agent's history, and its seals

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::tools::Api;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_a_seal_is_one_string() {
    for (why, api, block, thinking, seal) in [
        (
            "a signature is the seal itself",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false }),
            "t",
            Some("c2ln"),
        ),
        (
            "withheld thoughts have a mark before their data",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true }),
            "",
            Some("redacted:DATA"),
        ),
        (
            "an id stands before what is encrypted",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "EN|C", "id": "rs_1", "redacted": false }),
            "t",
            Some("rs_1|EN|C"),
        ),
        (
            "a paragraph that has only the id",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "id": "rs_1", "redacted": false }),
            "t",
            Some("rs_1|"),
        ),
        (
            "encrypted content without an id is the seal itself, as older transcripts have it",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "ENC", "redacted": false }),
            "t",
            Some("ENC"),
        ),
        (
            "thoughts without a seal",
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
            &format!("{why}; and read again, it is the same block"),
            &to_json(&thought_block(api, thinking, seal)),
            &block,
        );
    }
    for (api, seal, field) in [
        (Api::Messages, "rs_1|ENC", "signature"),
        (Api::Messages, "signed:rs_1|c2ln|ENC", "signature"),
        (Api::Responses, "redacted:DATA", "encrypted_content"),
    ] {
        let mut block = json!({ "type": "thinking", "thinking": "t", "redacted": false });
        block[field] = json!(seal);
        assert_json(
            &format!(
                "{api:?} does not know the mark in `{seal}`: the whole string is its `{field}`"
            ),
            &to_json(&thought_block(api, "t", Some(seal))),
            &block,
        );
    }
    assert_eq!(
        thought_content(UnifiedContentBlock::Text { text: "a".into() }),
        None,
        "a text is no thought"
    );
}

#[test]
fn test_ch19_a_signature_beside_an_id_is_in_the_seal() {
    for (encrypted, seal) in [
        (Value::Null, "signed:rs_1|c2ln+/==|"),
        (json!("EN|C"), "signed:rs_1|c2ln+/==|EN|C"),
    ] {
        let block = json!({ "type": "thinking", "thinking": "t", "id": "rs_1", "redacted": false,
                            "signature": "c2ln+/==", "encrypted_content": encrypted });
        let block: UnifiedContentBlock = from_json(block);
        assert_eq!(
            thought_content(block.clone()),
            Some(Content::Thinking {
                thinking: "t".into(),
                signature: Some(seal.into())
            }),
            "the mark, the id, the signature and what is encrypted, a bar between them"
        );
        assert_eq!(
            thought_block(Api::Responses, "t", Some(seal)),
            block,
            "and read again, it is the same block"
        );
    }
}

#[test]
fn test_ch19_an_agents_history_becomes_chat_messages() {
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
            timestamp: 0,
            child_loop_id: Some("s.sub.1".into()),
        },
    ];
    let time = "1970-01-01T00:00:00Z";
    assert_json(
        "blocks in their order, the time, how the reply ended, and a result that names its tool",
        &to_json(&from_agent(&history, Api::Messages, "anthropic")),
        &json!([
            { "role": "user", "content": "Look:", "raw_content_blocks": [text("Look:"), png()],
              "timestamp": "2026-01-02T03:04:05.678Z" },
            { "role": "assistant", "content": "Let me look.", "reasoning": "t",
              "tool_calls": [call("call_1", "{\"a\":1}")], "status": "completed", "timestamp": time,
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
fn test_ch19_thoughts_go_only_to_who_thought_them() {
    let history = [reply("anthropic", StopReason::ToolUse)];
    for (provider, expected) in [("anthropic", Some("t")), ("openai", None), ("", None)] {
        let chat = from_agent(&history, Api::Messages, provider);
        assert_eq!(
            chat[0].reasoning.as_deref(),
            expected,
            "thoughts of anthropic's, for {provider:?}: nobody else can know their seal"
        );
        assert_eq!(
            chat[0].content.as_deref(),
            Some("Let me look."),
            "what was said goes to anybody"
        );
    }
}

#[test]
fn test_ch19_how_a_reply_ended_is_its_status() {
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
            &format!("a reply that ended with {reason:?}"),
            &to_json(&chat[0].status),
            &json!(status),
        );
    }
}

#[test]
fn test_ch19_what_an_api_answers_becomes_content() {
    let blocks: Vec<UnifiedContentBlock> = from_json(json!([
        { "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false },
        text("Hi."), png(), tool_use(json!({ "a": 1 })),
        { "type": "document", "source": { "type": "url", "url": "https://x/a.pdf" } },
    ]));
    assert_json(
        "each block that a model can write is the content of the same kind, in its place",
        &to_json(&to_content(blocks)),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "toolCall", "id": "call_1", "name": "bash", "arguments": { "a": 1 } },
        ]),
    );
}
