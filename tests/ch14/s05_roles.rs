//! Section 14.5: Three roles

use std::time::{SystemTime, UNIX_EPOCH};

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch14_now_ms_counts_milliseconds_since_1970() {
    let clock = || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        u64::try_from(since.expect("after 1970").as_millis()).expect("before the year 500 million")
    };
    let before = clock();
    let now = now_ms();
    let after = clock();
    assert!(
        (before..=after).contains(&now),
        "now_ms() gives the milliseconds since 1970: between {before} and {after}, not {now}"
    );
}

#[test]
fn test_ch14_user_message_holds_text_and_time() {
    for said in ["  Hello,\nworld ", ""] {
        let before = now_ms();
        let message = Message::user(String::from(said));
        let after = now_ms();
        let Message::User { content, timestamp } = &message else {
            panic!("Message::user should make a Message::User, not {message:?}");
        };
        assert_eq!(
            *content,
            [text(said)],
            "the content is one text block, unchanged"
        );
        assert!(
            (before..=after).contains(timestamp),
            "the timestamp should be between {before} and {after}, not {timestamp}"
        );
    }
}

#[test]
fn test_ch14_role_names_the_variant() {
    for (message, role) in [
        (a_user(), "user"),
        (an_assistant(), "assistant"),
        (a_tool_result(), "toolResult"),
    ] {
        assert_eq!(message.role(), role, "the role of {message:?}");
    }
}

#[test]
fn test_ch14_overflow_messages_are_recognized() {
    for said in OVERFLOWS {
        assert!(
            failed(StopReason::Error, Some(said)).is_context_overflow(),
            "the error message {said:?} is a context overflow"
        );
    }
}

#[test]
fn test_ch14_overflow_is_recognized_inside_a_message() {
    for words in OVERFLOWS {
        let said = format!("400: {} (131072 > 100000)", words.to_uppercase());
        assert!(
            failed(StopReason::Error, Some(&said)).is_context_overflow(),
            "the error message {said:?} is a context overflow, also in upper case"
        );
    }
}

#[test]
fn test_ch14_other_errors_are_not_overflow() {
    for (said, why) in [
        (Some("overloaded"), "the message is a different error"),
        (Some(""), "the message is empty"),
        (None, "there is no message"),
    ] {
        assert!(
            !failed(StopReason::Error, said).is_context_overflow(),
            "an error with {said:?} is not a context overflow: {why}"
        );
    }
    let mut reply = failed(StopReason::Error, Some("overloaded"));
    if let Message::Assistant { content, .. } = &mut reply {
        content.push(text("prompt is too long"));
    }
    assert!(
        !reply.is_context_overflow(),
        "what the model said does not matter, only the error message does"
    );
}

#[test]
fn test_ch14_only_an_error_is_an_overflow() {
    for (reason, why) in [
        (StopReason::Stop, "the reply did not fail"),
        (
            StopReason::Length,
            "the reply was cut, so the context fitted",
        ),
        (StopReason::Aborted, "the caller canceled the request"),
        (StopReason::ToolUse, "the reply did not fail"),
    ] {
        for said in ["prompt is too long", "too many tokens"] {
            assert!(
                !failed(reason, Some(said)).is_context_overflow(),
                "{reason:?} with {said:?} is not a context overflow: {why}"
            );
        }
    }
}

#[test]
fn test_ch14_only_a_reply_is_an_overflow() {
    assert!(
        !Message::user("prompt is too long").is_context_overflow(),
        "a user message is not an error"
    );
    assert!(
        !a_tool_result().is_context_overflow(),
        "a result is not a reply"
    );
    let mut from_a_child = a_child_result();
    if let Message::ToolResult { content, .. } = &mut from_a_child {
        *content = vec![text("prompt is too long")];
    }
    assert!(
        !from_a_child.is_context_overflow(),
        "a failed result is not a reply either: the context of the child was too long"
    );
}

/// Some of the texts by which a context overflow is recognized.
const OVERFLOWS: [&str; 17] = [
    "prompt is too long",
    "input is too long",
    "exceeds the context window",
    "exceeds the maximum",
    "maximum prompt length",
    "reduce the length of the messages",
    "maximum context length",
    "exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "context length exceeded",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
    "model_context_window_exceeded",
];
