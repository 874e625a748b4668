//! Section 16.17: Messages for a provider

use claw_code::agent::*;
use claw_code::types::Message as Plain;

use super::support::*;

#[test]
fn test_ch16_system_prompt_comes_first() {
    let plain = to_types(&prompt_of("Be brief."), &[Message::user("Hi.")]);
    assert_eq!(
        plain.len(),
        2,
        "the result has the system prompt and one message: {plain:?}"
    );
    let Plain::System(system) = &plain[0] else {
        panic!("the system prompt comes first: {:?}", plain[0]);
    };
    assert_eq!(system.content, "Be brief.", "the text of the prompt");
}

#[test]
fn test_ch16_blocks_of_a_user_message_become_lines() {
    let Plain::User(user) = converted(user_of(vec![text("Look at"), image(), text("this.")]))
    else {
        panic!("a user message should stay a user message");
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
}

#[test]
fn test_ch16_reply_is_sent_without_thinking() {
    let mut reply = model_reply("", &[], StopReason::ToolUse);
    if let Message::Assistant { content, .. } = &mut reply {
        *content = vec![thought("Hm."), text("I"), call("a", "read"), text("see.")];
    }
    let Plain::Assistant(reply) = converted(reply) else {
        panic!("a reply should stay a reply");
    };
    assert_eq!(
        reply.text.as_deref(),
        Some("I\nsee."),
        "the text is sent, and thinking is not"
    );
    assert_eq!(reply.tool_calls.len(), 1, "the call is sent");
    assert_eq!(reply.tool_calls[0].id, "a", "with its id");
}

#[test]
fn test_ch16_result_names_its_call() {
    let Plain::ToolResult(result) = converted(result("a", "42 lines", false)) else {
        panic!("a result should stay a result");
    };
    assert_eq!(
        (result.tool_use_id.as_str(), result.content.as_str()),
        ("a", "42 lines"),
        "the call's id and the text of the result"
    );
}

#[test]
fn test_ch16_failed_result_has_flag_and_prefix() {
    for (said, is_error, sent) in [
        ("no such file", true, "error: no such file"),
        ("error: 3 warnings", false, "error: 3 warnings"),
    ] {
        let Plain::ToolResult(result) = converted(result("a", said, is_error)) else {
            panic!("a result should stay a result");
        };
        assert_eq!(
            (result.content.as_str(), result.is_error),
            (sent, is_error),
            "a failure has the flag and the prefix, and a success keeps its text"
        );
    }
}

#[test]
fn test_ch16_empty_result_is_sent() {
    let mut empty = result("a", "", false);
    if let Message::ToolResult { content, .. } = &mut empty {
        content.clear();
    }
    let Plain::ToolResult(result) = converted(empty) else {
        panic!("a result should stay a result");
    };
    assert_eq!(
        (result.content.as_str(), result.is_error),
        ("", false),
        "an empty result stays, since its call needs one"
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
}

#[test]
fn test_ch16_reply_with_text_or_calls_is_sent() {
    converted(model_reply("Hi.", &[], StopReason::Stop));
    converted(model_reply("", &[("a", "read")], StopReason::ToolUse));
}

fn image() -> Content {
    Content::Image {
        data: "iVBORw0KGgo=".into(),
        mime_type: "image/png".into(),
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
