//! Every fault, seen from the other side of the connection.

use std::time::Duration;

use claw_offline::{Fault, Reply, Script, Server};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::common::{APIS, CHAT, MESSAGES, ask, question, send, text_of, whole};

async fn faulty(fault: Fault) -> Server {
    Server::with(Script::new().fault(fault)).await.unwrap()
}

/// What the server would send without a fault.
async fn unspoilt(path: &str, is_stream: bool) -> Vec<u8> {
    let server = Server::with(Script::new().reply(Reply::default()))
        .await
        .unwrap();
    ask(&server, path, &question(path, "hi", is_stream))
        .await
        .body
}

/// What comes before the body ends or breaks, and whether it broke.
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

/// Reads so many bytes, and no more.
async fn read(response: &mut reqwest::Response, bytes: usize) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < bytes {
        let chunk = response.chunk().await.expect("so much arrives");
        body.extend_from_slice(&chunk.expect("the body does not end before that"));
    }
    assert_eq!(body.len(), bytes, "no more than that arrives");
    body
}

#[tokio::test]
async fn a_status_comes_with_its_header_and_body() {
    for (body, content_type) in [("{\"a\":1}", "application/json"), ("wait", "text/plain")] {
        let server = faulty(Fault::Status {
            status: 429,
            retry_after: Some("7".into()),
            body: body.into(),
        })
        .await;
        let answer = ask(&server, CHAT, &question(CHAT, "hi", true)).await;
        assert_eq!(answer.status, 429);
        assert_eq!(answer.retry_after.as_deref(), Some("7"));
        assert_eq!(answer.content_type, content_type);
        assert_eq!(answer.text(), body);
    }
    let server = faulty(Fault::Status {
        status: 503,
        retry_after: None,
        body: String::new(),
    })
    .await;
    let answer = ask(&server, CHAT, &question(CHAT, "hi", true)).await;
    assert_eq!((answer.status, answer.retry_after), (503, None));
}

#[tokio::test]
async fn a_cut_closes_the_connection_after_so_many_bytes() {
    for path in APIS {
        for is_stream in [true, false] {
            let expected = unspoilt(path, is_stream).await;
            for bytes in [0, 1, 120, 399] {
                let server = faulty(Fault::CutAfter { bytes }).await;
                let response = send(&server, path, &question(path, "hi", is_stream)).await;
                assert_eq!(response.status(), 200);
                let (body, is_broken) = until_broken(response).await;
                assert!(is_broken, "the body breaks off");
                assert_eq!(body, expected[..bytes], "{path} at {bytes}");
            }
        }
    }
}

#[tokio::test]
async fn a_cut_behind_the_end_leaves_out_only_the_end() {
    let expected = unspoilt(CHAT, true).await;
    let server = faulty(Fault::CutAfter { bytes: 1 << 30 }).await;
    let response = send(&server, CHAT, &question(CHAT, "hi", true)).await;
    assert_eq!(until_broken(response).await, (expected, true));
}

