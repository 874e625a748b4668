//! An agent's history

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::tools::Api;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn user_message_keeps_its_blocks_and_its_time() {
    let message = Message::User {
        content: vec![
            Content::Text {
                text: "Look:".into(),
            },
            Content::Thinking {
                thinking: "t".into(),
                signature: Some("c2ln".into()),
            },
            Content::Image {
                data: "iVBORw0KGgo=".into(),
                mime_type: "image/png".into(),
            },
        ],
        timestamp: 1_767_323_045_678,
    };
    assert_chat(
        "the blocks in order, without thinking, which only a reply has, and the time",
        message,
        json!({ "role": "user", "content": "Look:", "raw_content_blocks": [text("Look:"), png()],
                "timestamp": "2026-01-02T03:04:05.678Z" }),
    );
}

#[test]
fn reply_keeps_its_blocks_and_its_status() {
    let mut reply = reply("anthropic", StopReason::ToolUse);
    if let Message::Assistant { timestamp, .. } = &mut reply {
        *timestamp = 1_767_323_045_678;
    }
    assert_chat(
        "the blocks in order, the status and the time",
        reply,
        json!({ "role": "assistant", "timestamp": "2026-01-02T03:04:05.678Z", "content": "Let me look.", "reasoning": "t",
                "tool_calls": [call("call_1", "{\"a\":1}")], "status": "completed",
                "raw_content_blocks": [
                    signed("t", "c2ln"), text("Let me look."), tool_use(json!({ "a": 1 })) ] }),
    );
}

#[test]
fn result_keeps_its_tool_name_and_its_flag() {
    let mut failed = tool_result(json!("no"));
    failed["is_error"] = json!(true);
    assert_chat(
        "a result with its tool name, its flag and its time",
        failed_result(),
        json!({ "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "no",
                "raw_content_blocks": [failed], "timestamp": "2026-01-02T03:04:05.678Z" }),
    );
}

#[test]
fn result_with_an_image_keeps_its_blocks() {
    let text_of = |text: &str| Content::Text { text: text.into() };
    let image = Content::Image {
        data: "iVBORw0KGgo=".into(),
        mime_type: "image/png".into(),
    };
    let thinking = Content::Thinking {
        thinking: "t".into(),
        signature: Some("c2ln".into()),
    };
    let result = |content: &[Content]| Message::ToolResult {
        tool_call_id: "call_1".into(),
        tool_name: "bash".into(),
        content: content.to_vec(),
        is_error: false,
        timestamp: 0,
        child_loop_id: None,
    };
    assert_chat(
        "content that is not one text is a list of blocks, without thinking, which only a reply has; a time of 0 is unknown",
        result(&[text_of("shot:"), thinking, image.clone()]),
        json!({ "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "shot:",
                "raw_content_blocks": [tool_result(json!([text("shot:"), png()]))] }),
    );
    assert_chat(
        "two texts are a list of blocks too",
        result(&[text_of("a"), text_of("b")]),
        json!({ "role": "tool", "name": "bash", "tool_call_id": "call_1", "content": "a\nb",
                "raw_content_blocks": [tool_result(json!([text("a"), text("b")]))] }),
    );
    for (content, blocks) in [(vec![image], json!([png()])), (vec![], json!([]))] {
        assert_chat(
            "so is a single image, and so is no content: only a text is bare",
            result(&content),
            json!({ "role": "tool", "name": "bash", "tool_call_id": "call_1",
                    "raw_content_blocks": [tool_result(blocks)] }),
        );
    }
}

#[test]
fn history_keeps_its_order() {
    let reply = reply("anthropic", StopReason::ToolUse);
    let history = [Message::user("Hi."), reply, failed_result()];
    let chat = to_json(&from_agent(&history, Api::Messages, "anthropic"));
    assert_json(
        "one chat message for each message, in order",
        &json!([chat[0]["role"], chat[1]["role"], chat[2]["role"], chat[3]]),
        &json!(["user", "assistant", "tool", null]),
    );
}

#[test]
fn thinking_is_sent_only_to_its_provider() {
    for (own, provider, expected) in [
        ("anthropic", "anthropic", Some("t")),
        ("anthropic", "openai", None),
        ("anthropic", "", None),
        ("", "anthropic", None),
    ] {
        let history = [reply(own, StopReason::ToolUse)];
        let chat = from_agent(&history, Api::Messages, provider);
        assert_eq!(
            chat[0].reasoning.as_deref(),
            expected,
            "thinking from {own:?}, for {provider:?}: only its own provider can verify the signature"
        );
        assert_eq!(
            chat[0].content.as_deref(),
            Some("Let me look."),
            "text is sent to every provider"
        );
    }
    let history = ["anthropic", "openai", "anthropic"].map(|own| reply(own, StopReason::Stop));
    let chat = from_agent(&history, Api::Messages, "openai");
    let thinking: Vec<_> = chat.iter().map(|it| it.reasoning.as_deref()).collect();
    assert_eq!(
        thinking,
        [None, Some("t"), None],
        "replies of anthropic, openai and anthropic, for openai: each reply's own provider decides"
    );
    let chat = from_agent(&[reply("p", StopReason::ToolUse)], Api::Responses, "p");
    assert_json(
        "the block is made for the API of the request: here a plain token is encrypted content",
        &to_json(&chat)[0]["raw_content_blocks"][0],
        &thought("t", json!({ "encrypted_content": "c2ln" })),
    );
}

#[test]
fn stop_reason_becomes_status() {
    for (reason, status) in [
        (StopReason::Stop, "completed"),
        (StopReason::ToolUse, "completed"),
        (StopReason::Error, "failed"),
        (StopReason::Length, "incomplete"),
        (StopReason::Aborted, "incomplete"),
        (StopReason::Paused, "incomplete"),
        (StopReason::GuardRail, "incomplete"),
        (StopReason::UserStop, "incomplete"),
        (StopReason::ContextCompacted, "incomplete"),
    ] {
        let chat = from_agent(&[reply("p", reason)], Api::Responses, "p");
        assert_json(
            &format!("the status of a reply that ended with {reason:?}"),
            &to_json(&chat[0].status),
            &json!(status),
        );
    }
}

/// The result of a call that failed in a sub-agent.
fn failed_result() -> Message {
    Message::ToolResult {
        tool_call_id: "call_1".into(),
        tool_name: "bash".into(),
        content: vec![Content::Text { text: "no".into() }],
        is_error: true,
        timestamp: 1_767_323_045_678,
        child_loop_id: Some("s.sub.1".into()),
    }
}

/// Fails unless `message` becomes this one chat message.
#[track_caller]
fn assert_chat(why: &str, message: Message, chat: Value) {
    let made = from_agent(&[message], Api::Messages, "anthropic");
    assert_json(why, &to_json(&made), &json!([chat]));
}
