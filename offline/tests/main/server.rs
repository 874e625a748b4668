//! The server itself: its paths, its errors, its memory and its end.

use claw_offline::{Reply, Script, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::common::{APIS, CHAT, MESSAGES, RESPONSES, ask, question, sending, text_of, whole};

#[tokio::test]
async fn a_script_is_played_in_order_and_then_the_rules_answer() {
    for path in APIS {
        let script = Script::new()
            .reply(Reply::text("one"))
            .reply(Reply::text("two"));
        let server = Server::with(script).await.unwrap();
        for expected in ["one", "two"] {
            let answer = ask(&server, path, &question(path, "hello", false)).await;
            assert_eq!(text_of(path, &answer), expected);
        }
        let answer = ask(&server, path, &question(path, "hello", false)).await;
        assert!(text_of(path, &answer).contains("not a neural network"));
    }
}

#[tokio::test]
async fn requests_are_remembered() {
    let server = Server::start().await.unwrap();
    let body = question(CHAT, "hi", true);
    let request = sending(&server, CHAT).header("Authorization", "Bearer key");
    request.json(&body).send().await.unwrap();
    sending(&server, "/v1/nothing?x=1")
        .body("not JSON")
        .send()
        .await
        .unwrap();
    reqwest::get(format!("{}/v1/models", server.url()))
        .await
        .unwrap();
    let requests = server.requests();
    let paths: Vec<&str> = requests.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, [CHAT, "/v1/nothing?x=1", "/v1/models"]);
    assert_eq!(requests[0].body, body);
    assert_eq!(requests[0].header("authorization"), Some("Bearer key"));
    assert_eq!(requests[0].header("x-nothing"), None);
    assert_eq!(requests[1].body, json!("not JSON"));
    assert_eq!(requests[2].body, Value::Null);
}

#[tokio::test]
async fn equal_requests_have_equal_answers() {
    for path in APIS {
        for is_stream in [true, false] {
            let body = question(path, "list src", is_stream);
            let mut answers = Vec::new();
            for _ in 0..2 {
                let server = Server::start().await.unwrap();
                answers.push(ask(&server, path, &body).await);
                answers.push(ask(&server, path, &body).await);
            }
            answers.dedup();
            assert_eq!(
                answers.len(),
                1,
                "{path}: all four are the same to the byte"
            );
        }
    }
}

