//! Section 2.1: ProviderError

use std::time::{Duration, SystemTime};

use claw_code::provider::*;

use super::support::*;

#[test]
fn test_ch2_status_selects_error_variant() {
    let unpaid = r#"{"error":{"message":"Pay.","type":"insufficient_quota"}}"#;
    let unpaid_code = r#"[{"error":{"message":"Pay.","code":"insufficient_quota"}}]"#;
    for (status, body, expected) in [
        (301, "moved", "BadRequest"),
        (400, "no such parameter", "BadRequest"),
        (400, unpaid, "BadRequest"),
        (401, "bad key", "Authentication"),
        (402, "no credit", "Authentication"),
        (403, "not for you", "Authentication"),
        (404, "no such model", "BadRequest"),
        (408, "too slow", "Overloaded"),
        (409, "conflict", "BadRequest"),
        (413, "too large", "ContextOverflow"),
        (422, "unprocessable", "BadRequest"),
        (429, "slow down", "RateLimited"),
        (429, "Quota exceeded for requests per minute", "RateLimited"),
        (429, unpaid, "Authentication"),
        (429, unpaid_code, "Authentication"),
        (499, "client closed", "BadRequest"),
        (500, "oops", "Overloaded"),
        (501, "not implemented", "Overloaded"),
        (502, "bad gateway", "Overloaded"),
        (503, "unavailable", "Overloaded"),
        (505, "HTTP version", "Overloaded"),
        (520, "unknown error", "Overloaded"),
        (529, "overloaded", "Overloaded"),
        (600, "not in any list", "Overloaded"),
    ] {
        let error = ProviderError::from_response(status, None, body);
        assert_eq!(
            variant(&error),
            expected,
            "status {status} with the body {body:?} became {error:?}"
        );
        assert_quotes(&error, &error_message(body), status);
    }
}

#[test]
fn test_ch2_rate_limit_and_overload_keep_retry_after() {
    for status in [429, 503, 529] {
        for retry_after in [Some(Duration::from_secs(7)), None] {
            let error = ProviderError::from_response(status, retry_after, "busy");
            assert_eq!(
                error.retry_after(),
                retry_after,
                "status {status}: the error keeps the server's wait and invents none"
            );
        }
    }
}

#[test]
fn test_ch2_other_errors_have_no_retry_after() {
    for status in [400, 401, 413] {
        let wait = Some(Duration::from_secs(7));
        let error = ProviderError::from_response(status, wait, "no");
        assert_eq!(
            error.retry_after(),
            None,
            "status {status}: waiting would not help"
        );
    }
    assert_eq!(
        connection_lost().retry_after(),
        None,
        "a lost connection has no Retry-After header"
    );
}

#[test]
fn test_ch2_error_quotes_server_message_and_status() {
    for (body, message) in [
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
            assert_quotes(
                &ProviderError::from_response(status, None, body),
                message,
                status,
            );
        }
    }
}

