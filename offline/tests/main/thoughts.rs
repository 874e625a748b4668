//! Thoughts: what is sent of them, and what has to come back.

use claw_offline::{Reply, Script, Server};
use serde_json::{Value, json};

use crate::common::{MESSAGES, RESPONSES, ask, question};

/// A server that has thought once, and will answer again.
async fn server() -> Server {
    let reply = || Reply::text("ok").and_tool_calls([("call_1", "list", json!({}))]);
    let thoughtful = reply().thinking("plan", "sig").redacted_thinking("DATA");
    let script = Script::new().reply(thoughtful).reply(Reply::text("ok"));
    Server::with(script).await.expect("a free port")
}

/// What a server says to a conversation in which it reads its own reply, with this in it.
async fn answer(path: &str, sent_back: impl FnOnce(&Value) -> Value) -> (u16, String) {
    let server = server().await;
    let mut body = question(path, "hi", false);
    let first = ask(&server, path, &body).await.json();
    let back = sent_back(&first);
    match path {
        MESSAGES => {
            body["messages"].as_array_mut().unwrap().extend([
                json!({ "role": "assistant", "content": back }),
                json!({ "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "call_1", "content": "x" } ] }),
            ]);
        }
        _ => {
            let mut input = vec![json!({ "role": "user", "content": "hi" })];
            input.extend(back.as_array().unwrap().iter().cloned());
            input.push(
                json!({ "type": "function_call_output", "call_id": "call_1", "output": "x" }),
            );
            body["input"] = json!(input);
        }
    }
    let answer = ask(&server, path, &body).await;
    (answer.status, answer.text().to_string())
}

#[tokio::test]
async fn withheld_thoughts_are_a_block_of_messages() {
    for is_stream in [false, true] {
        let server = server().await;
        let answer = ask(&server, MESSAGES, &question(MESSAGES, "hi", is_stream)).await;
        let block = match is_stream {
            false => answer.json()["content"][1].clone(),
            true => {
                let events = answer.data();
                let starts = events
                    .into_iter()
                    .filter(|it| it["type"] == "content_block_start");
                starts.map(|it| it["content_block"].clone()).nth(1).unwrap()
            }
        };
        assert_eq!(
            block,
            json!({ "type": "redacted_thinking", "data": "DATA" })
        );
    }
}

#[tokio::test]
async fn thoughts_come_back_as_they_were_sent() {
    let (status, said) = answer(MESSAGES, |reply| reply["content"].clone()).await;
    assert_eq!(status, 200, "{said}");
    let (status, said) = answer(RESPONSES, |reply| reply["output"].clone()).await;
    assert_eq!(status, 200, "{said}");
    let (status, said) = answer(RESPONSES, |reply| {
        let mut output = reply["output"].clone();
        output[0].as_object_mut().unwrap().remove("id");
        output
    })
    .await;
    assert_eq!(status, 200, "the id alone may stay behind: {said}");
}

#[tokio::test]
async fn a_thought_that_was_changed_is_refused() {
    for (block, field) in [(0, "signature"), (0, "thinking"), (1, "data")] {
        let (status, said) = answer(MESSAGES, |reply| {
            let mut content = reply["content"].clone();
            content[block][field] = json!("another");
            content
        })
        .await;
        assert_eq!(status, 400, "{field} was changed: {said}");
        assert!(said.contains("unchanged"), "{said}");
    }
    for field in ["encrypted_content", "id"] {
        let (status, said) = answer(RESPONSES, |reply| {
            let mut output = reply["output"].clone();
            output[0][field] = json!("another");
            output
        })
        .await;
        assert_eq!(status, 400, "{field} was changed: {said}");
    }
}

#[tokio::test]
async fn a_server_that_has_not_thought_takes_any_thought() {
    let server = Server::with(Script::new().reply(Reply::text("ok"))).await;
    let server = server.expect("a free port");
    let mut body = question(MESSAGES, "hi", false);
    body["messages"].as_array_mut().unwrap().extend([
        json!({ "role": "assistant", "content": [
            { "type": "thinking", "thinking": "t", "signature": "s" },
            { "type": "text", "text": "hello" } ] }),
        json!({ "role": "user", "content": "so?" }),
    ]);
    assert_eq!(ask(&server, MESSAGES, &body).await.status, 200);
}

#[tokio::test]
async fn what_the_real_servers_refuse_is_refused() {
    let thought = json!({ "type": "thinking", "thinking": "t", "signature": "s" });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let call = json!({ "type": "tool_use", "id": "c", "name": "list", "input": {} });
    let result = json!({ "type": "tool_result", "tool_use_id": "c", "content": "x" });
    let turn = |role: &str, content: &[Value]| json!({ "role": role, "content": content });
    let user = turn("user", &[text("hi")]);
    let thinking = json!({ "type": "enabled", "budget_tokens": 1024 });
    for (why, messages, thinking, max_tokens, words) in [
        (
            "an empty text",
            json!([turn("user", &[text("")])]),
            Value::Null,
            10,
            "non-whitespace",
        ),
        (
            "a blank text",
            json!([user, turn("assistant", &[text(" ")]), user]),
            Value::Null,
            10,
            "non-whitespace",
        ),
        (
            "a thought at the end",
            json!([
                user,
                turn("assistant", std::slice::from_ref(&thought)),
                user
            ]),
            Value::Null,
            10,
            "final block",
        ),
        (
            "a thought of the user's",
            json!([turn("user", &[thought.clone(), text("hi")])]),
            Value::Null,
            10,
            "only the assistant",
        ),
        (
            "a thought without its seal",
            json!([
                user,
                turn(
                    "assistant",
                    &[json!({ "type": "thinking", "thinking": "t" }), text("a")]
                ),
                user
            ]),
            Value::Null,
            10,
            "signature",
        ),
        (
            "too small a budget",
            json!([user]),
            json!({ "type": "enabled", "budget_tokens": 1000 }),
            4096,
            "budget_tokens",
        ),
        (
            "a budget that leaves nothing",
            json!([user]),
            thinking.clone(),
            1024,
            "budget_tokens",
        ),
        (
            "thinking in the middle of a chain that began without",
            json!([
                user,
                turn("assistant", std::slice::from_ref(&call)),
                turn("user", std::slice::from_ref(&result))
            ]),
            thinking.clone(),
            4096,
            "must start with a thought",
        ),
    ] {
        let server = Server::start().await.expect("a free port");
        let mut body = json!({ "model": "m", "max_tokens": max_tokens, "messages": messages });
        if !thinking.is_null() {
            body["thinking"] = thinking;
        }
        let answer = ask(&server, MESSAGES, &body).await;
        assert_eq!(answer.status, 400, "{why}: {}", answer.text());
        assert!(answer.text().contains(words), "{why}: {}", answer.text());
    }
    let reasoning =
        json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e" });
    let said = |role: &str, kind: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": "a" }] });
    for (why, input, words) in [
        (
            "a thought at the end",
            json!([said("user", "input_text"), reasoning]),
            "follows",
        ),
        (
            "a thought that led to a result",
            json!([
            { "type": "function_call", "call_id": "c", "name": "list", "arguments": "{}" }, reasoning,
            { "type": "function_call_output", "call_id": "c", "output": "x" } ]),
            "follows",
        ),
        (
            "the user's words as the model's",
            json!([said("user", "output_text")]),
            "output_text",
        ),
        (
            "the model's words as the user's",
            json!([said("assistant", "input_text")]),
            "input_text",
        ),
    ] {
        let server = Server::start().await.expect("a free port");
        let answer = ask(&server, RESPONSES, &json!({ "model": "m", "input": input })).await;
        assert_eq!(answer.status, 400, "{why}: {}", answer.text());
        assert!(answer.text().contains(words), "{why}: {}", answer.text());
    }
}
