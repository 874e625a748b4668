//! Section 2.7: Chunks of a reply

use claw_code::provider::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch2_chunks_of_text() {
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"Hel"}}],"usage":null}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]}"#,
            " ",
            r#"{"choices":[{"index":0,"delta":{"refusal":" No."},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"choices":[]}"#,
        ]),
        Ok((
            vec![
                StreamEvent::TextDelta("Hel".into()),
                StreamEvent::TextDelta("lo".into()),
                StreamEvent::TextDelta(" No.".into()),
            ],
            true
        )),
        "text and refusals become text deltas; what is empty has no event; a finish reason finishes"
    );
    assert_eq!(
        read_all(&[r#"{"choices":[{"delta":{"content":"Hel"},"finish_reason":null}]}"#]),
        Ok((vec![StreamEvent::TextDelta("Hel".into())], false)),
        "without a finish reason the reply is not finished"
    );
}

#[test]
fn test_ch2_chunks_of_a_whole_reply() {
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"message":{"role":"assistant","content":"Hi.","tool_calls":[
            {"id":"call_1","type":"function","function":{"name":"pwd","arguments":"{}"}},
            {"id":"call_2","type":"function","function":{"name":"read","arguments":{"path":"a"}}}
        ]}}],"usage":{"prompt_tokens":1200,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":1000}}}"#
        ]),
        Ok((
            vec![
                StreamEvent::TextDelta("Hi.".into()),
                start(0, "call_1", "pwd"),
                delta(0, "{}"),
                start(1, "call_2", "read"),
                delta(1, r#"{"path":"a"}"#),
                StreamEvent::Usage(usage(200, 7, 1000)),
            ],
            true
        )),
        "a message is read like a delta that has everything, and finishes the reply"
    );
}

#[test]
fn test_ch2_chunks_of_calls() {
    let chunks = [
        calls(
            json!([{ "index": 0, "id": "call_a", "type": "function", "function": { "name": "read", "arguments": "" } }]),
        ),
        calls(
            json!([{ "index": 1, "id": "call_b", "function": { "name": "bash", "arguments": "{\"com" } }]),
        ),
        calls(
            json!([{ "index": 0, "function": { "arguments": "{\"path\":" } }, { "index": 1, "function": { "arguments": "mand\":" } }]),
        ),
        calls(json!([{ "index": 1, "id": "call_b", "function": { "arguments": "\"ls\"}" } }])),
        calls(json!([{ "index": 0, "id": null, "function": { "name": null, "arguments": "1}" } }])),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    assert_eq!(
        read_all(&chunks),
        Ok((
            vec![
                start(0, "call_a", "read"),
                start(1, "call_b", "bash"),
                delta(1, "{\"com"),
                delta(0, "{\"path\":"),
                delta(1, "mand\":"),
                delta(1, "\"ls\"}"),
                delta(0, "1}"),
            ],
            false
        )),
        "each call starts once; later entries of its index carry more of its arguments"
    );
}

#[test]
fn test_ch2_chunks_of_calls_with_one_index() {
    let chunks = [
        calls(
            json!([{ "index": 0, "id": "call_a", "function": { "name": "read", "arguments": "{}" } }]),
        ),
        calls(
            json!([{ "index": 0, "id": "call_b", "function": { "name": "bash", "arguments": "{" } }]),
        ),
        calls(json!([{ "index": 0, "function": { "arguments": "}" } }])),
        calls(json!([{ "index": 0, "id": "call_a", "function": { "arguments": " " } }])),
        calls(json!([{ "id": "call_c", "function": { "name": "pwd" } }])),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    assert_eq!(
        read_all(&chunks),
        Ok((
            vec![
                start(0, "call_a", "read"),
                delta(0, "{}"),
                start(1, "call_b", "bash"),
                delta(1, "{"),
                delta(1, "}"),
                delta(0, " "),
                start(2, "call_c", "pwd"),
            ],
            false
        )),
        "some servers give every call the index 0, or none: another id is another call"
    );
}

#[test]
fn test_ch2_chunks_of_calls_with_one_id() {
    let chunks = [
        calls(
            json!([{ "index": 0, "id": "call_a", "function": { "name": "read" } }, { "index": 1, "id": "call_a", "function": { "name": "bash" } }]),
        ),
        calls(json!([{ "index": 2, "function": { "name": "pwd" } }])),
        calls(json!([{ "index": 1, "id": "call_a", "function": { "arguments": "{}" } }])),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let (events, _) = read_all(&chunks).expect("good chunks");
    let starts = starts(&events);
    assert_eq!(
        starts.iter().map(|start| start.0).collect::<Vec<_>>(),
        [0, 1, 2],
        "three indexes are three calls, whatever their ids: {events:?}"
    );
    assert_eq!(
        (starts[0].1.as_str(), starts[1].1.as_str()),
        ("call_a", "call_a_2"),
        "the second call of an id gets one of its own, as in the finished reply"
    );
    assert!(
        starts[2].1.starts_with("call_") && !starts[2].1.ends_with('_'),
        "a call without an id gets one: {starts:?}"
    );
    assert_eq!(
        arguments_of(&events, 1),
        "{}",
        "an entry that repeats the server's id goes on with that call"
    );
}

#[test]
fn test_ch2_chunks_of_usage() {
    for (reported, expected) in [
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3 }),
            usage(12, 3, 0),
        ),
        (
            json!({ "prompt_tokens": 1200, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 1100 } }),
            usage(100, 3, 1100),
        ),
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": null } }),
            usage(12, 3, 0),
        ),
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": null }),
            usage(12, 3, 0),
        ),
        (
            json!({ "prompt_tokens": 5, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 9 } }),
            usage(0, 3, 9),
        ),
    ] {
        let chunk = json!({ "choices": [], "usage": reported }).to_string();
        assert_eq!(
            read_all(&[&chunk]),
            Ok((vec![StreamEvent::Usage(expected)], false)),
            "tokens from the cache are counted beside the input, not in it: {reported}"
        );
    }
}

