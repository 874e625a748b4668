//! Section 2.11: Chunks of a reply

use claw_code::provider::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch2_chunks_become_text_deltas() {
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"Hel","refusal":""}}],"usage":null}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]}"#,
            " ",
            r#"{"choices":[{"delta":{"content":"\n\n"}},{"delta":{"content":"second choice"}}]}"#,
            r#"{"choices":[{"index":0,"delta":{"refusal":" No.","content":"[DONE]"}}]}"#,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":null}]}"#,
            r#"{"choices":[]}"#,
        ]),
        Ok((
            ["Hel", "lo", "\n\n", "[DONE]", " No."]
                .map(text_delta)
                .to_vec(),
            true
        )),
        "the first choice's text, then its refusal, become text deltas; empty text has no event, white space and a text with [DONE] have one, and a finish reason finishes the reply for good"
    );
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#,
            r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#,
        ]),
        Ok((
            vec![text_delta("Hi."), StreamEvent::Usage(usage(3, 1, 0))],
            true
        )),
        "the usage comes after the finish reason and is still read"
    );
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"delta":{"content":"Hel"},"finish_reason":null}]}"#,
            " \n",
        ]),
        Ok((vec![text_delta("Hel")], false)),
        "without a finish reason the reply is not finished, and white space does not finish it"
    );
}

#[test]
fn test_ch2_whole_reply_is_read_like_one_chunk() {
    assert_eq!(
        read_all(&[
            r#"{"choices":[{"message":{"role":"assistant","content":"Hi.","tool_calls":[
            {"id":"call_1","type":"function","function":{"name":"pwd","arguments":"{}"}},
            {"id":"call_2","type":"function","function":{"name":"read","arguments":{"path":"a"}}}
        ]}}],"usage":{"prompt_tokens":1200,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":1000}}}"#
        ]),
        Ok((
            vec![
                text_delta("Hi."),
                call_start(0, "call_1", "pwd"),
                call_delta(0, "{}"),
                call_start(1, "call_2", "read"),
                call_delta(1, r#"{"path":"a"}"#),
                StreamEvent::Usage(usage(200, 7, 1000)),
            ],
            true
        )),
        "a message is read like a delta that contains everything, and finishes the reply"
    );
}

#[test]
fn test_ch2_chunk_may_lack_choices_or_delta() {
    let counts = json!({ "prompt_tokens": 3, "completion_tokens": 1 });
    let used = StreamEvent::Usage(usage(3, 1, 0));
    let end = json!({ "finish_reason": "stop" });
    for (chunk, events, is_finished) in [
        (json!({ "usage": counts }), vec![used.clone()], false),
        (
            json!({ "choices": [{ "delta": { "content": "So" } }], "usage": counts }),
            vec![text_delta("So"), used.clone()],
            false,
        ),
        (
            json!({ "choices": [end], "usage": counts }),
            vec![used],
            true,
        ),
        (
            json!({ "choices": [{ "delta": null, "finish_reason": "stop" }] }),
            vec![],
            true,
        ),
    ] {
        assert_eq!(
            read_all(&[&chunk.to_string()]),
            Ok((events, is_finished)),
            "every field of a chunk is optional, and the others count without it: {chunk}"
        );
    }
    let cut = json!({ "choices": [{ "finish_reason": "length" }], "usage": counts });
    let (events, _) = read_all(&[&cut.to_string()]).expect("a valid chunk");
    assert!(
        matches!(
            events[..],
            [StreamEvent::TextDelta(_), StreamEvent::Usage(_)]
        ),
        "the note needs no delta, and comes before the usage; {cut} became {events:?}"
    );
}

#[test]
fn test_ch2_choice_with_delta_and_message_is_read_once() {
    let chunk = |delta, message, reason: Option<&str>| {
        let (delta, message) = (json!({ "content": delta }), json!({ "content": message }));
        json!({ "choices": [{ "delta": delta, "message": message, "finish_reason": reason }] })
            .to_string()
    };
    let chunks = [chunk("Hel", "Hel", None), chunk("lo", "Hello", None)];
    let end = chunk("", "Hello", Some("stop"));
    let deltas = ["Hel", "lo"].map(text_delta).to_vec();
    assert_eq!(
        read_all(&[&chunks[0], &chunks[1]]),
        Ok((deltas.clone(), false)),
        "in a stream, the message repeats the text so far: the deltas are the reply, and the message does not finish it"
    );
    assert_eq!(
        read_all(&[&chunks[0], &chunks[1], &end]),
        Ok((deltas, true)),
        "the last message repeats the whole text, beside an empty delta"
    );
    let mut whole = ChunkReader::whole();
    assert_eq!(
        (whole.read(&end), whole.is_finished()),
        (Ok(vec![text_delta("Hello")]), true),
        "in a reply that is a single object, the message is the reply"
    );
}

