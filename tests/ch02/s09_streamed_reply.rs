//! Section 2.9: A reply as it is written

use std::io::{Read, Write};
use std::net::TcpListener;

use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script};
use serde_json::json;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch2_stream_passes_on_and_returns_the_same() {
    let text = "One 中, two 🦀, three.";
    let step = || {
        Reply::text(text)
            .usage(1200, 7)
            .cached(1000)
            .and_tool_calls([
                ("call_1", "list", json!({ "path": "src/provider" })),
                ("call_2", "pwd", json!({})),
            ])
    };
    for chunk in [None, Some(1), Some(3), Some(64)] {
        let mut script = Script::new().reply(step());
        if let Some(bytes) = chunk {
            script = script.chunk(bytes);
        }
        let server = server(script).await;
        let provider = provider(&server, |_| {});
        let messages = [Message::User(user("Hello?"))];
        let (reply, events) = streamed(&provider, &messages, &[]).await;
        let reply = reply.unwrap_or_else(|error| panic!("in pieces of {chunk:?} bytes: {error}"));
        assert_eq!(reply.text.as_deref(), Some(text), "in pieces of {chunk:?}");
        assert_eq!(
            reply.tool_calls,
            [
                call("call_1", "list", json!({ "path": "src/provider" })),
                call("call_2", "pwd", json!({})),
            ]
        );
        assert_eq!(reply.usage, Some(usage(200, 7, 1000)));
        assert_eq!(reply.stop_reason, StopReason::ToolUse);
        assert_eq!(
            server.requests()[0].body,
            request_body("small-model", &messages, &[], true),
            "the body is the one of section 2.6, streamed"
        );

        let mut again = accumulated(&events).expect("Done was sent");
        again.id.clone_from(&reply.id);
        assert_eq!(again, reply, "the events sent make up the reply returned");
        let dones = events.iter().filter(|e| matches!(e, StreamEvent::Done(_)));
        assert_eq!(dones.count(), 1, "Done is sent once");
        assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::ToolUse)));
    }
}

#[tokio::test]
async fn test_ch2_stream_shows_text_as_it_comes() {
    let server = server(Script::new().fault(Fault::Stall { after_bytes: 1200 })).await;
    let provider = provider(&server, |config| config.idle_timeout = HANG);
    let (sender, mut receiver) = mpsc::channel(1);
    let messages = [Message::User(user("Hello?"))];
    let stream = provider.stream(&messages, &[], &sender);
    let first = async {
        loop {
            match receiver.recv().await {
                Some(StreamEvent::TextDelta(text)) => return text,
                Some(_) => {}
                None => panic!("no text came"),
            }
        }
    };
    in_time(async {
        tokio::select! {
            outcome = stream => panic!("the reply is not complete, and yet it ended: {outcome:?}"),
            text = first => assert!(!text.is_empty()),
        }
    })
    .await;
}

#[tokio::test]
async fn test_ch2_stream_that_stops() {
    let reply = || Reply::text("These are words enough to be cut in the middle of them.");
    let whole = 400;
    for (fault, words) in [
        (Fault::CutAfter { bytes: whole }, String::new()),
        (Fault::Stall { after_bytes: whole }, format!("{SHORT:?}")),
        (Fault::CutAfter { bytes: 0 }, String::new()),
    ] {
        let server = server(Script::new().fault_in(fault.clone(), reply())).await;
        let provider = provider(&server, |config| config.idle_timeout = SHORT);
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        let error = outcome.expect_err("half a reply is none");
        assert_eq!(kind(&error), "Network", "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(&words),
            "{fault:?}: the error should say how long nothing came, {words}; it reads: {error}"
        );
        assert!(
            !events.iter().any(|e| matches!(e, StreamEvent::Done(_))),
            "{fault:?}: after an error no Done has been sent: {events:?}"
        );
    }
}

