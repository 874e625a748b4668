//! The paths beside those of the model: models and token counts.

use serde_json::json;

use crate::support::{CHAT, MESSAGES, ask, client, get, post, prompt, read, rule_server};

#[tokio::test]
async fn every_model_name_is_known() {
    let server = rule_server().await;
    for name in ["claw-offline", "gpt-6", "vendor/model"] {
        let body = get(&server, &format!("/v1/models/{name}")).await.json();
        assert_eq!(body["id"], name);
        assert_eq!(body["object"], "model");
    }
}

#[tokio::test]
async fn a_model_has_the_shape_of_messages_with_its_version_header() {
    let server = rule_server().await;
    let url = format!("{}/v1/models/claude", server.url());
    let request = client().get(url);
    let request = request.header("anthropic-version", "2023-06-01");
    let body = read(request.send().await.unwrap()).await.unwrap().json();
    assert_eq!(body["type"], "model");
    assert_eq!(body["id"], "claude");
}

const COUNT: &str = "/v1/messages/count_tokens";

#[tokio::test]
async fn tokens_are_counted_as_the_usage_counts_them() {
    let server = rule_server().await;
    let mut body = prompt(MESSAGES, "hello there", false);
    let usage = ask(&server, MESSAGES, &body).await.json()["usage"].clone();
    body.as_object_mut()
        .expect("an object")
        .remove("max_tokens");
    let request = post(&server, COUNT).header("anthropic-version", "2023-06-01");
    let answer = read(request.json(&body).send().await.unwrap())
        .await
        .unwrap();
    assert_eq!(
        answer.json(),
        json!({ "input_tokens": usage["input_tokens"] })
    );
}

#[tokio::test]
async fn a_count_checks_the_request() {
    let server = rule_server().await;
    let body = json!({ "model": "m", "messages": [] });
    let request = post(&server, COUNT).header("anthropic-version", "2023-06-01");
    let answer = read(request.json(&body).send().await.unwrap())
        .await
        .unwrap();
    let message = answer.error_message(COUNT, 400);
    assert!(message.contains("at least one message"), "{message}");
    let message = ask(&server, COUNT, &body).await.error_message(COUNT, 400);
    assert!(message.contains("anthropic-version"), "{message}");
}

#[tokio::test]
async fn an_error_of_openai_names_the_field() {
    let body = json!({ "model": "m", "messages": [{ "role": "robot" }] });
    let answer = ask(&rule_server().await, CHAT, &body).await;
    answer.error_message(CHAT, 400);
    assert_eq!(answer.json()["error"]["param"], "messages[0].role");
}