#[test]
fn test_ch2_chunks_start_each_call_once() {
    let events = read_calls(&[
        json!([{ "index": 0, "id": "call_a", "type": "function", "function": { "name": "read", "arguments": "" } }]),
        json!([{ "index": 1, "id": "call_b", "function": { "name": "bash", "arguments": "{\"com" } }]),
        json!([{ "index": 0, "function": { "arguments": "{\"path\":" } }, { "index": 1, "function": { "arguments": "mand\":" } }]),
        json!([{ "index": 1, "id": "call_b", "function": { "arguments": "\"ls\"}" } }]),
        json!([{ "index": 0, "id": null, "function": { "name": null, "arguments": "1}" } }]),
    ]);
    assert_eq!(
        events,
        [
            call_start(0, "call_a", "read"),
            call_start(1, "call_b", "bash"),
            call_delta(1, "{\"com"),
            call_delta(0, "{\"path\":"),
            call_delta(1, "mand\":"),
            call_delta(1, "\"ls\"}"),
            call_delta(0, "1}"),
        ],
        "each call starts once, and later entries with its index continue its arguments"
    );
}

#[test]
fn test_ch2_chunks_separate_calls_that_share_an_index() {
    let events = read_calls(&[
        json!([{ "index": 0, "id": "call_a", "function": { "name": "read", "arguments": "{}" } }]),
        json!([{ "index": 0, "id": "call_b", "function": { "name": "bash", "arguments": "{" } }]),
        json!([{ "index": 0, "function": { "arguments": "}" } }]),
        json!([{ "index": 0, "id": "call_a", "function": { "arguments": " " } }]),
        json!([{ "id": "call_c", "function": { "name": "pwd" } }]),
    ]);
    assert_eq!(
        events[..4],
        [
            call_start(0, "call_a", "read"),
            call_delta(0, "{}"),
            call_start(1, "call_b", "bash"),
            call_delta(1, "{"),
        ],
        "some servers give every call the index 0 or none, so another id means another call"
    );
    assert_eq!(
        events[4..],
        [
            call_delta(1, "}"),
            call_delta(0, " "),
            call_start(2, "call_c", "pwd"),
        ],
        "an entry without an id continues the latest call, an older id continues its own call, and a new id starts one"
    );
}

#[test]
fn test_ch2_chunks_without_an_index_use_the_position() {
    let events = read_calls(&[
        json!([{ "id": "a", "function": { "arguments": "{" } }, { "id": "b", "function": { "arguments": "{}" } }]),
        json!([{ "function": { "arguments": "}" } }]),
    ]);
    let arguments = [0, 1].map(|call| arguments_of(&events, call));
    assert_eq!(
        (starts_of(&events).len(), arguments),
        (2, ["{}", "{}"].map(String::from)),
        "without an index, an entry's position in its list is its index, so the last entry continues the first call: {events:?}"
    );
}

#[test]
fn test_ch2_chunks_give_each_call_its_own_id() {
    let events = read_calls(&[
        json!([{ "index": 0, "id": "call_a", "function": { "name": "read" } }, { "index": 1, "id": "call_a", "function": { "name": "bash" } }]),
        json!([{ "index": 2, "function": { "name": "pwd" } }]),
        json!([{ "index": 1, "id": "call_a", "function": { "arguments": "{}" } }]),
        json!([{ "index": 2, "id": "call_x", "function": { "name": "ls" } }]),
    ]);
    let starts = starts_of(&events);
    let indexes: Vec<usize> = starts.iter().map(|(index, ..)| *index).collect();
    assert_eq!(
        indexes,
        [0, 1, 2, 3],
        "three indexes are three calls, and an id that no call has starts another: {events:?}"
    );
    let ids: Vec<&str> = starts.iter().map(|(_, id, _)| id.as_str()).collect();
    assert_eq!(
        ids[..2],
        ["call_a", "call_a_2"],
        "the second call with an id gets the same new id as in the finished reply"
    );
    assert!(
        ids[2].starts_with("call_") && !ids[2].ends_with('_'),
        "a call without an id gets a new one: {ids:?}"
    );
    assert_eq!(
        arguments_of(&events, 1),
        "{}",
        "an entry with the server's id continues the call that got a new id"
    );
}

#[test]
fn test_ch2_usage_counts_cached_tokens_once() {
    let tokens = |prompt: u64, details: Value| json!({ "prompt_tokens": prompt, "completion_tokens": 3, "prompt_tokens_details": details });
    for (reported, expected) in [
        (
            json!({ "prompt_tokens": 12, "completion_tokens": 3 }),
            usage(12, 3, 0),
        ),
        (
            tokens(1200, json!({ "cached_tokens": 1100 })),
            usage(100, 3, 1100),
        ),
        (
            tokens(12, json!({ "cached_tokens": null })),
            usage(12, 3, 0),
        ),
        (tokens(12, json!(null)), usage(12, 3, 0)),
        (tokens(5, json!({ "cached_tokens": 9 })), usage(0, 3, 9)),
    ] {
        let chunk = json!({ "choices": [], "usage": reported }).to_string();
        assert_eq!(
            read_all(&[&chunk]),
            Ok((vec![StreamEvent::Usage(expected)], false)),
            "cached tokens are counted in `cache_read_tokens` and not in `input_tokens`: {reported}"
        );
    }
}