#[test]
fn test_ch2_error_quotes_the_message_that_a_proxy_wraps() {
    for (wrapping, body) in [
        (
            "an event stream",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Wait.\"}}\n\n",
        ),
        (
            "a stream with another event before it",
            "data: {\"type\":\"ping\"}\n\ndata: {\"error\":\"Wait.\"}\n\n",
        ),
        ("an array", r#"[{"error":{"code":400,"message":"Wait."}}]"#),
        (
            "JSON in a string",
            r#"{"error":{"message":"{\"error\":{\"message\":\"Wait.\"}}"}}"#,
        ),
        (
            "the raw body beside a message of the proxy",
            r#"{"error":{"message":"Provider error","metadata":{"raw":"{\"message\":\"Wait.\"}"}}}"#,
        ),
    ] {
        assert_eq!(
            ProviderError::from_response(400, None, body),
            ProviderError::BadRequest("Wait. (status 400)".into()),
            "{wrapping}: the error should quote only the server's message"
        );
    }
}

#[test]
fn test_ch2_overflow_phrases_match_in_any_case() {
    for text in overflow_texts() {
        assert!(
            is_overflow_message(&text),
            "{text:?} reports a context overflow"
        );
    }
    for text in ["", "too many requests", "the context is fine", "exceeds"] {
        assert!(
            !is_overflow_message(text),
            "{text:?} reports no context overflow"
        );
    }
}

#[test]
fn test_ch2_overflow_phrase_decides_unclear_status() {
    for text in overflow_texts() {
        for status in [301, 400, 404, 408, 422, 499, 500, 502, 503, 529, 600] {
            let error = ProviderError::from_response(status, None, &text);
            assert_eq!(
                variant(&error),
                "ContextOverflow",
                "status {status} with the body {text:?} reports a context overflow"
            );
            assert_quotes(&error, &text, status);
        }
    }
    let body = r#"{"error":{"message":"No.","code":"context_length_exceeded"}}"#;
    let error = ProviderError::from_response(400, None, body);
    assert_eq!(
        variant(&error),
        "ContextOverflow",
        "the whole body is searched, not only the server's message: {body}"
    );
}

#[test]
fn test_ch2_clear_status_outranks_overflow_phrase() {
    for (status, expected) in [
        (401, "Authentication"),
        (402, "Authentication"),
        (403, "Authentication"),
        (429, "RateLimited"),
    ] {
        let error = ProviderError::from_response(status, None, "too many tokens per minute");
        assert_eq!(
            variant(&error),
            expected,
            "status {status} is clear by itself, so the phrases in its body do not count"
        );
    }
}

#[test]
fn test_ch2_temporary_errors_are_retryable() {
    for (retry_after, hint) in [
        (None, "try again in a while"),
        (Some(Duration::from_secs(9)), "try again in 9 s"),
    ] {
        for status in [429, 503] {
            let error = ProviderError::from_response(status, retry_after, "busy");
            assert!(error.is_retryable(), "waiting can help: {error:?}");
            assert!(
                error.to_string().contains(hint),
                "the message should say when to retry, {hint:?}; it reads: {error}"
            );
        }
    }
    assert!(
        connection_lost().is_retryable(),
        "the next connection can succeed"
    );
}

#[test]
fn test_ch2_permanent_errors_are_not_retryable() {
    for error in [
        ProviderError::Authentication("no".into()),
        ProviderError::ContextOverflow("no".into()),
        ProviderError::BadRequest("no".into()),
        ProviderError::MalformedReply("no".into()),
    ] {
        assert!(
            !error.is_retryable(),
            "the same request would fail again: {error:?}"
        );
    }
}

#[test]
fn test_ch2_retry_after_header_is_seconds_or_date() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_445_412_480); // 21 Oct 2015 07:28:00
    for (value, seconds) in [
        ("0", Some(0)),
        ("1", Some(1)),
        (" 120 ", Some(120)),
        ("4294967296", Some(4_294_967_296)),
        ("Wed, 21 Oct 2015 07:28:30 GMT", Some(30)),
        ("Wed, 21 Oct 2015 08:28:00 GMT", Some(3600)),
        ("Wed, 21 Oct 2015 07:28:00 GMT", Some(0)),
        ("Wed, 21 Oct 2015 07:00:00 GMT", Some(0)),
        ("Wed, 21 Oct 2015", None),
        ("soon", None),
        ("", None),
        ("-1", None),
        ("+9", None),
        ("1.5", None),
        ("99999999999999999999", None),
    ] {
        assert_eq!(
            parse_retry_after(value, now),
            seconds.map(Duration::from_secs),
            "Retry-After: {value:?}, parsed at Wed, 21 Oct 2015 07:28:00 GMT"
        );
    }
}

/// Fails unless the error contains the body's message and the status.
#[track_caller]
fn assert_quotes(error: &ProviderError, message: &str, status: u16) {
    let text = error.to_string();
    assert!(
        text.contains(message) && text.contains(&status.to_string()),
        "the error should contain the status {status} and the body's message {message:?}; it reads: {text}"
    );
}

/// Each overflow phrase inside a longer text, as it is and in upper case.
fn overflow_texts() -> impl Iterator<Item = String> {
    let phrases = [
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
        "exceed context limit",
        "context window exceeded",
        "contextwindowexceeded",
        "context size has been exceeded",
        "longer than the maximum model length",
        "input tokens exceed",
    ];
    phrases.into_iter().flat_map(|phrase| {
        [phrase.to_string(), phrase.to_uppercase()].map(|phrase| format!("Error: {phrase}!"))
    })
}
