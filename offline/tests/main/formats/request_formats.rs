//! The same conversation means the same in every format.

use serde_json::{Value, json};

use crate::support::{CHAT, MESSAGES, RESPONSES, ask, rule_server, text_of};

fn schema() -> Value {
    json!({ "type": "object", "properties": { "path": { "type": "string" } } })
}

fn chat_completions() -> Value {
    json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "be brief" },
            { "role": "user", "content": [{ "type": "text", "text": "list src" }] },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "c", "type": "function",
                  "function": { "name": "list", "arguments": "{\"path\":\"src\"}" } },
            ] },
            { "role": "tool", "tool_call_id": "c", "content": "a.rs\nb.rs" },
        ],
        "tools": [{ "type": "function", "function": { "name": "list", "parameters": schema() } }],
    })
}

fn responses() -> Value {
    json!({
        "model": "m",
        "instructions": "be brief",
        "input": [
            { "role": "user", "content": [{ "type": "input_text", "text": "list src" }] },
            { "type": "reasoning", "id": "rs_1", "summary": [] },
            { "type": "function_call", "call_id": "c", "name": "list",
              "arguments": "{\"path\":\"src\"}" },
            { "type": "function_call_output", "call_id": "c", "output": "a.rs\nb.rs" },
        ],
        "tools": [{ "type": "function", "name": "list", "parameters": schema() }],
    })
}

fn messages() -> Value {
    json!({
        "model": "m",
        "max_tokens": 100,
        "system": [{ "type": "text", "text": "be brief" }],
        "messages": [
            { "role": "user", "content": "list src" },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "hm", "signature": "s" },
                { "type": "tool_use", "id": "c", "name": "list", "input": { "path": "src" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c",
                  "content": [{ "type": "text", "text": "a.rs\nb.rs" }] },
            ] },
        ],
        "tools": [{ "name": "list", "input_schema": schema() }],
    })
}

#[tokio::test]
async fn the_same_conversation_gets_the_same_reply() {
    let server = rule_server().await;
    let bodies = [
        (CHAT, chat_completions()),
        (RESPONSES, responses()),
        (MESSAGES, messages()),
    ];
    for (path, body) in bodies {
        let answer = ask(&server, path, &body).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let expected = "`src` holds 2 entries: a.rs, b.rs.";
        assert_eq!(text_of(path, &answer), expected, "{path}");
    }
}

#[tokio::test]
async fn an_image_part_is_counted_in_every_format() {
    let server = rule_server().await;
    let content = |text_type: &str, image_type: &str| {
        let text = json!({ "type": text_type, "text": "what do you see?" });
        json!([{ "role": "user", "content": [{ "type": image_type }, text] }])
    };
    let bodies = [
        (
            CHAT,
            json!({ "model": "m", "messages": content("text", "image_url") }),
        ),
        (
            RESPONSES,
            json!({ "model": "m", "input": content("input_text", "input_image") }),
        ),
        (
            MESSAGES,
            json!({ "model": "m", "max_tokens": 100, "messages": content("text", "image") }),
        ),
    ];
    for (path, body) in bodies {
        let text = text_of(path, &ask(&server, path, &body).await);
        assert!(text.contains("This conversation has one"), "{path}: {text}");
    }
}
