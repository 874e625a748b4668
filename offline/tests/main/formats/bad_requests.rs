//! Requests that the server refuses.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{
    APIS, CHAT, MESSAGES, RESPONSES, ask, client, get, post, prompt, read, rule_server,
};

#[tokio::test]
async fn an_unknown_path_is_not_found() {
    let server = rule_server().await;
    for path in ["/", "/v1/embeddings", "/v1/messages/batches"] {
        let answer = ask(&server, path, &json!({})).await;
        let message = answer.error_message(path, 404);
        assert!(message.contains(path), "{message}");
        assert!(message.contains("/v1/responses"), "it lists the paths");
    }
}

#[tokio::test]
async fn an_error_has_the_shape_of_messages_with_its_version_header() {
    let server = rule_server().await;
    let request = post(&server, "/v1/nothing").header("anthropic-version", "2023-06-01");
    let answer = read(request.send().await.unwrap()).await.unwrap();
    answer.error_message(MESSAGES, 404);
}

#[tokio::test]
async fn another_method_is_not_allowed() {
    let server = rule_server().await;
    for path in APIS {
        let message = get(&server, path).await.error_message(path, 405);
        assert_eq!(message, format!("{path} does not accept GET"));
    }
}

/// Checks that the server refuses each body with a message that contains this text.
async fn assert_refused<const N: usize>(path: &str, cases: [(Value, &str); N]) {
    let server = rule_server().await;
    for (body, expected) in cases {
        let message = ask(&server, path, &body).await.error_message(path, 400);
        assert!(
            message.contains(expected),
            "{path}: {expected:?} is not in {message:?}"
        );
    }
}

