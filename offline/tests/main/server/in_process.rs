//! The model without HTTP.

use claw_offline::{InProcess, Reply};
use serde_json::{Value, json};

use crate::support::{CHAT, ask, prompt, rule_server};

#[tokio::test]
async fn it_answers_what_the_server_answers() {
    let call = json!({ "id": "call_1", "type": "function",
        "function": { "name": "bash", "arguments": "{\"command\":\"ls\"}" } });
    let with = |messages: Value| json!({ "model": "m", "messages": messages });
    let server = rule_server().await;
    for request in [
        prompt(CHAT, "hello", false),
        with(json!([])),
        with(json!([
            { "role": "user", "content": "run ls" },
            { "role": "assistant", "tool_calls": [call] },
            { "role": "tool", "tool_call_id": "call_1", "content": "a.txt\n" },
        ])),
        with(json!([
            { "role": "assistant", "tool_calls": [call] },
            { "role": "user", "content": "hello" },
        ])),
    ] {
        let answer = ask(&server, CHAT, &request).await;
        let (status, body) = match InProcess::new().chat_completion(&request) {
            Ok(body) => (200, body),
            Err(refusal) => (refusal.status, refusal.body),
        };
        assert_eq!((status, body), (answer.status, answer.json()), "{request}");
    }
}

#[test]
fn scripted_replies_come_first() {
    let mut model = InProcess::with([Reply::text("One."), Reply::text("Two.")]);
    let mut next = |prompt_text: &str| {
        let body = model.chat_completion(&prompt(CHAT, prompt_text, false));
        let text = &body.expect("a reply")["choices"][0]["message"]["content"];
        text.as_str().expect("text").to_string()
    };
    assert_eq!([next("hi"), next("hi")], ["One.", "Two."]);
    assert!(next("hi").starts_with("Hello."), "then the rules answer");
}

#[test]
fn a_refusal_takes_no_scripted_reply() {
    let mut model = InProcess::with([Reply::text("One.")]);
    let refusal = model.chat_completion(&json!({ "model": "m" })).unwrap_err();
    assert_eq!(refusal.to_string(), "400: messages: this field is required");
    let body = model.chat_completion(&prompt(CHAT, "hi", false)).unwrap();
    assert_eq!(body["choices"][0]["message"]["content"], "One.");
}

#[test]
fn a_body_over_the_limit_and_a_stream_are_refused() {
    let refuse = |request: Value| {
        let answer = InProcess::new().chat_completion(&request);
        answer.unwrap_err().status
    };
    assert_eq!(refuse(prompt(CHAT, &"x".repeat(33 << 20), false)), 413);
    assert_eq!(refuse(prompt(CHAT, "hi", true)), 400);
}
