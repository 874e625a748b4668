//! Messages for a provider

use claw_code::agent::*;
use claw_code::types::{Message as Plain, StopReason as PlainReason};
use serde_json::json;

use super::support::*;

#[test]
fn system_prompt_comes_first() {
    let plain = to_types(&prompt_of("Be brief."), &[Message::user("Hi.")]);
    let [Plain::System(system), Plain::User(_)] = plain.as_slice() else {
        panic!("the system prompt comes first, and then the message: {plain:?}");
    };
    assert_eq!(system.content, "Be brief.", "the text of the prompt");
}

#[test]
fn blocks_of_a_user_message_become_lines() {
    let extended = from_json(&json!({ "type": "text", "text": "this.", "a_new_field": 1 }));
    let unknown = from_json(&json!({ "type": "audio", "data": "UklGR" }));
    let blocks = vec![text("Look at"), text(""), image(), unknown, extended];
    let Plain::User(user) = converted(user_of(blocks)) else {
        panic!("a user message should stay a user message");
    };
    assert!(
        user.content.starts_with("Look at\n") && user.content.ends_with("\nthis."),
        "each text block is on its own line, also one with an unknown field: {:?}",
        user.content
    );
    assert!(
        user.content.contains("image/webp") && !user.content.contains("UklGR"),
        "a line with the media type replaces the image, without its bytes: {:?}",
        user.content
    );
    assert_eq!(
        user.content.lines().count(),
        3,
        "a text without content has no line, and neither has an unknown block: {:?}",
        user.content
    );
}

#[test]
fn reply_is_sent_without_thinking() {
    let mut reply = model_reply("", &[], StopReason::ToolUse);
    if let Message::Assistant { content, .. } = &mut reply {
        let [first, second] = ["b", "a"].map(|id| call(id, "read"));
        *content = vec![thought("Hm."), text("I"), first, second, text("see.")];
    }
    let Plain::Assistant(reply) = converted(reply) else {
        panic!("a reply should stay a reply");
    };
    let sent = reply.text.as_deref();
    assert_eq!(sent, Some("I\nsee."), "the text without the thinking");
    let ids: Vec<&str> = reply.tool_calls.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(
        ids,
        ["b", "a"],
        "each call is sent with its id, and the calls keep their order"
    );
}

#[test]
fn converted_reply_has_a_new_id_and_no_usage() {
    let mut ids = Vec::new();
    for _ in 0..2 {
        let Plain::Assistant(reply) = converted(model_reply("Hi.", &[], StopReason::Stop)) else {
            panic!("a reply should stay a reply");
        };
        assert_eq!(reply.usage, None, "a provider is not sent the usage");
        ids.push(reply.id);
    }
    assert!(
        ids.iter().all(|id| !id.is_empty()) && ids[0] != ids[1],
        "each conversion gives the reply a new id: {ids:?}"
    );
}

#[test]
fn result_names_its_call() {
    for (rule, said, is_error, sent) in [
        ("a success keeps its text", "42", false, "42"),
        ("even such a text", "error: 3", false, "error: 3"),
        ("and its white space", "\t a\n", false, "\t a\n"),
        ("a failure has a prefix", "no file", true, "error: no file"),
        ("even without text", "", true, "error: "),
        (
            "an empty result stays, since its call needs one",
            "",
            false,
            "",
        ),
    ] {
        let Plain::ToolResult(result) = converted(result("a", said, is_error)) else {
            panic!("a result should stay a result");
        };
        assert_eq!(result.content, sent, "{rule}");
        assert_eq!(result.is_error, is_error, "{rule}");
        assert_eq!(result.tool_use_id, "a", "the id of its call");
    }
}

#[test]
fn empty_message_is_not_sent() {
    let mut thoughts = model_reply("", &[], StopReason::Aborted);
    if let Message::Assistant { content, .. } = &mut thoughts {
        content.push(thought("Hm."));
    }
    let messages = [
        Message::user("one"),
        model_reply("", &[], StopReason::Aborted),
        thoughts,
        user_of(vec![text("")]),
        model_reply("Hi.", &[], StopReason::ToolUse),
        model_reply("Half", &[], StopReason::Aborted),
        model_reply("A third", &[], StopReason::Error),
        model_reply("", &[("a", "read")], StopReason::Length),
    ];
    let plain = to_types(&prompt_of(""), &messages);
    let [
        Plain::User(_),
        Plain::Assistant(says),
        Plain::Assistant(aborted),
        Plain::Assistant(failed),
        Plain::Assistant(calls),
    ] = plain.as_slice()
    else {
        panic!(
            "messages with text or calls stay, whatever the stop reason, and no other: {plain:?}"
        );
    };
    assert_eq!(says.text.as_deref(), Some("Hi."), "a reply with text stays");
    let parts = [aborted, failed].map(|reply| reply.text.as_deref());
    let rule = "what had arrived before an abort or a failure stays";
    assert_eq!(parts, [Some("Half"), Some("A third")], "{rule}");
    assert_eq!(calls.tool_calls.len(), 1, "a reply with a call stays");
    assert_eq!(calls.text, None, "it has no text");
    assert_eq!(says.stop_reason, PlainReason::Stop, "it has no calls");
    assert_eq!(calls.stop_reason, PlainReason::ToolUse, "it has a call");
}

fn image() -> Content {
    Content::Image {
        data: "UklGRgAAAABXRUJQ".into(),
        mime_type: "image/webp".into(),
    }
}

/// The one message that a provider gets for `message`.
#[track_caller]
fn converted(message: Message) -> Plain {
    let mut plain = to_types(&prompt_of(""), std::slice::from_ref(&message));
    assert_eq!(
        plain.len(),
        1,
        "a message with text, calls or a result is sent: {message:?}"
    );
    plain.remove(0)
}

fn call(id: &str, name: &str) -> Content {
    Content::ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: json!({}),
    }
}
