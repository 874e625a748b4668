//! Scripts, and the rules after them.

use claw_offline::{Fault, Reply, Script, Server};
use serde_json::json;

use crate::support::{APIS, CHAT, ask, prompt, rule_server, server_with, text_of};

#[tokio::test]
async fn the_steps_are_played_in_order_and_then_the_rules_answer() {
    for path in APIS {
        let script = Script::new()
            .reply(Reply::text("one"))
            .reply(Reply::text("two"));
        let server = Server::with(script).await.unwrap();
        let body = prompt(path, "hello", false);
        for expected in ["one", "two"] {
            let answer = ask(&server, path, &body).await;
            assert_eq!(text_of(path, &answer), expected);
        }
        let text = text_of(path, &ask(&server, path, &body).await);
        assert!(text.contains("not a neural network"), "{text}");
    }
}

#[tokio::test]
async fn a_refused_request_uses_no_step() {
    let server = server_with(Reply::text("kept")).await;
    assert_eq!(ask(&server, CHAT, &json!({})).await.status, 400);
    let answer = ask(&server, CHAT, &prompt(CHAT, "hi", false)).await;
    assert_eq!(text_of(CHAT, &answer), "kept");
}

#[tokio::test]
async fn concurrent_requests_use_one_step_each() {
    let script = (0..20).fold(Script::new(), |script, number| {
        script.reply(Reply::text(format!("reply {number}")))
    });
    let server = std::sync::Arc::new(Server::with(script).await.unwrap());
    let requests = (0..20).map(|_| {
        let server = server.clone();
        tokio::spawn(async move {
            let answer = ask(&server, CHAT, &prompt(CHAT, "hi", true)).await;
            text_of(CHAT, &answer)
        })
    });
    let mut texts = Vec::new();
    for request in requests.collect::<Vec<_>>() {
        texts.push(request.await.unwrap());
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 20);
}

#[tokio::test]
async fn equal_requests_get_equal_answers_from_any_server() {
    for path in APIS {
        for is_stream in [true, false] {
            let body = prompt(path, "list src", is_stream);
            let mut answers = Vec::new();
            for _ in 0..2 {
                let server = rule_server().await;
                answers.push(ask(&server, path, &body).await);
                answers.push(ask(&server, path, &body).await);
            }
            answers.dedup();
            assert_eq!(answers.len(), 1, "{path}: equal byte for byte");
        }
    }
}

#[tokio::test]
async fn different_requests_get_different_ids() {
    let server = rule_server().await;
    for path in APIS {
        let one = ask(&server, path, &prompt(path, "hi", false)).await.json();
        let other = ask(&server, path, &prompt(path, "ho", false)).await.json();
        assert_ne!(one["id"], other["id"]);
    }
}

#[test]
#[should_panic(expected = "42 is not a valid response status")]
fn a_script_with_an_impossible_status_panics() {
    let _ = Script::new().fault(Fault::Raw {
        status: 42,
        content_type: "text/html".into(),
        body: Vec::new(),
    });
}

#[test]
#[should_panic(expected = "is not a valid header value")]
fn a_script_with_an_impossible_header_panics() {
    let _ = Script::new().fault(Fault::Status {
        status: 429,
        retry_after: Some("1\n2".into()),
        body: String::new(),
    });
}

#[test]
#[should_panic(expected = "is not a valid header value")]
fn a_script_with_an_impossible_content_type_panics() {
    let _ = Script::new().fault(Fault::ContentType {
        content_type: "text/\nhtml".into(),
    });
}
