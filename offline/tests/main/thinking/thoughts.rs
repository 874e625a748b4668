//! The thoughts of the rule model.

use serde_json::{Value, json};

use crate::support::{MESSAGES, RESPONSES, ask, prompt, rule_server};

const THINKING_APIS: [&str; 2] = [MESSAGES, RESPONSES];

/// A prompt that asks for thinking and offers the tool `list`.
fn thinking_prompt(path: &str, text: &str, is_stream: bool) -> Value {
    let mut body = prompt(path, text, is_stream);
    let schema = json!({ "type": "object", "properties": {} });
    match path {
        MESSAGES => {
            body["max_tokens"] = json!(4096);
            body["thinking"] = json!({ "type": "enabled", "budget_tokens": 1024 });
            body["tools"] = json!([{ "name": "list", "input_schema": schema }]);
        }
        _ => {
            body["reasoning"] = json!({ "effort": "low", "summary": "auto" });
            body["tools"] = json!([{ "type": "function", "name": "list", "parameters": schema }]);
        }
    }
    body
}

/// The thought in a reply.
fn thought_of<'a>(path: &str, reply: &'a Value) -> &'a str {
    let text = match path {
        MESSAGES => &reply["content"][0]["thinking"],
        _ => &reply["output"][0]["summary"][0]["text"],
    };
    text.as_str().unwrap_or_else(|| panic!("{path}: {reply}"))
}

/// The request after this reply to this one, with the thought changed and with a result for
/// the call.
fn next_request(path: &str, body: &Value, reply: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut body = body.clone();
    let result = "a.txt\nb.txt";
    match path {
        MESSAGES => {
            let mut content = reply["content"].clone();
            let id = content[2]["id"].clone();
            change(&mut content[0]);
            body["messages"].as_array_mut().unwrap().extend([
                json!({ "role": "assistant", "content": content }),
                json!({ "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": id, "content": result } ] }),
            ]);
        }
        _ => {
            let mut output = reply["output"].clone();
            let id = output[2]["call_id"].clone();
            change(&mut output[0]);
            let mut input = vec![json!({ "role": "user", "content": body["input"] })];
            input.extend(output.as_array().unwrap().iter().cloned());
            input.push(json!({ "type": "function_call_output", "call_id": id, "output": result }));
            body["input"] = json!(input);
        }
    }
    body
}

#[tokio::test]
async fn a_thought_says_what_the_model_does_next() {
    for path in THINKING_APIS {
        let body = thinking_prompt(path, "list the files here", false);
        let reply = ask(&rule_server().await, path, &body).await.json();
        assert_eq!(
            thought_of(path, &reply),
            "I was asked: list the files here. I have a rule for that. I have no results yet. \
             Next I call `list`."
        );
    }
}

#[tokio::test]
async fn a_thought_after_a_call_says_what_came_back() {
    for path in THINKING_APIS {
        let server = rule_server().await;
        let body = thinking_prompt(path, "list the files here", false);
        let reply = ask(&server, path, &body).await.json();
        let next = next_request(path, &body, &reply, |_| {});
        let reply = ask(&server, path, &next).await.json();
        assert_eq!(
            thought_of(path, &reply),
            "I was asked: list the files here. I have a rule for that. I have the results of 1 \
             tool call. `.` holds 2 entries: a.txt, b.txt. No more calls are needed: I report \
             the result."
        );
    }
}

/// Prompts and the thoughts about them.
const THOUGHTS: [(&str, &str); 4] = [
    (
        "hello",
        "I was asked: hello. That needs no tool. I answer directly.",
    ),
    (
        "what is the meaning of life?",
        "I was asked: what is the meaning of life? None of my rules matches that. I answer \
         directly.",
    ),
    (
        "list src, then read a.txt",
        "I was asked: list src, then read a.txt. I have rules for that, as 2 tasks. I have no \
         results yet. Next I call `list`.",
    ),
    (
        "run cargo build",
        "I was asked: run cargo build. I have a rule for that, but not the tool. I answer \
         directly.",
    ),
];

#[tokio::test]
async fn a_thought_names_the_rule() {
    for (text, thought) in THOUGHTS {
        for path in THINKING_APIS {
            let body = thinking_prompt(path, text, false);
            let reply = ask(&rule_server().await, path, &body).await.json();
            assert_eq!(thought_of(path, &reply), thought);
        }
    }
}

