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

/// A question that asks for thoughts as well.
fn thoughtful(path: &str, text: &str, is_stream: bool) -> Value {
    let mut body = question(path, text, is_stream);
    match path {
        MESSAGES => {
            body["max_tokens"] = json!(4096);
            body["thinking"] = json!({ "type": "enabled", "budget_tokens": 1024 });
            body["tools"] = json!([
                { "name": "list", "input_schema": { "type": "object", "properties": {} } } ]);
        }
        _ => {
            body["reasoning"] = json!({ "effort": "low", "summary": "auto" });
            body["tools"] = json!([
                { "type": "function", "name": "list",
                  "parameters": { "type": "object", "properties": {} } } ]);
        }
    }
    body
}

/// The thought in an answer that came as one body.
fn thought_of<'a>(path: &str, answer: &'a Value) -> &'a str {
    let text = match path {
        MESSAGES => &answer["content"][0]["thinking"],
        _ => &answer["output"][0]["summary"][0]["text"],
    };
    text.as_str().unwrap_or_else(|| panic!("{path}: {answer}"))
}

/// The conversation goes on: with what the model said, changed, and with this result.
fn goes_on(path: &str, body: &Value, answer: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut body = body.clone();
    match path {
        MESSAGES => {
            let mut content = answer["content"].clone();
            let id = content[2]["id"].clone();
            change(&mut content[0]);
            body["messages"].as_array_mut().unwrap().extend([
                json!({ "role": "assistant", "content": content }),
                json!({ "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": id, "content": "a.txt\nb.txt" } ] }),
            ]);
        }
        _ => {
            let mut output = answer["output"].clone();
            let id = output[2]["call_id"].clone();
            change(&mut output[0]);
            let mut input = vec![json!({ "role": "user", "content": body["input"] })];
            input.extend(output.as_array().unwrap().iter().cloned());
            input.push(json!(
                { "type": "function_call_output", "call_id": id, "output": "a.txt\nb.txt" }));
            body["input"] = json!(input);
        }
    }
    body
}

#[tokio::test]
async fn the_rules_think_when_they_are_asked_to() {
    for path in [MESSAGES, RESPONSES] {
        let server = Server::start().await.expect("a free port");
        let body = thoughtful(path, "list the files here", false);
        let first = ask(&server, path, &body).await.json();
        assert_eq!(
            thought_of(path, &first),
            "I was asked: list the files here. I have a rule for that. I have seen nothing of it \
             yet. Next I call `list`."
        );
        let next = goes_on(path, &body, &first, |_| {});
        let second = ask(&server, path, &next).await.json();
        assert_eq!(
            thought_of(path, &second),
            "I was asked: list the files here. I have a rule for that. So far 1 tool call came \
             back. `.` holds 2 entries: a.txt, b.txt. No call is left for me to make: I say how \
             it stands."
        );
    }
}

#[tokio::test]
async fn the_rules_say_what_they_cannot_do() {
    for (text, thought) in [
        (
            "hello",
            "I was asked: hello. That needs no tool. I answer at once.",
        ),
        (
            "what is the meaning of life?",
            "I was asked: what is the meaning of life? None of my rules fits that. I answer at \
             once.",
        ),
        (
            "list src, then read a.txt",
            "I was asked: list src, then read a.txt. I have rules for that, and make 2 tasks of \
             it. I have seen nothing of it yet. Next I call `list`.",
        ),
        (
            "run cargo build",
            "I was asked: run cargo build. I have a rule for that, and not the tool. I answer at \
             once.",
        ),
        (
            "[image]\nwhat is it?",
            "I was asked: what is it? 1 picture came with it, and rules have no eyes. None of my \
             rules fits that. I answer at once.",
        ),
    ] {
        for path in [MESSAGES, RESPONSES] {
            let server = Server::start().await.expect("a free port");
            let answer = ask(&server, path, &thoughtful(path, text, false)).await;
            assert_eq!(thought_of(path, &answer.json()), thought);
        }
    }
}

#[tokio::test]
async fn a_thought_of_the_rules_comes_before_the_text() {
    for (path, thought, text) in [
        (MESSAGES, "thinking_delta", "text_delta"),
        (
            RESPONSES,
            "response.reasoning_summary_text.delta",
            "response.output_text.delta",
        ),
    ] {
        let server = Server::start().await.expect("a free port");
        let answer = ask(&server, path, &thoughtful(path, "hello", true)).await;
        let kinds: Vec<String> = answer
            .data()
            .iter()
            .filter_map(|data| data["delta"]["type"].as_str().or(data["type"].as_str()))
            .map(String::from)
            .collect();
        let last = kinds.iter().rposition(|kind| kind == thought);
        let first = kinds.iter().position(|kind| kind == text);
        assert!(last.is_some() && last < first, "{path}: {kinds:#?}");
    }
}

#[tokio::test]
async fn without_a_wish_there_is_no_thought() {
    for (field, value) in [
        ("reasoning", Value::Null),
        ("reasoning", json!({ "effort": "none" })),
        (
            "reasoning",
            json!({ "effort": "minimal", "summary": "auto" }),
        ),
        ("thinking", Value::Null),
        ("thinking", json!({ "type": "disabled" })),
    ] {
        let path = match field {
            "thinking" => MESSAGES,
            _ => RESPONSES,
        };
        let server = Server::start().await.expect("a free port");
        let mut body = question(path, "hello", false);
        body[field] = value;
        let answer = ask(&server, path, &body).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        let said = answer.json();
        let parts = &said[if path == MESSAGES {
            "content"
        } else {
            "output"
        }];
        assert_eq!(parts.as_array().map(Vec::len), Some(1), "{body}: {said}");
    }
}

#[tokio::test]
async fn a_thought_of_the_rules_is_known_in_another_process() {
    for path in [MESSAGES, RESPONSES] {
        let server = Server::start().await.expect("a free port");
        let body = thoughtful(path, "list the files here", false);
        let first = ask(&server, path, &body).await.json();
        let fields: &[&str] = match path {
            MESSAGES => &["thinking", "signature"],
            _ => &["summary", "encrypted_content", "id"],
        };
        // Another server stands for another process: it knows nothing of the first.
        let same = goes_on(path, &body, &first, |_| {});
        for server in [&server, &Server::start().await.expect("a free port")] {
            let answer = ask(server, path, &same).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
        for field in fields {
            let changed = goes_on(path, &body, &first, |thought| match &mut thought[*field] {
                Value::String(text) => text.push('0'),
                summary => summary[0]["text"] = json!("I was asked nothing."),
            });
            let other = Server::start().await.expect("a free port");
            for server in [&server, &other] {
                let answer = ask(server, path, &changed).await;
                assert_eq!(answer.status, 400, "{path}, {field}: {}", answer.text());
                assert!(answer.text().contains("unchanged"), "{}", answer.text());
            }
        }
    }
}

#[tokio::test]
async fn a_seal_that_was_taken_off_is_missed_where_it_was_put_on() {
    let server = Server::start().await.expect("a free port");
    let body = thoughtful(MESSAGES, "list the files here", false);
    let first = ask(&server, MESSAGES, &body).await.json();
    let changed = goes_on(MESSAGES, &body, &first, |thought| {
        thought["signature"] = json!("another");
    });
    assert_eq!(ask(&server, MESSAGES, &changed).await.status, 400);
}
