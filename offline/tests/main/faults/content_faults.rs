//! Faults in the content of a response, as a client sees them.

use claw_offline::{Fault, Reply, Script, Server};
use serde_json::Value;

use crate::support::{APIS, Answer, CHAT, ask, prompt, server_with, text_of};

/// The default reply with a fault applied.
async fn faulty(path: &str, fault: Fault, is_stream: bool) -> Answer {
    let script = Script::new().fault(fault);
    let server = Server::with(script).await.expect("a free port");
    ask(&server, path, &prompt(path, "hi", is_stream)).await
}

/// The body of the default reply without a fault.
async fn intact_body(path: &str, is_stream: bool) -> Vec<u8> {
    let server = server_with(Reply::default()).await;
    ask(&server, path, &prompt(path, "hi", is_stream))
        .await
        .body
}

#[tokio::test]
async fn a_raw_response_is_sent_unchanged() {
    let fault = Fault::Raw {
        status: 502,
        content_type: "text/html".into(),
        body: b"<html>\xFF".to_vec(),
    };
    let answer = faulty(CHAT, fault, true).await;
    assert_eq!(answer.status, 502);
    assert_eq!(answer.content_type, "text/html");
    assert_eq!(answer.body, b"<html>\xFF");
}

#[tokio::test]
async fn a_wrong_content_type_leaves_the_body_intact() {
    for path in APIS {
        let fault = Fault::ContentType {
            content_type: "text/plain".into(),
        };
        let answer = faulty(path, fault, true).await;
        assert_eq!(answer.content_type, "text/plain");
        assert_eq!(answer.body, intact_body(path, true).await);
    }
}

#[tokio::test]
async fn a_garbage_event_is_in_the_middle_of_a_stream() {
    let is_json = |data: &str| data == "[DONE]" || serde_json::from_str::<Value>(data).is_ok();
    for path in APIS {
        let events = faulty(path, Fault::GarbageEvent, true).await.events();
        let garbage: Vec<usize> = (0..events.len())
            .filter(|it| !is_json(&events[*it].1))
            .collect();
        let [at] = garbage[..] else {
            panic!("one event is garbage, not {}", garbage.len());
        };
        assert!(at > 2 && at < events.len() - 3, "in the middle, not {at}");
        assert_eq!(events[at].0, events[at + 1].0, "it has its neighbor's name");
    }
}

#[tokio::test]
async fn a_garbage_event_cuts_a_body_in_half() {
    for path in APIS {
        let answer = faulty(path, Fault::GarbageEvent, false).await;
        assert_eq!(answer.content_type, "application/json");
        assert!(serde_json::from_slice::<Value>(&answer.body).is_err());
        let intact = intact_body(path, false).await;
        assert_eq!(answer.body, intact[..intact.len() / 2]);
    }
}

#[tokio::test]
async fn an_oversized_event_is_in_the_middle_of_the_text() {
    let bytes = 3_000_000;
    for path in APIS {
        let answer = faulty(path, Fault::OversizedEvent { bytes }, true).await;
        let lengths = answer.events().into_iter().map(|(_, data)| data.len());
        assert!(lengths.max().expect("events") > bytes, "one event has it");
        let text = text_of(path, &answer);
        assert!(text.contains("xxxx") && text.len() > bytes);
        assert!(text.starts_with("This reply") && text.ends_with("whole."));
    }
}

#[tokio::test]
async fn invalid_utf8_is_in_the_middle_of_the_text() {
    for path in APIS {
        for is_stream in [true, false] {
            let reply = Reply::pieces(["before", "after"]);
            let script = Script::new().fault_in(Fault::InvalidUtf8, reply);
            let server = Server::with(script).await.unwrap();
            let mut answer = ask(&server, path, &prompt(path, "hi", is_stream)).await;
            assert!(std::str::from_utf8(&answer.body).is_err(), "{path}");
            for byte in answer.body.iter_mut().filter(|byte| **byte == 0xFF) {
                *byte = b'-';
            }
            assert_eq!(text_of(path, &answer), "before-after", "{path}");
        }
    }
}