#[tokio::test(start_paused = true)]
async fn a_stall_sends_so_many_bytes_and_then_nothing() {
    for is_stream in [true, false] {
        for after_bytes in [0, 60, 333] {
            let server = faulty(Fault::Stall { after_bytes }).await;
            let mut response = send(&server, CHAT, &question(CHAT, "hi", is_stream)).await;
            assert_eq!(response.status(), 200);
            read(&mut response, after_bytes).await;
            let more = timeout(Duration::from_secs(3600), response.chunk()).await;
            assert!(more.is_err(), "nothing comes for an hour, not {more:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stall_before_the_headers_is_no_answer() {
    let server = faulty(Fault::StallBeforeHeaders).await;
    let body = question(CHAT, "hi", true);
    let answer = timeout(Duration::from_secs(3600), send(&server, CHAT, &body)).await;
    assert!(answer.is_err(), "nothing comes for an hour");
    assert_eq!(server.requests().len(), 1, "the request was read");
}

#[tokio::test]
async fn stalled_connections_end_with_the_server() {
    for fault in [Fault::StallBeforeHeaders, Fault::Stall { after_bytes: 10 }] {
        let server = faulty(fault).await;
        let body = question(CHAT, "hi", true);
        let request = crate::common::sending(&server, CHAT).json(&body);
        let asked = tokio::spawn(async move { whole(request.send().await?).await });
        while server.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        drop(server);
        match asked.await.unwrap() {
            Ok(answer) => assert_eq!(answer.status, 503),
            Err(error) => assert!(!error.is_connect(), "{error:?}"),
        }
    }
}

#[tokio::test]
async fn another_answer_altogether() {
    let server = faulty(Fault::Raw {
        status: 502,
        content_type: "text/html".into(),
        body: b"<html>\xFF".to_vec(),
    })
    .await;
    let answer = ask(&server, CHAT, &question(CHAT, "hi", true)).await;
    assert_eq!(
        (answer.status, answer.content_type.as_str()),
        (502, "text/html")
    );
    assert_eq!(answer.body, b"<html>\xFF");
}

#[tokio::test]
async fn a_wrong_content_type_has_the_right_body() {
    for path in APIS {
        let server = faulty(Fault::ContentType {
            content_type: "text/plain".into(),
        })
        .await;
        let answer = ask(&server, path, &question(path, "hi", true)).await;
        assert_eq!(answer.content_type, "text/plain");
        assert_eq!(answer.body, unspoilt(path, true).await);
    }
}

#[tokio::test]
async fn a_garbage_event_stands_among_whole_ones() {
    for path in APIS {
        let server = faulty(Fault::GarbageEvent).await;
        let answer = ask(&server, path, &question(path, "hi", true)).await;
        let events = answer.events();
        let is_json = |data: &str| data == "[DONE]" || serde_json::from_str::<Value>(data).is_ok();
        let garbage: Vec<usize> = (0..events.len())
            .filter(|it| !is_json(&events[*it].1))
            .collect();
        let [at] = garbage[..] else {
            panic!("one event is garbage, not {}", garbage.len());
        };
        assert!(at > 2 && at < events.len() - 3, "it stands in the middle");
        assert_eq!(
            events[at].0,
            events[at + 1].0,
            "it has the name of its neighbours"
        );
        let server = faulty(Fault::GarbageEvent).await;
        let answer = ask(&server, path, &question(path, "hi", false)).await;
        assert_eq!(answer.content_type, "application/json");
        assert!(serde_json::from_slice::<Value>(&answer.body).is_err());
        let whole = unspoilt(path, false).await;
        assert_eq!(answer.body, whole[..whole.len() / 2], "half of it comes");
    }
}

#[tokio::test]
async fn an_oversized_event_is_whole_and_long() {
    for path in APIS {
        let server = faulty(Fault::OversizedEvent { bytes: 3_000_000 }).await;
        let answer = ask(&server, path, &question(path, "hi", true)).await;
        let longest = answer
            .events()
            .into_iter()
            .map(|(_, data)| data.len())
            .max();
        assert!(longest.unwrap() > 3_000_000);
        let text = text_of(path, &answer);
        assert!(text.contains("xxxx") && text.len() > 3_000_000);
        assert!(text.starts_with("This reply") && text.ends_with("whole."));
    }
}

#[tokio::test]
async fn invalid_utf8_stands_inside_the_text() {
    for path in APIS {
        for is_stream in [true, false] {
            let server = Server::with(
                Script::new().fault_in(Fault::InvalidUtf8, Reply::pieces(["before", "after"])),
            )
            .await
            .unwrap();
            let answer = ask(&server, path, &question(path, "hi", is_stream)).await;
            let bad = answer.body.iter().filter(|byte| **byte == 0xFF).count();
            assert!(bad >= 1, "{path}: the byte 0xFF comes");
            assert!(std::str::from_utf8(&answer.body).is_err());
            let mended: Vec<u8> = (answer.body.iter())
                .map(|byte| if *byte == 0xFF { b'-' } else { *byte })
                .collect();
            let mended = crate::common::Answer {
                body: mended,
                ..answer
            };
            assert_eq!(text_of(path, &mended), "before-after", "{path}");
        }
    }
}

#[tokio::test]
async fn bodies_come_in_chunks_of_the_size_that_was_asked_for() {
    for path in APIS {
        for is_stream in [true, false] {
            let expected = unspoilt(path, is_stream).await;
            for size in [1, 7] {
                let script = Script::new().reply(Reply::default()).chunk(size);
                let server = Server::with(script).await.unwrap();
                let mut response = send(&server, path, &question(path, "hi", is_stream)).await;
                let mut body = Vec::new();
                let mut sizes = Vec::new();
                while let Some(chunk) = response.chunk().await.unwrap() {
                    sizes.push(chunk.len());
                    body.extend_from_slice(&chunk);
                }
                sizes.pop();
                assert!(
                    sizes.iter().all(|it| *it == size),
                    "all but the last are {size} long"
                );
                assert_eq!(body, expected, "{path}: the same bytes as in one piece");
            }
        }
    }
}

#[tokio::test]
async fn a_fault_can_be_done_to_any_reply_in_chunks() {
    let reply = Reply::text("hi").and_tool_calls([("call_1", "list", json!({}))]);
    let script = Script::new()
        .fault_in(Fault::CutAfter { bytes: 50 }, reply.clone())
        .reply(reply)
        .chunk(1);
    let server = Server::with(script).await.unwrap();
    let body = question(MESSAGES, "hi", true);
    let (cut, is_broken) = until_broken(send(&server, MESSAGES, &body).await).await;
    let full = ask(&server, MESSAGES, &body).await.body;
    assert!(is_broken);
    assert_eq!(cut, full[..50]);
}

#[test]
#[should_panic(expected = "42 is no status of an answer")]
fn a_script_with_an_impossible_status_is_refused() {
    let _ = Script::new().fault(Fault::Raw {
        status: 42,
        content_type: "text/html".into(),
        body: Vec::new(),
    });
}

#[test]
#[should_panic(expected = "cannot stand in a header")]
fn a_script_with_an_impossible_header_is_refused() {
    let _ = Script::new().fault(Fault::Status {
        status: 429,
        retry_after: Some("1\n2".into()),
        body: String::new(),
    });
}

#[test]
#[should_panic(expected = "cannot stand in a header")]
fn a_script_with_an_impossible_content_type_is_refused() {
    let _ = Script::new().fault(Fault::ContentType {
        content_type: "text/\nhtml".into(),
    });
}
