//! Section 14.5: Three roles

use std::time::{SystemTime, UNIX_EPOCH};

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch14_now_in_milliseconds() {
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
fn test_ch14_user_message() {
    let before = now_ms();
    let message = Message::user(String::from("  Hello,\nworld "));
    let after = now_ms();
    let Message::User { content, timestamp } = &message else {
        panic!("Message::user makes a Message::User, not {message:?}");
    };
    assert_eq!(
        *content,
        [Content::Text {
            text: "  Hello,\nworld ".to_string()
        }],
        "the words are one block of text, to the letter"
    );
    assert!(
        (before..=after).contains(timestamp),
        "the message was made just now, between {before} and {after}; its timestamp is {timestamp}"
    );
}

#[test]
fn test_ch14_roles() {
    for (message, role) in [
        (a_user(), "user"),
        (an_assistant(), "assistant"),
        (a_tool_result(), "toolResult"),
    ] {
        assert_eq!(message.role(), role, "the role of {message:?}");
    }
}

#[test]
fn test_ch14_context_overflow() {
    for words in [
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
    ] {
        for said in [
            words.to_string(),
            format!("400: {} (131072 > 100000)", words.to_uppercase()),
        ] {
            assert!(
                failed(StopReason::Error, Some(&said)).is_context_overflow(),
                "an error that says {said:?} is a context overflow, in whatever case"
            );
        }
    }
}

#[test]
fn test_ch14_other_failures_are_no_overflow() {
    for (reason, said, why) in [
        (
            StopReason::Error,
            Some("overloaded"),
            "the words say something else",
        ),
        (StopReason::Error, Some(""), "the words say nothing"),
        (StopReason::Error, None, "there are no words"),
        (
            StopReason::Stop,
            Some("prompt is too long"),
            "the reply did not fail",
        ),
        (
            StopReason::Length,
            Some("too many tokens"),
            "the reply was cut: the context was read",
        ),
        (
            StopReason::Aborted,
            Some("prompt is too long"),
            "the caller cancelled",
        ),
    ] {
        assert!(
            !failed(reason, said).is_context_overflow(),
            "{reason:?} with {said:?} is no context overflow: {why}"
        );
    }
    assert!(
        !Message::user("prompt is too long").is_context_overflow(),
        "what a user says is no error"
    );
    assert!(!a_tool_result().is_context_overflow());
}
