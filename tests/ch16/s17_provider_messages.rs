//! Section 16.17: Messages for a provider

use claw_code::agent::*;
use claw_code::types::Message as Plain;

use super::support::*;

#[test]
fn test_ch16_conversation_converts_to_types() {
    let messages = [
        user_of(vec![text("Look at"), image(), text("this.")]),
        Message::Assistant {
            content: vec![thought("Hm."), text("I"), call("a", "read"), text("see.")],
            stop_reason: StopReason::ToolUse,
            model: "m".into(),
            provider: "p".into(),
            usage: Usage::default(),
            timestamp: 1,
            error_message: None,
        },
        result("a", "42 lines", false),
    ];
    let plain = to_types(&prompt_of("Be brief."), &messages);
    assert_eq!(
        plain.len(),
        4,
        "the result has the system prompt and three messages: {plain:?}"
    );
    let Plain::System(system) = &plain[0] else {
        panic!("the system prompt comes first: {:?}", plain[0]);
    };
    assert_eq!(system.content, "Be brief.");
    let Plain::User(user) = &plain[1] else {
        panic!("the user's message is one: {:?}", plain[1]);
    };
    assert!(
        user.content.starts_with("Look at\n") && user.content.ends_with("\nthis."),
        "each text block is on its own line: {:?}",
        user.content
    );
    assert!(
        user.content.contains("image/png") && !user.content.contains("iVBOR"),
        "a line with the media type replaces the image, without its bytes: {:?}",
        user.content
    );
    let Plain::Assistant(reply) = &plain[2] else {
        panic!("the reply is one: {:?}", plain[2]);
    };
    assert_eq!(
        reply.text.as_deref(),
        Some("I\nsee."),
        "thinking is not sent"
    );
    assert_eq!(reply.tool_calls.len(), 1, "the call is sent");
    assert_eq!(reply.tool_calls[0].id, "a");
    let Plain::ToolResult(result) = &plain[3] else {
        panic!("the result is one: {:?}", plain[3]);
    };
    assert_eq!(
        (result.tool_use_id.as_str(), result.content.as_str()),
        ("a", "42 lines")
    );
}

#[test]
fn test_ch16_failed_result_has_flag_and_prefix() {
    let messages = [
        model_reply(
            "",
            &[("a", "t"), ("b", "t"), ("c", "t")],
            StopReason::ToolUse,
        ),
        result("a", "no such file", true),
        result("c", "error: 3 warnings", false),
        Message::ToolResult {
            tool_call_id: "b".into(),
            tool_name: "t".into(),
            content: vec![],
            is_error: false,
            timestamp: 1,
            child_loop_id: None,
        },
    ];
    let plain = to_types(&prompt_of(""), &messages);
    let results: Vec<(&str, bool)> = plain
        .iter()
        .filter_map(|message| match message {
            Plain::ToolResult(result) => Some((result.content.as_str(), result.is_error)),
            _ => None,
        })
        .collect();
    assert_eq!(
        results,
        [
            ("error: no such file", true),
            ("error: 3 warnings", false),
            ("", false)
        ],
        "a failure has the flag and the prefix; a success keeps its text; an empty result stays, since its call needs one"
    );
}

#[test]
fn test_ch16_empty_message_is_not_sent() {
    let mut thoughts = model_reply("", &[], StopReason::Aborted);
    if let Message::Assistant { content, .. } = &mut thoughts {
        content.push(thought("Hm."));
    }
    let messages = [
        Message::user("one"),
        model_reply("", &[], StopReason::Aborted),
        thoughts,
        user_of(vec![text("")]),
        Message::user("two"),
    ];
    let plain = to_types(&prompt_of(""), &messages);
    assert_eq!(
        plain.len(),
        2,
        "some servers reject messages without content, so only the two user messages stay: {plain:?}"
    );
    for kept in [
        model_reply("Hi.", &[], StopReason::Stop),
        model_reply("", &[("a", "read")], StopReason::ToolUse),
    ] {
        let plain = to_types(&prompt_of(""), std::slice::from_ref(&kept));
        assert_eq!(
            plain.len(),
            1,
            "a message with text or calls is sent: {kept:?}"
        );
    }
}

fn image() -> Content {
    Content::Image {
        data: "iVBORw0KGgo=".into(),
        mime_type: "image/png".into(),
    }
}
