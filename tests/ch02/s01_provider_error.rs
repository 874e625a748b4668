//! Section 2.1: ProviderError

use std::time::{Duration, SystemTime};

use claw_code::provider::*;

use super::support::*;

#[test]
fn test_ch2_error_by_status() {
    for (status, body, expected) in [
        (400, "no such parameter", "BadRequest"),
        (401, "bad key", "Authentication"),
        (402, "no credit", "Authentication"),
        (403, "not for you", "Authentication"),
        (404, "no such model", "BadRequest"),
        (408, "too slow", "Overloaded"),
        (409, "conflict", "BadRequest"),
        (413, "too large", "ContextOverflow"),
        (422, "unprocessable", "BadRequest"),
        (429, "slow down", "RateLimited"),
        (
            429,
            r#"{"error":{"message":"Pay.","type":"insufficient_quota"}}"#,
            "Authentication",
        ),
        (301, "moved", "BadRequest"),
        (499, "client closed", "BadRequest"),
        (500, "oops", "Overloaded"),
        (502, "bad gateway", "Overloaded"),
        (503, "unavailable", "Overloaded"),
        (529, "overloaded", "Overloaded"),
    ] {
        let error = ProviderError::from_response(status, None, body);
        assert_eq!(
            kind(&error),
            expected,
            "status {status} with the body {body:?} became {error:?}"
        );
    }
}

#[test]
fn test_ch2_error_keeps_how_long_to_wait() {
    let wait = Some(Duration::from_secs(7));
    for status in [429, 503, 529] {
        for retry_after in [wait, None] {
            let error = ProviderError::from_response(status, retry_after, "busy");
            assert_eq!(
                error.retry_after(),
                retry_after,
                "status {status}: the wait that the server asks for is kept, and none is made up"
            );
        }
    }
    for status in [400, 401, 413] {
        let error = ProviderError::from_response(status, wait, "no");
        assert_eq!(
            error.retry_after(),
            None,
            "status {status}: waiting would not help"
        );
    }
    let broken = ProviderError::Network("cut".into());
    assert_eq!(broken.retry_after(), None, "a dead line asks for nothing");
}

#[test]
fn test_ch2_error_says_what_the_server_said() {
    for (body, words) in [
        (
            r#"{"error":{"message":"Key sk-1 is wrong."}}"#,
            "Key sk-1 is wrong.",
        ),
        (r#"{"error":"model not loaded"}"#, "model not loaded"),
        (r#"{"message":"go away"}"#, "go away"),
        (r#"{"detail":"Not Found"}"#, "Not Found"),
        ("<html><h1>Bad Gateway</h1></html>", "Bad Gateway"),
        ("", "no reason"),
    ] {
        for status in [400, 401, 413, 429, 503] {
            let said = ProviderError::from_response(status, None, body).to_string();
            assert!(
                said.contains(words) && said.contains(&status.to_string()),
                "the error should name the status {status} and what the body says, {words:?}; it reads: {said}"
            );
        }
    }
}

#[test]
fn test_ch2_error_is_context_overflow() {
    for words in OVERFLOW {
        for text in [
            words.to_string(),
            format!("Error: {}!", words.to_uppercase()),
        ] {
            assert!(is_overflow_message(&text), "{text:?} is a context overflow");
            for status in [400, 422, 500] {
                let error = ProviderError::from_response(status, None, &text);
                assert_eq!(
                    kind(&error),
                    "ContextOverflow",
                    "status {status} with the body {text:?} says that the conversation is too long"
                );
            }
        }
    }
    for text in ["", "too many requests", "the context is fine", "exceeds"] {
        assert!(
            !is_overflow_message(text),
            "{text:?} is no context overflow"
        );
    }
    for (status, expected) in [(429, "RateLimited"), (401, "Authentication")] {
        let error = ProviderError::from_response(status, None, "too many tokens per minute");
        assert_eq!(
            kind(&error),
            expected,
            "status {status} is clear by itself, whatever words its body has"
        );
    }
}

#[test]
fn test_ch2_error_is_retryable() {
    let words = || String::from("words");
    let wait = |retry_after| (words(), retry_after);
    for (retry_after, is_retryable) in [(None, true), (Some(Duration::from_secs(9)), true)] {
        let (message, retry_after) = wait(retry_after);
        let limited = ProviderError::RateLimited {
            message: message.clone(),
            retry_after,
        };
        let overloaded = ProviderError::Overloaded {
            message,
            retry_after,
        };
        let when = match retry_after {
            Some(_) => "try again in 9 s",
            None => "try again in a while",
        };
        assert!(
            limited.to_string().contains(when),
            "the words say when to try again, {when:?}: {limited}"
        );
        assert_eq!(limited.is_retryable(), is_retryable, "{limited:?}");
        assert_eq!(overloaded.is_retryable(), is_retryable, "{overloaded:?}");
    }
    assert!(
        ProviderError::Network(words()).is_retryable(),
        "a connection that failed may hold the next time"
    );
    for error in [
        ProviderError::Authentication(words()),
        ProviderError::ContextOverflow(words()),
        ProviderError::BadRequest(words()),
        ProviderError::MalformedReply(words()),
    ] {
        assert!(
            !error.is_retryable(),
            "the same request again would fare no better: {error:?}"
        );
    }
}

#[test]
fn test_ch2_retry_after() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_445_412_480); // 21 Oct 2015 07:28:00
    for (value, seconds) in [
        ("0", Some(0)),
        ("1", Some(1)),
        (" 120 ", Some(120)),
        ("Wed, 21 Oct 2015 07:28:30 GMT", Some(30)),
        ("Wed, 21 Oct 2015 08:28:00 GMT", Some(3600)),
        ("Wed, 21 Oct 2015 07:28:00 GMT", Some(0)),
        ("Wed, 21 Oct 2015 07:00:00 GMT", Some(0)),
        ("Wed, 21 Oct 2015", None),
        ("soon", None),
        ("", None),
        ("-1", None),
    ] {
        assert_eq!(
            parse_retry_after(value, now),
            seconds.map(Duration::from_secs),
            "Retry-After: {value:?}, read on Wed, 21 Oct 2015 07:28:00 GMT"
        );
    }
}

/// The wordings of a context overflow.
const OVERFLOW: [&str; 17] = [
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
