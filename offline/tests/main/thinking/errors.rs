//! Requests about thinking that the real servers refuse.

use serde_json::{Value, json};

use crate::support::{MESSAGES, RESPONSES, ask, rule_server};

/// Checks that the server refuses a request with a message that contains this text.
async fn assert_refused(path: &str, rule: &str, body: &Value, expected: &str) {
    let answer = ask(&rule_server().await, path, body).await;
    let message = answer.error_message(path, 400);
    assert!(message.contains(expected), "{rule}: {message}");
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn thought() -> Value {
    json!({ "type": "thinking", "thinking": "t", "signature": "s" })
}

/// A conversation between two messages of the user.
fn with_assistant(content: &[Value]) -> Value {
    let user = json!({ "role": "user", "content": "hi" });
    json!({ "model": "m", "max_tokens": 10, "messages": [
        user, { "role": "assistant", "content": content }, user,
    ] })
}

fn with_user(content: &[Value]) -> Value {
    let user = json!({ "role": "user", "content": content });
    json!({ "model": "m", "max_tokens": 10, "messages": [user] })
}

#[tokio::test]
async fn messages_refuses_a_blank_text_block() {
    let expected = "non-whitespace";
    let body = with_user(&[text("")]);
    assert_refused(MESSAGES, "an empty text", &body, expected).await;
    let body = with_assistant(&[text(" ")]);
    assert_refused(MESSAGES, "a blank text", &body, expected).await;
}

#[tokio::test]
async fn messages_refuses_a_misplaced_thought() {
    let body = with_assistant(&[text("a"), thought()]);
    assert_refused(MESSAGES, "a thought at the end", &body, "final block").await;
    let body = with_user(&[thought(), text("hi")]);
    assert_refused(MESSAGES, "a user's thought", &body, "only an assistant").await;
}

#[tokio::test]
async fn messages_refuses_a_thought_without_a_signature() {
    let unsigned = json!({ "type": "thinking", "thinking": "t" });
    let body = with_assistant(&[unsigned, text("a")]);
    assert_refused(MESSAGES, "no signature", &body, "signature").await;
}

#[tokio::test]
async fn messages_refuses_a_thinking_budget_outside_its_bounds() {
    for (rule, budget, max_tokens) in [
        ("at least 1024", 1023, 4096),
        ("less than max_tokens", 1024, 1024),
    ] {
        let mut body = with_user(&[text("hi")]);
        body["max_tokens"] = json!(max_tokens);
        body["thinking"] = json!({ "type": "enabled", "budget_tokens": budget });
        assert_refused(MESSAGES, rule, &body, "budget_tokens").await;
    }
}

#[tokio::test]
async fn messages_refuses_thinking_in_a_chain_that_started_without() {
    let call = json!({ "type": "tool_use", "id": "c", "name": "list", "input": {} });
    let result = json!({ "type": "tool_result", "tool_use_id": "c", "content": "x" });
    let mut body = with_assistant(&[call]);
    body["messages"][2]["content"] = json!([result]);
    body["max_tokens"] = json!(4096);
    body["thinking"] = json!({ "type": "enabled", "budget_tokens": 1024 });
    let expected = "must start with a thought";
    assert_refused(MESSAGES, "a chain without thoughts", &body, expected).await;
}

fn message(role: &str, part_type: &str) -> Value {
    json!({ "type": "message", "role": role, "content": [{ "type": part_type, "text": "a" }] })
}

#[tokio::test]
async fn responses_refuses_a_thought_that_led_to_nothing() {
    let thought = json!({ "type": "reasoning", "summary": [], "encrypted_content": "e" });
    let input = json!([message("user", "input_text"), thought]);
    let body = json!({ "model": "m", "input": input });
    assert_refused(RESPONSES, "a thought at the end", &body, "follows").await;
    let input = json!([
        { "type": "function_call", "call_id": "c", "name": "list", "arguments": "{}" },
        thought,
        { "type": "function_call_output", "call_id": "c", "output": "x" },
    ]);
    let body = json!({ "model": "m", "input": input });
    assert_refused(RESPONSES, "a thought before a result", &body, "follows").await;
}

#[tokio::test]
async fn responses_refuses_a_part_of_another_role() {
    for (role, part_type) in [("user", "output_text"), ("assistant", "input_text")] {
        let body = json!({ "model": "m", "input": [message(role, part_type)] });
        assert_refused(RESPONSES, role, &body, part_type).await;
    }
}
