//! The log of requests, and its bounds.

use claw_offline::{Script, Server};
use serde_json::{Value, json};

use crate::support::{CHAT, client, get, post, prompt, rule_server};

/// The documented bounds of the log.
const MAX_REQUESTS: usize = 1_000;
const MAX_BYTES: usize = 32 << 20;

#[tokio::test]
async fn the_log_has_all_requests_even_refused_ones() {
    let server = rule_server().await;
    let body = prompt(CHAT, "hi", true);
    post(&server, CHAT).json(&body).send().await.unwrap();
    let unknown = post(&server, "/v1/nothing?x=1").body("not JSON");
    unknown.send().await.unwrap();
    get(&server, "/v1/models").await;
    let requests = server.requests();
    let paths: Vec<&str> = requests.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, [CHAT, "/v1/nothing?x=1", "/v1/models"]);
    let bodies: Vec<&Value> = requests.iter().map(|it| &it.body).collect();
    assert_eq!(bodies, [&body, &json!("not JSON"), &Value::Null]);
}

#[tokio::test]
async fn a_logged_request_has_its_headers() {
    let server = rule_server().await;
    let request = post(&server, CHAT).header("Authorization", "Bearer key");
    request.send().await.unwrap();
    let requests = server.requests();
    assert_eq!(requests[0].header("authorization"), Some("Bearer key"));
    assert_eq!(requests[0].header("x-nothing"), None);
}

#[tokio::test]
async fn a_server_without_a_log_keeps_no_request() {
    let server = Server::with(Script::new().without_log()).await;
    let server = server.expect("a server");
    get(&server, "/v1/models").await;
    assert_eq!(server.requests(), []);
    assert_eq!(server.dropped_requests(), 0);
}

#[tokio::test]
async fn the_log_keeps_the_newest_requests() {
    let server = rule_server().await;
    let client = client();
    for number in 0..MAX_REQUESTS + 5 {
        let url = format!("{}/{number}", server.url());
        client.get(url).send().await.unwrap();
    }
    let requests = server.requests();
    assert_eq!(requests.len(), MAX_REQUESTS);
    assert_eq!(requests[0].path, "/5", "the oldest are gone");
    assert_eq!(requests[MAX_REQUESTS - 1].path, "/1004");
    assert_eq!(server.dropped_requests(), 5);
}

#[tokio::test]
async fn the_log_keeps_no_more_bytes_than_its_limit() {
    let server = rule_server().await;
    let megabyte = "x".repeat(1 << 20);
    for number in 0..70 {
        let path = format!("/{number}");
        let request = post(&server, &path).body(megabyte.clone());
        request.send().await.unwrap();
    }
    let requests = server.requests();
    let kept = requests.len() * megabyte.len();
    assert!(kept < MAX_BYTES, "{kept} bytes of bodies");
    assert!(kept > MAX_BYTES - 2 * megabyte.len(), "{kept} bytes");
    assert_eq!(requests.last().expect("requests").path, "/69");
    assert_eq!(server.dropped_requests(), 70 - requests.len() as u64);
}

#[tokio::test]
async fn the_log_keeps_the_newest_request_whatever_its_size() {
    let server = rule_server().await;
    get(&server, "/small").await;
    let longest = "x".repeat(MAX_BYTES);
    let request = post(&server, "/longest").body(longest);
    request.send().await.unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].path, "/longest");
    get(&server, "/small").await;
    assert_eq!(server.requests()[0].path, "/small");
    assert_eq!(server.dropped_requests(), 2);
}