#[tokio::test]
async fn chat_completions_names_the_invalid_field() {
    let user = json!([{ "role": "user", "content": "hi" }]);
    let with = |messages: Value| json!({ "model": "m", "messages": messages });
    assert_refused(
        CHAT,
        [
            (json!([]), "not a JSON object"),
            (json!({ "messages": user }), "model: this field is required"),
            (json!({ "model": "m" }), "messages: this field is required"),
            (with(json!([])), "messages: expected at least one"),
            (with(json!(["hi"])), "messages[0]: expected an object"),
            (with(json!([{ "role": "robot" }])), "messages[0].role"),
            (
                with(json!([{ "role": "user", "content": 5 }])),
                "messages[0].content",
            ),
            (
                json!({ "model": 5, "messages": user }),
                "model: expected a string",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn stream_must_be_a_boolean() {
    for path in APIS {
        let mut body = prompt(path, "hi", false);
        body["stream"] = json!("yes");
        assert_refused(path, [(body, "stream: expected true or false")]).await;
    }
}

#[tokio::test]
async fn responses_names_the_invalid_field() {
    let with = |item: Value| json!({ "model": "m", "input": [item] });
    assert_refused(
        RESPONSES,
        [
            (json!([]), "not a JSON object"),
            (json!("hi"), "not a JSON object"),
            (json!(null), "not a JSON object"),
            (json!({ "model": "m" }), "input: this field is required"),
            (json!({ "model": "m", "input": [] }), "at least one"),
            (with(json!({ "type": "robot" })), "input[0].type"),
            (
                with(json!({ "role": "robot", "content": "" })),
                "input[0].role",
            ),
            (
                json!({ "model": "m", "input": "hi", "conversation": "conv_1" }),
                "conversation: this server has no conversations",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn messages_names_the_invalid_field() {
    let user = json!([{ "role": "user", "content": "hi" }]);
    let system = json!([{ "role": "system", "content": "hi" }]);
    let with = |max_tokens: u64, messages: &Value| json!({ "model": "m", "max_tokens": max_tokens, "messages": messages });
    assert_refused(
        MESSAGES,
        [
            (
                json!({ "model": "m", "messages": user }),
                "max_tokens: this field is required",
            ),
            (with(0, &user), "1 or more"),
            (with(1, &json!([])), "at least one"),
            (
                with(1, &system),
                "messages[0].role: use the top-level `system`",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_system_message_of_messages_follows_a_user_message() {
    let user = json!({ "role": "user", "content": "hello" });
    let system = json!({ "role": "system", "content": [{ "type": "text", "text": "be brief" }] });
    let assistant = json!({ "role": "assistant", "content": "hi" });
    let with =
        |messages: &[&Value]| json!({ "model": "m", "max_tokens": 99, "messages": messages });
    let server = rule_server().await;
    for messages in [
        &[&user, &system][..],
        &[&user, &system, &assistant, &user, &system],
    ] {
        let answer = ask(&server, MESSAGES, &with(messages)).await;
        let text = answer.json()["content"][0]["text"].clone();
        assert!(
            text.as_str().is_some_and(|it| it.starts_with("Hello.")),
            "{text}"
        );
    }
    let expected = "must follow a user message";
    let cases = [
        (with(&[&user, &assistant, &system]), expected),
        (with(&[&user, &system, &user]), expected),
        (with(&[&user, &system, &system]), expected),
    ];
    assert_refused(MESSAGES, cases).await;
}

#[tokio::test]
async fn messages_requires_its_version_header() {
    let server = rule_server().await;
    let request = client().post(format!("{}{MESSAGES}", server.url()));
    let request = request.json(&prompt(MESSAGES, "hi", false));
    let answer = read(request.send().await.unwrap()).await.unwrap();
    let message = answer.error_message(MESSAGES, 400);
    assert!(message.contains("anthropic-version"), "{message}");
}

#[tokio::test]
async fn a_body_that_is_not_json_is_refused() {
    let server = rule_server().await;
    for path in APIS {
        let request = post(&server, path).body("{\"model\": ");
        let answer = read(request.send().await.unwrap()).await.unwrap();
        let message = answer.error_message(path, 400);
        assert!(message.contains("the body is not JSON"), "{message}");
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused_before_it_is_sent() {
    let server = rule_server().await;
    let address = server.url().replace("http://", "");
    let length = 33 << 20;
    for (path, kind) in [
        (CHAT, "invalid_request_error"),
        (MESSAGES, "request_too_large"),
    ] {
        let mut connection = TcpStream::connect(&address).await.unwrap();
        let head =
            format!("POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}\r\n\r\n");
        connection.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        for expected in ["HTTP/1.1 413 ", "the body is longer than 32 MiB", kind] {
            assert!(answer.contains(expected), "{expected:?}: {answer}");
        }
    }
}

fn call(id: &str) -> Value {
    json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": id, "type": "function", "function": { "name": "f", "arguments": "{}" } },
    ] })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "ok" })
}

#[tokio::test]
async fn a_result_without_a_call_is_refused() {
    let user = json!({ "role": "user", "content": "hi" });
    let with = |messages: &[Value]| json!({ "model": "m", "messages": messages });
    let expected = "\"a\" matches no open tool call";
    let twice = [call("a"), result("a"), result("a")];
    let cases = [
        (with(&[user, result("a")]), expected),
        (with(&[call("b"), result("a")]), expected),
        (with(&twice), expected),
    ];
    assert_refused(CHAT, cases).await;
}

#[tokio::test]
async fn a_call_without_a_result_directly_after_it_is_refused() {
    let user = json!({ "role": "user", "content": "hi" });
    let with = |messages: &[Value]| json!({ "model": "m", "messages": messages });
    let expected = "no result directly after them: a";
    let cases = [
        (with(&[user.clone(), call("a")]), expected),
        (with(&[call("a"), user.clone(), result("a")]), expected),
    ];
    assert_refused(CHAT, cases).await;
    let paired = with(&[call("a"), result("a"), user]);
    assert_eq!(ask(&rule_server().await, CHAT, &paired).await.status, 200);
}

#[tokio::test]
async fn results_must_come_first_in_a_message_of_messages() {
    let body = json!({ "model": "m", "max_tokens": 1, "messages": [
        { "role": "assistant", "content": [{ "type": "tool_use", "id": "a", "name": "f", "input": {} }] },
        { "role": "user", "content": [
            { "type": "text", "text": "wait" },
            { "type": "tool_result", "tool_use_id": "a", "content": "ok" },
        ] },
    ] });
    assert_refused(MESSAGES, [(body, "must come before any other content")]).await;
}
