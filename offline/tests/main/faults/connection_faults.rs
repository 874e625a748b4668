//! Faults of the connection, as a client sees them.

use std::time::Duration;

use claw_offline::{Fault, Reply, Script, Server};
use serde_json::json;
use tokio::time::timeout;

use crate::support::{APIS, CHAT, MESSAGES, ask, post, prompt, read, send, server_with};

const HOUR: Duration = Duration::from_secs(3600);

async fn faulty_server(fault: Fault) -> Server {
    let script = Script::new().fault(fault);
    Server::with(script).await.expect("a free port")
}

/// The body of the default reply without a fault.
async fn intact_body(path: &str, is_stream: bool) -> Vec<u8> {
    let server = server_with(Reply::default()).await;
    ask(&server, path, &prompt(path, "hi", is_stream))
        .await
        .body
}

/// What arrives before the body ends or breaks, and whether it broke.
async fn until_broken(mut response: reqwest::Response) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return (body, false),
            Err(_) => return (body, true),
        }
    }
}

/// Reads this many bytes and checks that no chunk goes beyond them.
async fn read_exactly(response: &mut reqwest::Response, bytes: usize) {
    let mut length = 0;
    while length < bytes {
        let chunk = response.chunk().await.expect("the connection is open");
        length += chunk.expect("the body has not ended").len();
    }
    assert_eq!(length, bytes);
}

#[tokio::test]
async fn a_status_comes_with_its_header_and_body() {
    for (body, content_type) in [("{\"a\":1}", "application/json"), ("wait", "text/plain")] {
        let server = faulty_server(Fault::Status {
            status: 429,
            retry_after: Some("7".into()),
            body: body.into(),
        })
        .await;
        let answer = ask(&server, CHAT, &prompt(CHAT, "hi", true)).await;
        assert_eq!(answer.status, 429);
        assert_eq!(answer.retry_after.as_deref(), Some("7"));
        assert_eq!(answer.content_type, content_type);
        assert_eq!(answer.text(), body);
    }
}

#[tokio::test]
async fn a_status_may_have_no_retry_after_header() {
    let server = faulty_server(Fault::Status {
        status: 503,
        retry_after: None,
        body: String::new(),
    })
    .await;
    let answer = ask(&server, CHAT, &prompt(CHAT, "hi", true)).await;
    assert_eq!((answer.status, answer.retry_after), (503, None));
}

#[tokio::test]
async fn a_cut_closes_the_connection_after_its_bytes() {
    for path in APIS {
        for is_stream in [true, false] {
            let intact = intact_body(path, is_stream).await;
            for bytes in [0, 1, 120, 399] {
                let server = faulty_server(Fault::CutAfter { bytes }).await;
                let response = send(&server, path, &prompt(path, "hi", is_stream)).await;
                assert_eq!(response.status(), 200);
                let (body, is_broken) = until_broken(response).await;
                assert!(is_broken, "the body breaks off");
                assert_eq!(body, intact[..bytes], "{path} after {bytes}");
            }
        }
    }
}

#[tokio::test]
async fn a_cut_beyond_the_body_leaves_out_only_its_end() {
    let intact = intact_body(CHAT, true).await;
    let server = faulty_server(Fault::CutAfter { bytes: 1 << 30 }).await;
    let response = send(&server, CHAT, &prompt(CHAT, "hi", true)).await;
    assert_eq!(until_broken(response).await, (intact, true));
}

#[tokio::test]
async fn a_fault_applies_to_any_reply_and_to_chunks() {
    let reply = Reply::text("hi").and_tool_calls([("call_1", "list", json!({}))]);
    let script = Script::new()
        .fault_in(Fault::CutAfter { bytes: 50 }, reply.clone())
        .reply(reply)
        .chunk(1);
    let server = Server::with(script).await.unwrap();
    let body = prompt(MESSAGES, "hi", true);
    let cut = until_broken(send(&server, MESSAGES, &body).await).await;
    let intact = ask(&server, MESSAGES, &body).await.body;
    assert_eq!(cut, (intact[..50].to_vec(), true));
}

#[tokio::test(start_paused = true)]
async fn a_stall_sends_its_bytes_and_then_nothing() {
    for is_stream in [true, false] {
        for after_bytes in [0, 60, 333] {
            let server = faulty_server(Fault::Stall { after_bytes }).await;
            let mut response = send(&server, CHAT, &prompt(CHAT, "hi", is_stream)).await;
            assert_eq!(response.status(), 200);
            read_exactly(&mut response, after_bytes).await;
            let more = timeout(HOUR, response.chunk()).await;
            assert!(more.is_err(), "nothing arrives for an hour, not {more:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stall_before_the_headers_never_answers() {
    let server = faulty_server(Fault::StallBeforeHeaders).await;
    let body = prompt(CHAT, "hi", true);
    let answer = timeout(HOUR, send(&server, CHAT, &body)).await;
    assert!(answer.is_err(), "nothing arrives for an hour");
    assert_eq!(server.requests().len(), 1, "the server read the request");
}

#[tokio::test]
async fn stalled_connections_end_with_the_server() {
    for fault in [Fault::StallBeforeHeaders, Fault::Stall { after_bytes: 10 }] {
        let server = faulty_server(fault).await;
        let request = post(&server, CHAT).json(&prompt(CHAT, "hi", true));
        let answer = tokio::spawn(async move { read(request.send().await?).await });
        while server.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        drop(server);
        match answer.await.unwrap() {
            Ok(answer) => assert_eq!(answer.status, 503),
            Err(error) => assert!(!error.is_connect(), "{error:?}"),
        }
    }
}

#[tokio::test]
async fn a_chunk_size_splits_every_body() {
    for path in APIS {
        for (is_stream, size) in [(true, 1), (true, 7), (false, 1), (false, 7)] {
            let script = Script::new().reply(Reply::default()).chunk(size);
            let server = Server::with(script).await.unwrap();
            let mut response = send(&server, path, &prompt(path, "hi", is_stream)).await;
            let mut chunks = Vec::new();
            while let Some(chunk) = response.chunk().await.unwrap() {
                chunks.push(chunk.to_vec());
            }
            let body = chunks.concat();
            assert_eq!(body, intact_body(path, is_stream).await, "{path}");
            chunks.pop();
            assert!(chunks.iter().all(|it| it.len() == size), "{size} each");
        }
    }
}
