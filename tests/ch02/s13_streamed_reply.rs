//! Section 2.13: A streamed reply

use std::io::{Read, Write};
use std::net::TcpListener;

use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script};
use serde_json::json;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch2_stream_returns_the_same_reply_under_any_split() {
    for bytes in [None, Some(1), Some(3), Some(64)] {
        let (outcome, _) = stream_from(split(script_with_calls(), bytes), |_| {}).await;
        let reply = outcome.unwrap_or_else(|error| panic!("in pieces of {bytes:?}: {error}"));
        assert_eq!(reply.text.as_deref(), Some("One 中, two 🦀, three."));
        assert_eq!(
            reply.tool_calls,
            [
                tool_call("call_1", "list", json!({ "path": "src/provider" })),
                tool_call("call_2", "pwd", json!({})),
            ],
            "in pieces of {bytes:?} bytes"
        );
        assert_eq!(
            reply.usage,
            Some(usage(200, 7, 1000)),
            "the usage comes after the finish reason, so read on until [DONE]"
        );
        assert_eq!(reply.stop_reason, StopReason::ToolUse);
    }
}

#[tokio::test]
async fn test_ch2_stream_events_make_up_the_reply() {
    for bytes in [None, Some(1), Some(3), Some(64)] {
        let (outcome, events) = stream_from(split(script_with_calls(), bytes), |_| {}).await;
        let reply = outcome.unwrap_or_else(|error| panic!("in pieces of {bytes:?}: {error}"));
        let mut accumulated = accumulate(&events).expect("Done was sent");
        accumulated.id.clone_from(&reply.id);
        assert_eq!(accumulated, reply, "the events make up the returned reply");
        assert_eq!(
            (events.last(), count_done(&events)),
            (Some(&StreamEvent::Done(StopReason::ToolUse)), 1),
            "Done is the last event and is sent once"
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_sends_the_streamed_body() {
    let server = start_server(script_with_calls()).await;
    let messages = [user("Hello?")];
    let (outcome, _) = stream(&provider_for(&server, |_| {}), &messages).await;
    outcome.expect("a reply");
    assert_eq!(
        server.requests()[0].body,
        request_body("small-model", &messages, &[&tool("read")], true),
        "the body comes from section 2.10 and is streamed"
    );
}

#[tokio::test]
async fn test_ch2_stream_forwards_text_as_it_arrives() {
    let fault = Fault::Stall { after_bytes: 1200 };
    let server = start_server(Script::new().fault(fault)).await;
    let provider = provider_for(&server, |config| config.idle_timeout = DEADLINE);
    let (sender, mut receiver) = mpsc::channel(1);
    let messages = [user("Hello?")];
    let first_text = async {
        while let Some(event) = receiver.recv().await {
            if let StreamEvent::TextDelta(text) = event {
                return text;
            }
        }
        panic!("the stream ended without text")
    };
    in_time(async {
        tokio::select! {
            outcome = provider.stream(&messages, &[], &sender) => {
                panic!("the reply is incomplete, so `stream` should still wait: {outcome:?}")
            }
            text = first_text => assert!(!text.is_empty()),
        }
    })
    .await;
}

#[tokio::test]
async fn test_ch2_stream_that_breaks_off_is_a_network_error() {
    let limit = format!("{SHORT_TIMEOUT:?}");
    for (fault, part) in [
        (Fault::CutAfter { bytes: 400 }, ""),
        (Fault::Stall { after_bytes: 400 }, limit.as_str()),
        (Fault::CutAfter { bytes: 0 }, ""),
    ] {
        let reply = Reply::text("This text is long enough to be cut in the middle.");
        let script = Script::new().fault_in(fault.clone(), reply);
        let (outcome, events) =
            stream_from(script, |config| config.idle_timeout = SHORT_TIMEOUT).await;
        let error = outcome.expect_err("the reply is incomplete");
        assert_eq!(variant(&error), "Network", "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(part),
            "{fault:?}: the error should name the timeout {part}; it reads: {error}"
        );
        assert_eq!(
            count_done(&events),
            0,
            "{fault:?}: before an error no Done is sent: {events:?}"
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_is_complete_after_finish_reason_or_done() {
    for body in [
        format!("data: {CHUNK}\n\ndata: {STOP}\n\n"),
        format!("data: {CHUNK}\n\ndata: {STOP}\n\ndata: {{\"cho"),
        format!("data: {CHUNK}\n\ndata: [DONE]\n\n"),
        format!("data: {CHUNK}\n\ndata:  [DONE] \n\ndata: not a chunk\n\n"),
    ] {
        let (outcome, events) = stream_from(event_stream(body.as_str()), |_| {}).await;
        let reply = outcome.unwrap_or_else(|error| panic!("{body:?}: {error}"));
        assert_eq!(reply.text.as_deref(), Some("Hi."));
        assert_eq!(
            events.last(),
            Some(&StreamEvent::Done(StopReason::Stop)),
            "a finish reason or [DONE] completes the reply: {body:?}"
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_is_incomplete_without_finish_reason_and_done() {
    for body in [
        format!("data: {CHUNK}\n\n"),
        format!("data: {CHUNK}\n\ndata: {STOP}\n"),
        "<html></html>".to_string(),
        String::new(),
    ] {
        let (outcome, _) = stream_from(event_stream(body.as_str()), |_| {}).await;
        let error = outcome.expect_err("no event says that the reply is complete");
        assert_eq!(variant(&error), "Network", "{body:?} became {error:?}");
        assert!(error.to_string().contains("broke off"), "{error}");
    }
}

#[tokio::test]
async fn test_ch2_stream_ignores_a_break_after_done() {
    let after = 100_000;
    for fault in [
        Fault::Stall { after_bytes: after },
        Fault::CutAfter { bytes: after },
    ] {
        let script = Script::new().fault_in(fault.clone(), Reply::text("Hi."));
        let (outcome, events) = stream_from(script, |_| {}).await;
        let reply = outcome.unwrap_or_else(|error| {
            panic!("after [DONE] the reply is complete, even with {fault:?}: {error}")
        });
        assert_eq!(reply.text.as_deref(), Some("Hi."));
        assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::Stop)));
    }
}

#[tokio::test]
async fn test_ch2_stream_ignores_a_stall_after_finish_reason() {
    let body = r#"data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let provider = OpenAiProvider::new(OpenAiConfig {
        idle_timeout: SHORT_TIMEOUT,
        ..OpenAiConfig::new(stalling_server(format!("{body}\n\n")), "m")
    })
    .expect("a valid URL");
    let (outcome, _) = stream(&provider, &[]).await;
    assert_eq!(
        outcome.map(|reply| reply.text),
        Ok(Some("Hi.".to_string())),
        "the finish reason completes the reply, even if the connection stalls before [DONE]"
    );
}

#[tokio::test]
async fn test_ch2_stream_reports_invalid_bytes_after_finish_reason() {
    let start = format!("data: {CHUNK}\n\ndata: {STOP}\n\n");
    for end in [&b"data: b\xFFd\n\n"[..], b"data: not JSON\n\n"] {
        let body = [start.as_bytes(), end].concat();
        let script = Script::new().fault(response("text/event-stream", body));
        let (outcome, events) = stream_from(script, |_| {}).await;
        let error = outcome.expect_err("only a network error may end a finished reply");
        assert_eq!(variant(&error), "MalformedReply", "it became {error:?}");
        assert_eq!(count_done(&events), 0, "no Done before an error");
    }
}

#[tokio::test]
async fn test_ch2_stream_forwards_the_text_before_an_error() {
    let error = r#"{"error":{"message":"out of room","code":503}}"#;
    let error = format!("data: {CHUNK}\n\ndata: {error}\n\n");
    let garbage = format!("data: {CHUNK}\n\ndata: {{\"this is not\": JSON\n\n");
    let invalid = [format!("data: {CHUNK}\n\n").as_bytes(), b"data: b\xFFd\n\n"].concat();
    for (fault, expected, part) in [
        (
            response("text/event-stream", garbage),
            "MalformedReply",
            "this is not",
        ),
        (
            Fault::OversizedEvent { bytes: 20_000 },
            "MalformedReply",
            "10000 bytes",
        ),
        (Fault::InvalidUtf8, "MalformedReply", "UTF-8"),
        (
            response("text/event-stream", error),
            "Overloaded",
            "out of room",
        ),
        (
            response("text/event-stream", invalid),
            "MalformedReply",
            "UTF-8",
        ),
    ] {
        let events = check_stream_error(fault.clone(), expected, part).await;
        assert_ne!(
            text_of(&events),
            "",
            "{}: the text came before the error",
            describe(&fault)
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_reports_a_response_that_is_no_stream() {
    let refusal = Fault::Status {
        status: 429,
        retry_after: Some("3".into()),
        body: "slow down".into(),
    };
    let page = "<html>Log in</html>";
    for (fault, expected, part) in [
        (response("text/html", page), "MalformedReply", page),
        (refusal, "RateLimited", "slow down"),
    ] {
        let events = check_stream_error(fault.clone(), expected, part).await;
        assert_eq!(
            text_of(&events),
            "",
            "{} contains no text of a reply",
            describe(&fault)
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_reads_a_reply_that_is_not_streamed() {
    let body = json!({ "choices": [{ "message": { "content": "Hi." }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 1 } });
    for content_type in ["application/json", ""] {
        let script = Script::new().fault(response(content_type, body.to_string()));
        let (outcome, events) = stream_from(script, |_| {}).await;
        let reply = outcome.expect("one JSON object is a reply, also without a content type");
        assert_eq!(reply.text.as_deref(), Some("Hi."));
        assert_eq!(
            events,
            [
                text_delta("Hi."),
                StreamEvent::Usage(usage(3, 1, 0)),
                StreamEvent::Done(StopReason::Stop),
            ]
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_keeps_invalid_arguments_and_repeated_ids() {
    let answer = Reply::empty()
        .and_raw_call("call_1", "bash", "{\"command\": \"ls")
        .and_raw_call("call_1", "pwd", "");
    let (outcome, events) = stream_from(Script::new().reply(answer), |_| {}).await;
    assert_eq!(
        outcome.expect("a complete reply").tool_calls,
        [
            tool_call("call_1", "bash", json!("{\"command\": \"ls")),
            tool_call("call_1_2", "pwd", json!({})),
        ],
        "invalid arguments are kept unchanged, and a repeated id becomes unique"
    );
    assert_eq!(
        starts_of(&events)[1].1,
        "call_1_2",
        "the events have the same ids as the reply"
    );
}

#[tokio::test]
async fn test_ch2_stream_survives_a_dropped_receiver() {
    let server = start_server(Script::new().reply(Reply::text("All of this is kept."))).await;
    let provider = provider_for(&server, |_| {});
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let reply = in_time(provider.stream(&[user("Hello?")], &[], &sender)).await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("All of this is kept.".to_string())),
        "a dropped receiver does not end the reply"
    );
}

/// A chunk of text, and the chunk that finishes the reply.
const CHUNK: &str = r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":null}]}"#;
const STOP: &str = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;

/// Streams a reply from a server with this script.
async fn stream_from(script: Script, change: impl FnOnce(&mut OpenAiConfig)) -> Streamed {
    let server = start_server(script).await;
    stream(&provider_for(&server, change), &[user("Hello?")]).await
}

/// Checks that a fault ends the stream with an error that contains `part`, and that no
/// `Done` is sent. Returns the events.
async fn check_stream_error(fault: Fault, expected: &str, part: &str) -> Vec<StreamEvent> {
    let script = Script::new().fault(fault.clone());
    let (outcome, events) = stream_from(script, |config| config.max_bytes = 10_000).await;
    let error = outcome.expect_err("the reply is invalid");
    let fault = describe(&fault);
    assert_eq!(variant(&error), expected, "{fault} became {error:?}");
    assert!(
        error.to_string().contains(part),
        "{fault}: the error should contain {part:?}; it reads: {error}"
    );
    assert_eq!(count_done(&events), 0, "{fault}: no Done before an error");
    events
}

fn script_with_calls() -> Script {
    let reply = Reply::text("One 中, two 🦀, three.");
    let list = json!({ "path": "src/provider" });
    let calls = [("call_1", "list", list), ("call_2", "pwd", json!({}))];
    Script::new().reply(reply.usage(1200, 7).cached(1000).and_tool_calls(calls))
}

/// Sends the script's replies in pieces of so many bytes.
fn split(script: Script, bytes: Option<usize>) -> Script {
    match bytes {
        Some(bytes) => script.chunk(bytes),
        None => script,
    }
}

/// A response whose body is this event stream.
fn event_stream(body: &str) -> Script {
    Script::new().fault(response("text/event-stream", body))
}

/// The base URL of a server that responds to one request with the beginning of a stream,
/// and then keeps the connection open until the client closes it.
fn stalling_server(body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a connection");
        let mut request = [0; 4096];
        let _ = socket.read(&mut request);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        let _ = socket.write_all(format!("{head}{body}").as_bytes());
        let _ = socket.read_to_end(&mut Vec::new());
    });
    format!("http://{address}/v1")
}