#[tokio::test]
async fn a_thought_counts_the_images() {
    let mut body = thinking_prompt(MESSAGES, "", false);
    let text = json!({ "type": "text", "text": "what is it?" });
    body["messages"][0]["content"] = json!([{ "type": "image" }, text]);
    let reply = ask(&rule_server().await, MESSAGES, &body).await.json();
    assert_eq!(
        thought_of(MESSAGES, &reply),
        "I was asked: what is it? It came with 1 image, which rules cannot see. None of my \
         rules matches that. I answer directly."
    );
}

#[tokio::test]
async fn a_thought_is_streamed_before_the_text() {
    let (thought, text) = (
        "response.reasoning_summary_text.delta",
        "response.output_text.delta",
    );
    for (path, thought, text) in [
        (MESSAGES, "thinking_delta", "text_delta"),
        (RESPONSES, thought, text),
    ] {
        let body = thinking_prompt(path, "hello", true);
        let events = ask(&rule_server().await, path, &body).await.data();
        let types: Vec<&str> = (events.iter())
            .filter_map(|data| data["delta"]["type"].as_str().or(data["type"].as_str()))
            .collect();
        let last_thought = types.iter().rposition(|kind| *kind == thought);
        let first_text = types.iter().position(|kind| *kind == text);
        assert!(
            last_thought.is_some() && last_thought < first_text,
            "{path}: {types:#?}"
        );
    }
}

/// For each API, a setting that does not ask for thinking.
fn settings_without_thinking() -> [(&'static str, &'static str, Value); 5] {
    [
        (RESPONSES, "reasoning", Value::Null),
        (RESPONSES, "reasoning", json!({ "effort": "none" })),
        (RESPONSES, "reasoning", json!({ "effort": "minimal" })),
        (MESSAGES, "thinking", Value::Null),
        (MESSAGES, "thinking", json!({ "type": "disabled" })),
    ]
}

#[tokio::test]
async fn a_reply_has_no_thought_unless_the_request_asks_for_it() {
    for (path, field, setting) in settings_without_thinking() {
        let mut body = prompt(path, "hello", false);
        body[field] = setting;
        let answer = ask(&rule_server().await, path, &body).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        let reply = answer.json();
        let parts = match path {
            MESSAGES => &reply["content"],
            _ => &reply["output"],
        };
        assert_eq!(parts.as_array().map(Vec::len), Some(1), "{body}: {reply}");
    }
}

#[tokio::test]
async fn any_server_accepts_an_unchanged_thought() {
    for path in THINKING_APIS {
        let server = rule_server().await;
        let body = thinking_prompt(path, "list the files here", false);
        let reply = ask(&server, path, &body).await.json();
        let next = next_request(path, &body, &reply, |_| {});
        // The other server knows nothing about the first, like another process.
        for server in [&server, &rule_server().await] {
            let answer = ask(server, path, &next).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn any_server_refuses_a_changed_thought() {
    for (path, field) in [
        (MESSAGES, "thinking"),
        (MESSAGES, "signature"),
        (RESPONSES, "summary"),
        (RESPONSES, "encrypted_content"),
        (RESPONSES, "id"),
    ] {
        let server = rule_server().await;
        let body = thinking_prompt(path, "list the files here", false);
        let reply = ask(&server, path, &body).await.json();
        let changed = next_request(path, &body, &reply, |thought| match &mut thought[field] {
            Value::String(text) => text.push('0'),
            summary => summary[0]["text"] = json!("I was asked nothing."),
        });
        for server in [&server, &rule_server().await] {
            let message = ask(server, path, &changed).await.error_message(path, 400);
            assert!(message.contains("unchanged"), "{field}: {message}");
        }
    }
}

#[tokio::test]
async fn a_server_that_sent_a_thought_refuses_another_signature() {
    let server = rule_server().await;
    let body = thinking_prompt(MESSAGES, "list the files here", false);
    let reply = ask(&server, MESSAGES, &body).await.json();
    let changed = next_request(MESSAGES, &body, &reply, |thought| {
        thought["signature"] = json!("another");
    });
    assert_eq!(ask(&server, MESSAGES, &changed).await.status, 400);
}