#[tokio::test]
async fn different_requests_have_different_ids() {
    let server = Server::start().await.unwrap();
    for path in APIS {
        let one = ask(&server, path, &question(path, "hi", false))
            .await
            .json();
        let other = ask(&server, path, &question(path, "ho", false))
            .await
            .json();
        assert_ne!(one["id"], other["id"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_clients_are_served_at_once() {
    let server = std::sync::Arc::new(Server::with(Script::new().chunk(3)).await.unwrap());
    let tasks: Vec<_> = (0..60)
        .map(|number| {
            let server = server.clone();
            tokio::spawn(async move {
                let path = APIS[number % 3];
                let body = question(path, &format!("read file{number}"), number % 2 == 0);
                let answer = ask(&server, path, &body).await;
                text_of(path, &answer)
            })
        })
        .collect();
    for task in tasks {
        let text = task.await.unwrap();
        assert!(text.contains("`read` or `bash`"), "{text}");
    }
    assert_eq!(server.requests().len(), 60);
}

#[tokio::test]
async fn a_script_is_used_up_once_however_many_ask() {
    let script = (0..20).fold(Script::new(), |script, number| {
        script.reply(Reply::text(format!("reply {number}")))
    });
    let server = std::sync::Arc::new(Server::with(script).await.unwrap());
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let server = server.clone();
            tokio::spawn(async move {
                text_of(CHAT, &ask(&server, CHAT, &question(CHAT, "hi", true)).await)
            })
        })
        .collect();
    let mut texts = Vec::new();
    for task in tasks {
        texts.push(task.await.unwrap());
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 20);
}

#[tokio::test]
async fn dropping_the_server_closes_its_port_at_once() {
    let server = Server::start().await.unwrap();
    let address = server.url().replace("http://", "");
    assert!(
        address.starts_with("127.0.0.1:"),
        "it listens on loopback: {address}"
    );
    TcpStream::connect(&address)
        .await
        .expect("the port is open");
    drop(server);
    let error = TcpStream::connect(&address)
        .await
        .expect_err("the port is closed");
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn dropping_the_server_ends_idle_connections() {
    let server = Server::start().await.unwrap();
    let client = reqwest::Client::new();
    let url = format!("{}/v1/models", server.url());
    assert!(client.get(&url).send().await.is_ok());
    drop(server);
    assert!(client.get(&url).send().await.is_err());
}

#[tokio::test]
async fn a_port_can_be_chosen_and_a_taken_one_is_an_error() {
    let server = Server::start().await.unwrap();
    let port: u16 = server.url().rsplit(':').next().unwrap().parse().unwrap();
    let error = Server::at(port, Script::new())
        .await
        .err()
        .expect("the port is taken");
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    drop(server);
    let server = Server::at(port, Script::new()).await.unwrap();
    assert_eq!(server.url(), format!("http://127.0.0.1:{port}"));
}

#[tokio::test]
async fn models_are_listed_in_the_shape_of_who_asks() {
    let server = Server::start().await.unwrap();
    let url = format!("{}/v1/models", server.url());
    let openai = whole(reqwest::get(&url).await.unwrap())
        .await
        .unwrap()
        .json();
    assert_eq!(openai["object"], "list");
    assert_eq!(openai["data"][0]["id"], "claw-offline");
    assert_eq!(openai["data"][0]["object"], "model");
    let request = reqwest::Client::new()
        .get(&url)
        .header("anthropic-version", "2023-06-01");
    let anthropic = whole(request.send().await.unwrap()).await.unwrap().json();
    assert_eq!(anthropic["data"][0]["type"], "model");
    assert_eq!(anthropic["has_more"], false);
}

/// Checks an error's status and shape. Its words.
fn error_of(path: &str, answer: &crate::common::Answer, status: u16) -> String {
    assert_eq!(answer.status, status, "{path}: {}", answer.text());
    assert_eq!(answer.content_type, "application/json");
    let body = answer.json();
    if path.starts_with(MESSAGES) {
        assert_eq!(body["type"], "error");
        assert!(body["error"]["type"].is_string());
    } else {
        assert_eq!(body["error"]["type"], "invalid_request_error");
        assert!(body["error"].get("code").is_some() && body["error"].get("param").is_some());
    }
    body["error"]["message"].as_str().unwrap().into()
}

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let server = Server::start().await.unwrap();
    for path in ["/", "/v1/embeddings", "/v1/messages/count_tokens"] {
        let answer = ask(&server, path, &json!({})).await;
        let said = error_of(path, &answer, 404);
        assert!(
            said.contains(path) && said.contains("/v1/responses"),
            "{said}"
        );
    }
    let request = sending(&server, "/v1/nothing").header("anthropic-version", "2023-06-01");
    let answer = whole(request.send().await.unwrap()).await.unwrap();
    error_of(MESSAGES, &answer, 404);
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let server = Server::start().await.unwrap();
    for path in APIS {
        let response = reqwest::get(format!("{}{path}", server.url()))
            .await
            .unwrap();
        let said = error_of(path, &whole(response).await.unwrap(), 405);
        assert_eq!(said, format!("{path} does not take GET"));
    }
}

#[tokio::test]
async fn bad_bodies_are_refused_with_the_field_named() {
    let server = Server::with(Script::new().reply(Reply::text("kept")))
        .await
        .unwrap();
    let user = json!([{ "role": "user", "content": "hi" }]);
    let cases = [
        (CHAT, json!([]), "not a JSON object"),
        (
            CHAT,
            json!({ "messages": user }),
            "model: this field is required",
        ),
        (
            CHAT,
            json!({ "model": "m" }),
            "messages: this field is required",
        ),
        (
            CHAT,
            json!({ "model": "m", "messages": [] }),
            "at least one",
        ),
        (
            CHAT,
            json!({ "model": "m", "messages": ["hi"] }),
            "messages[0]: expected an object",
        ),
        (
            CHAT,
            json!({ "model": "m", "messages": [{ "role": "robot" }] }),
            "messages[0].role",
        ),
        (
            CHAT,
            json!({ "model": "m", "messages": [{ "role": "user", "content": 5 }] }),
            "messages[0].content",
        ),
        (
            CHAT,
            json!({ "model": 5, "messages": user }),
            "model: expected a string",
        ),
        (
            CHAT,
            json!({ "model": "m", "messages": user, "stream": "yes" }),
            "stream: expected true",
        ),
        (
            CHAT,
            json!({ "model": "m", "messages": user, "tools": [{ "type": "function" }] }),
            "tools[0].function: this field is required",
        ),
        (
            RESPONSES,
            json!({ "model": "m" }),
            "input: this field is required",
        ),
        (
            RESPONSES,
            json!({ "model": "m", "input": [] }),
            "at least one",
        ),
        (
            RESPONSES,
            json!({ "model": "m", "input": [{ "type": "robot" }] }),
            "input[0].type",
        ),
        (
            RESPONSES,
            json!({ "model": "m", "input": [{ "role": "robot", "content": "" }] }),
            "input[0].role",
        ),
        (
            RESPONSES,
            json!({ "model": "m", "input": "hi", "previous_response_id": "resp_1" }),
            "previous_response_id: nothing is kept",
        ),
        (
            MESSAGES,
            json!({ "model": "m", "messages": user }),
            "max_tokens: this field is required",
        ),
        (
            MESSAGES,
            json!({ "model": "m", "messages": user, "max_tokens": 0 }),
            "1 or more",
        ),
        (
            MESSAGES,
            json!({ "model": "m", "max_tokens": 1, "messages": [] }),
            "at least one",
        ),
        (
            MESSAGES,
            json!({ "model": "m", "max_tokens": 1,
            "messages": [{ "role": "system", "content": "hi" }] }),
            "messages[0].role",
        ),
        (
            MESSAGES,
            json!({ "model": "m", "max_tokens": 1, "messages": user,
            "tools": [{ "name": "list" }] }),
            "tools[0].input_schema: this field is required",
        ),
    ];
    for (path, body, expected) in cases {
        let said = error_of(path, &ask(&server, path, &body).await, 400);
        assert!(
            said.contains(expected),
            "{path}: {expected:?} is not in {said:?}"
        );
    }
    for path in APIS {
        let request = sending(&server, path).body("{\"model\": ");
        let answer = whole(request.send().await.unwrap()).await.unwrap();
        assert!(error_of(path, &answer, 400).contains("the body is not JSON"));
    }
    let request = reqwest::Client::new().post(format!("{}{MESSAGES}", server.url()));
    let request = request.json(&question(MESSAGES, "hi", false));
    let answer = whole(request.send().await.unwrap()).await.unwrap();
    assert!(error_of(MESSAGES, &answer, 400).contains("anthropic-version"));
    let answer = ask(&server, CHAT, &question(CHAT, "hi", false)).await;
    assert_eq!(
        text_of(CHAT, &answer),
        "kept",
        "refused requests use up no step of the script"
    );
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused_before_it_is_sent() {
    let server = Server::start().await.unwrap();
    let address = server.url().replace("http://", "");
    for (path, kind) in [
        (CHAT, "invalid_request_error"),
        (MESSAGES, "request_too_large"),
    ] {
        let mut connection = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n",
            33 << 20
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(
            answer.contains("the body is longer than 32 MiB"),
            "{answer}"
        );
        assert!(answer.contains(kind), "{answer}");
    }
}

#[tokio::test]
async fn calls_and_results_must_pair() {
    let server = Server::start().await.unwrap();
    let call = |id: &str| {
        json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": id, "type": "function", "function": { "name": "f", "arguments": "{}" } },
        ] })
    };
    let result = |id: &str| json!({ "role": "tool", "tool_call_id": id, "content": "ok" });
    let user = json!({ "role": "user", "content": "hi" });
    let cases = [
        (
            vec![user.clone(), result("a")],
            "\"a\" answers no open tool call",
        ),
        (
            vec![user.clone(), call("a")],
            "no result right after them: a",
        ),
        (
            vec![call("a"), user.clone(), result("a")],
            "no result right after them: a",
        ),
        (
            vec![call("a"), result("b")],
            "\"b\" answers no open tool call",
        ),
        (
            vec![call("a"), result("a"), result("a")],
            "\"a\" answers no open tool call",
        ),
        (vec![call("a"), result("a"), user.clone()], ""),
    ];
    for (messages, expected) in cases {
        let body = json!({ "model": "m", "messages": messages });
        let answer = ask(&server, CHAT, &body).await;
        if expected.is_empty() {
            assert_eq!(answer.status, 200);
        } else {
            let said = error_of(CHAT, &answer, 400);
            assert!(said.contains(expected), "{expected:?} is not in {said:?}");
        }
    }
    let body = json!({ "model": "m", "max_tokens": 1, "messages": [
        { "role": "assistant", "content": [{ "type": "tool_use", "id": "a", "name": "f", "input": {} }] },
        { "role": "user", "content": [
            { "type": "text", "text": "wait" },
            { "type": "tool_result", "tool_use_id": "a", "content": "ok" },
        ] },
    ] });
    let said = error_of(MESSAGES, &ask(&server, MESSAGES, &body).await, 400);
    assert!(said.contains("come before any other content"), "{said}");
}