#[test]
fn test_ch2_chunks_that_end_too_early() {
    for (reason, words) in [("length", "length"), ("content_filter", "content filter")] {
        let chunk =
            json!({ "choices": [{ "delta": { "content": "So" }, "finish_reason": reason }] });
        let (events, is_finished) = read_all(&[&chunk.to_string()]).expect("a good chunk");
        assert!(is_finished, "{reason} finishes the reply");
        let text: String = events.iter().filter_map(text_of).collect();
        assert!(
            text.starts_with("So") && text.to_lowercase().contains(words),
            "a reply cut short by {reason} looks whole unless its text says otherwise, with the word {words:?}; it reads: {text:?}"
        );
    }
    for reason in ["stop", "tool_calls", "function_call", "something new"] {
        let chunk = json!({ "choices": [{ "delta": {}, "finish_reason": reason }] });
        assert_eq!(
            read_all(&[&chunk.to_string()]),
            Ok((vec![], true)),
            "{reason} needs no words"
        );
    }
}

#[test]
fn test_ch2_chunks_that_are_none() {
    for (text, words) in [
        ("<html>Welcome</html>", "<html>Welcome</html>"),
        ("{\"choices\":[{\"del", "{\"choices\":[{\"del"),
        ("{\"answer\":42}", "{\"answer\":42}"),
        ("42", "42"),
        ("{\"choices\":[{\"delta\":{\"content\":7}}]}", "7"),
    ] {
        let error = read_all(&[text]).expect_err("this is no chunk");
        assert_eq!(kind(&error), "MalformedReply", "{text:?} became {error:?}");
        let said = error.to_string();
        assert!(
            said.contains(words),
            "the error should quote what came, {words:?}; it reads: {said}"
        );
    }
}

#[test]
fn test_ch2_chunks_of_errors() {
    for (error, expected) in [
        (json!({ "message": "busy", "code": 429 }), "RateLimited"),
        (
            json!({ "message": "busy", "type": "rate_limit_error", "code": null }),
            "RateLimited",
        ),
        (
            json!({ "message": "busy", "type": "overloaded_error" }),
            "Overloaded",
        ),
        (
            json!({ "message": "busy", "type": "server_error" }),
            "Overloaded",
        ),
        (json!({ "message": "busy", "code": 1302 }), "BadRequest"),
        (
            json!({ "message": "busy", "code": "invalid_api_key" }),
            "Authentication",
        ),
        (
            json!({ "message": "busy", "code": "context_length_exceeded" }),
            "ContextOverflow",
        ),
        (
            json!({ "message": "busy: maximum context length is 8" }),
            "ContextOverflow",
        ),
        (json!("busy"), "BadRequest"),
    ] {
        let chunk = json!({ "error": error, "choices": [{ "delta": { "content": "" } }] });
        let found = read_all(&[&chunk.to_string()]).expect_err("it reports an error");
        assert_eq!(kind(&found), expected, "{chunk} became {found:?}");
        assert!(found.to_string().contains("busy"), "{found}");
    }
}

/// The events of these chunks, and whether the reply is finished after them.
fn read_all(chunks: &[&str]) -> Result<(Vec<StreamEvent>, bool), ProviderError> {
    let mut reader = ChunkReader::default();
    let mut events = Vec::new();
    for chunk in chunks {
        events.extend(reader.read(chunk)?);
    }
    Ok((events, reader.is_finished()))
}
