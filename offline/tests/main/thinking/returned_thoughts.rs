//! Thoughts that a client returns must be unchanged.

use claw_offline::{Reply, Script, Server};
use serde_json::{Value, json};

use crate::support::{Answer, MESSAGES, RESPONSES, ask, prompt, server_with};

/// A server whose first reply has two thoughts.
async fn server() -> Server {
    let reply = Reply::text("ok").and_tool_calls([("call_1", "list", json!({}))]);
    let reply = reply.thinking("plan", "sig").redacted_thinking("DATA");
    let script = Script::new().reply(reply).reply(Reply::text("ok"));
    Server::with(script).await.expect("a free port")
}

/// The answer to a conversation that returns the server's first reply after this change.
async fn answer(path: &str, change: impl FnOnce(&mut Value)) -> Answer {
    let server = server().await;
    let mut body = prompt(path, "hi", false);
    let first = ask(&server, path, &body).await.json();
    match path {
        MESSAGES => {
            let mut content = first["content"].clone();
            change(&mut content);
            body["messages"].as_array_mut().unwrap().extend([
                json!({ "role": "assistant", "content": content }),
                json!({ "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "call_1", "content": "x" } ] }),
            ]);
        }
        _ => {
            let mut output = first["output"].clone();
            change(&mut output);
            let mut input = vec![json!({ "role": "user", "content": "hi" })];
            input.extend(output.as_array().unwrap().iter().cloned());
            input.push(
                json!({ "type": "function_call_output", "call_id": "call_1", "output": "x" }),
            );
            body["input"] = json!(input);
        }
    }
    ask(&server, path, &body).await
}

#[tokio::test]
async fn an_unchanged_thought_is_accepted() {
    for path in [MESSAGES, RESPONSES] {
        let answer = answer(path, |_| {}).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_reasoning_item_may_come_back_without_its_id() {
    let answer = answer(RESPONSES, |output| {
        output[0].as_object_mut().unwrap().remove("id");
    })
    .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn a_changed_thinking_block_is_refused() {
    for (block, field) in [(0, "signature"), (0, "thinking"), (1, "data")] {
        let answer = answer(MESSAGES, |content| {
            content[block][field] = json!("another");
        })
        .await;
        let message = answer.error_message(MESSAGES, 400);
        assert!(message.contains("unchanged"), "{field}: {message}");
    }
}

#[tokio::test]
async fn a_changed_reasoning_item_is_refused() {
    for field in ["encrypted_content", "id"] {
        let answer = answer(RESPONSES, |output| output[0][field] = json!("another")).await;
        let message = answer.error_message(RESPONSES, 400);
        assert!(message.contains("unchanged"), "{field}: {message}");
    }
}

#[tokio::test]
async fn a_server_that_sent_no_thought_accepts_any() {
    let server = server_with(Reply::text("ok")).await;
    let mut body = prompt(MESSAGES, "hi", false);
    body["messages"].as_array_mut().unwrap().extend([
        json!({ "role": "assistant", "content": [
            { "type": "thinking", "thinking": "t", "signature": "s" },
            { "type": "text", "text": "hello" } ] }),
        json!({ "role": "user", "content": "so?" }),
    ]);
    assert_eq!(ask(&server, MESSAGES, &body).await.status, 200);
}