#[tokio::test]
async fn test_ch2_stream_ends_without_saying_so() {
    let chunk = r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":null}]}"#;
    let stop = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for (body, expected) in [
        (format!("data: {chunk}\n\ndata: {stop}\n\n"), Some("Hi.")),
        (
            format!("data: {chunk}\n\ndata: {stop}\n\ndata: {{\"cho"),
            Some("Hi."),
        ),
        (format!("data: {chunk}\n\ndata: [DONE]\n\n"), Some("Hi.")),
        (format!("data: {chunk}\n\n"), None),
        (format!("data: {chunk}\n\ndata: {stop}\n"), None),
        ("<html></html>".to_string(), None),
        (String::new(), None),
    ] {
        let server = server(Script::new().fault(sse(&body))).await;
        let provider = provider(&server, |_| {});
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        match expected {
            Some(text) => {
                let reply = outcome.unwrap_or_else(|error| panic!("{body:?}: {error}"));
                assert_eq!(reply.text.as_deref(), Some(text));
                assert_eq!(
                    events.last(),
                    Some(&StreamEvent::Done(StopReason::Stop)),
                    "a finish reason completes the reply, with or without [DONE]: {body:?}"
                );
            }
            None => {
                let error = outcome.expect_err("nothing said that the reply is complete");
                assert_eq!(kind(&error), "Network", "{body:?} became {error:?}");
                assert!(error.to_string().contains("broke off"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn test_ch2_stream_is_over_when_it_is_finished() {
    let server = server(
        Script::new()
            .fault_in(
                Fault::Stall {
                    after_bytes: 100_000,
                },
                Reply::text("Hi."),
            )
            .fault_in(Fault::CutAfter { bytes: 100_000 }, Reply::text("Hi.")),
    )
    .await;
    let provider = provider(&server, |_| {});
    for what in ["stalls", "is cut"] {
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        let reply = outcome.unwrap_or_else(|error| {
            panic!("a connection that {what} after [DONE] takes nothing away: {error}")
        });
        assert_eq!(reply.text.as_deref(), Some("Hi."));
        assert_eq!(events.last(), Some(&StreamEvent::Done(StopReason::Stop)));
    }
}

#[tokio::test]
async fn test_ch2_stream_is_over_before_done() {
    let body = r#"data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let provider = OpenAiProvider::new(OpenAiConfig {
        idle_timeout: SHORT,
        ..OpenAiConfig::new(held_open(format!("{body}\n\n")), "m")
    })
    .expect("a good URL");
    let (outcome, _) = streamed(&provider, &[], &[]).await;
    assert_eq!(
        outcome.map(|reply| reply.text),
        Ok(Some("Hi.".to_string())),
        "a connection that stalls between the finish reason and [DONE] takes nothing away either"
    );
}

#[tokio::test]
async fn test_ch2_stream_brings_something_else() {
    let good = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi.\"}}]}\n\n";
    let bad = b"data: b\xFFd\n\n";
    let error = r#"data: {"error":{"message":"out of room","code":503}}"#;
    let raw = |content_type: &str, body: Vec<u8>| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body,
    };
    for (fault, expected, words, sees_text) in [
        (Fault::GarbageEvent, "MalformedReply", "this is not", true),
        (
            Fault::OversizedEvent { bytes: 20_000 },
            "MalformedReply",
            "10000 bytes",
            true,
        ),
        (Fault::InvalidUtf8, "MalformedReply", "UTF-8", true),
        (
            sse(&format!("{good}{error}\n\n")),
            "Overloaded",
            "out of room",
            true,
        ),
        (
            raw("text/event-stream", [good.as_bytes(), bad].concat()),
            "MalformedReply",
            "UTF-8",
            true,
        ),
        (
            raw("text/html", b"<html>Log in</html>".to_vec()),
            "MalformedReply",
            "<html>Log in</html>",
            false,
        ),
        (
            Fault::Status {
                status: 429,
                retry_after: Some("3".into()),
                body: "slow down".into(),
            },
            "RateLimited",
            "slow down",
            false,
        ),
    ] {
        let server = server(Script::new().fault(fault.clone())).await;
        let provider = provider(&server, |config| config.max_bytes = 10_000);
        let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
        let error = outcome.expect_err("this is no reply");
        assert_eq!(kind(&error), expected, "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(words),
            "{fault:?}: the error should speak of {words:?}; it reads: {error}"
        );
        assert_eq!(
            events.iter().any(|event| text_of(event).is_some()),
            sees_text,
            "{fault:?}: what came before the error was passed on: {events:?}"
        );
        assert!(!events.iter().any(|e| matches!(e, StreamEvent::Done(_))));
    }
}

#[tokio::test]
async fn test_ch2_stream_from_a_server_that_does_not_stream() {
    let body = json!({ "choices": [{ "message": { "content": "Hi." }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 1 } });
    let server = server(Script::new().fault(Fault::Raw {
        status: 200,
        content_type: "application/json".into(),
        body: body.to_string().into_bytes(),
    }))
    .await;
    let provider = provider(&server, |_| {});
    let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
    let reply = outcome.expect("a reply in one piece is a reply");
    assert_eq!(reply.text.as_deref(), Some("Hi."));
    assert_eq!(
        events,
        [
            StreamEvent::TextDelta("Hi.".into()),
            StreamEvent::Usage(usage(3, 1, 0)),
            StreamEvent::Done(StopReason::Stop),
        ]
    );
}

#[tokio::test]
async fn test_ch2_stream_keeps_odd_calls() {
    let step = Reply::empty()
        .and_raw_call("call_1", "bash", "{\"command\": \"ls")
        .and_raw_call("call_1", "pwd", "");
    let server = server(Script::new().reply(step)).await;
    let provider = provider(&server, |_| {});
    let (outcome, events) = streamed(&provider, &[Message::User(user("Hello?"))], &[]).await;
    let reply = outcome.expect("odd calls are calls");
    assert_eq!(
        reply.tool_calls,
        [
            call("call_1", "bash", json!("{\"command\": \"ls")),
            call("call_1_2", "pwd", json!({})),
        ],
        "torn arguments are kept as they came, and two calls of one id are told apart"
    );
    assert_eq!(
        starts(&events)[1].1,
        "call_1_2",
        "the events have the same ids as the reply"
    );
}

#[tokio::test]
async fn test_ch2_stream_outlives_its_reader() {
    let server = server(Script::new().reply(Reply::text("All of this is kept."))).await;
    let provider = provider(&server, |_| {});
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let reply = in_time(provider.stream(&[Message::User(user("Hello?"))], &[], &sender)).await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("All of this is kept.".to_string())),
        "a reader that has gone away does not end the reply"
    );
}

/// A stream of events, as a server would send it.
fn sse(body: &str) -> Fault {
    Fault::Raw {
        status: 200,
        content_type: "text/event-stream".into(),
        body: body.as_bytes().to_vec(),
    }
}

/// The base URL of a server that answers one request with the beginning of a stream, and
/// then holds the line until the other side closes it.
fn held_open(body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("its address");
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