#[test]
fn test_ch2_early_end_adds_a_note() {
    for (part, reason, cause) in [
        ("delta", "length", "length"),
        ("delta", "content_filter", "content filter"),
        ("message", "length", "length"),
    ] {
        let call = json!([{ "index": 0, "id": "a", "function": { "name": "ls" } }]);
        let delta = json!({ "content": "So", "tool_calls": call });
        let chunk = json!({ "choices": [{ (part): delta, "finish_reason": reason }] });
        let (events, is_finished) = read_all(&[&chunk.to_string()]).expect("a valid chunk");
        assert!(
            matches!(events.last(), Some(StreamEvent::TextDelta(_))),
            "the note of a {part} is last, after the calls: {events:?}"
        );
        assert!(is_finished, "{reason} finishes the reply");
        let text = text_of(&events);
        let note = text.strip_prefix("So\n").unwrap_or_default().trim();
        assert!(
            note.starts_with('[') && note.ends_with(']') && note.to_lowercase().contains(cause),
            "a reply cut off by {reason} looks complete, so after its text comes a line in brackets that names the {cause:?}; the text reads: {text:?}"
        );
    }
}

#[test]
fn test_ch2_call_that_is_cut_before_its_arguments_is_invalid() {
    for (arguments, expected) in [("", vec!["{"]), ("{\"a\":", vec!["{\"a\":"])] {
        let function = json!({ "name": "ls", "arguments": arguments });
        let call = json!([{ "index": 0, "id": "a", "function": function }]);
        let start = json!({ "choices": [{ "delta": { "tool_calls": call } }] });
        let end = json!({ "choices": [{ "delta": {}, "finish_reason": "length" }] });
        let (events, _) = read_all(&[&start.to_string(), &end.to_string()]).expect("valid chunks");
        let deltas = events.iter().filter_map(|event| match event {
            StreamEvent::ToolCallDelta { arguments, .. } => Some(arguments.as_str()),
            _ => None,
        });
        assert_eq!(
            deltas.collect::<Vec<_>>(),
            expected,
            "a call that began with {arguments:?} and was cut off must not run without arguments"
        );
    }
}

#[test]
fn test_ch2_normal_end_adds_no_note() {
    for reason in [
        "stop",
        "tool_calls",
        "function_call",
        "max_tokens",
        "new",
        "",
    ] {
        let chunk = json!({ "choices": [{ "delta": {}, "finish_reason": reason }] });
        assert_eq!(
            read_all(&[&chunk.to_string()]),
            Ok((vec![], true)),
            "{reason:?} finishes the reply without a note"
        );
    }
    let done = Ok((vec![], true));
    assert_eq!(read_all(&[" [DONE]\n"]), done, "[DONE] finishes the reply");
    let call = json!([{ "index": 0, "id": "a", "function": { "name": "ls" } }]);
    let end = json!({ "delta": { "tool_calls": call }, "finish_reason": "tool_calls" });
    assert_eq!(
        read_all(&[&json!({ "choices": [end] }).to_string()]),
        Ok((vec![call_start(0, "a", "ls")], true)),
        "a call without arguments is complete if the reply ends normally"
    );
}

#[test]
fn test_ch2_invalid_chunk_is_a_malformed_reply() {
    for (text, quote) in [
        ("<html>Welcome</html>", "<html>Welcome</html>"),
        ("{\"choices\":[{\"del", "{\"choices\":[{\"del"),
        ("{\"answer\":42}", "{\"answer\":42}"),
        ("42", "42"),
        ("{\"choices\":[{\"delta\":{\"content\":7}}]}", "7"),
    ] {
        let error = read_all(&[text]).expect_err("this is not a chunk");
        assert_eq!(
            variant(&error),
            "MalformedReply",
            "{text:?} became {error:?}"
        );
        assert!(
            error.to_string().contains(quote),
            "the error should quote the text, {quote:?}; it reads: {error}"
        );
    }
}

#[test]
fn test_ch2_error_in_a_chunk_selects_error_variant() {
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
        (
            json!({ "message": "busy", "type": "insufficient_quota", "code": "credit_balance_exhausted" }),
            "Authentication",
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
        let chunk = json!({ "error": error, "choices": [{ "delta": { "content": "So" } }] });
        let error = read_all(&[&chunk.to_string()]).expect_err("the chunk has an error");
        assert_eq!(variant(&error), expected, "{chunk} became {error:?}");
        assert!(
            error.to_string().contains("busy"),
            "the error should contain the server's message, \"busy\"; it reads: {error}"
        );
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

/// The events of chunks with these values of `tool_calls`. They do not finish the reply.
#[track_caller]
fn read_calls(tool_calls: &[Value]) -> Vec<StreamEvent> {
    let chunks = tool_calls.iter().map(|entries| {
        json!({ "choices": [{ "index": 0, "delta": { "tool_calls": entries } }] }).to_string()
    });
    let chunks: Vec<String> = chunks.collect();
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let (events, is_finished) = read_all(&chunks).expect("the chunks are valid");
    assert!(!is_finished, "calls alone do not finish the reply");
    events
}
