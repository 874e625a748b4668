//! Replies in the format of Chat Completions.

use serde_json::{Value, json};

use crate::support::{Answer, CHAT, ask, full_reply, prompt, rule_server, written};

async fn stream() -> Answer {
    written(CHAT, full_reply(), true).await
}

/// The first choice of each chunk but the last two, which are usage and `[DONE]`.
async fn choices() -> Vec<Value> {
    let chunks = stream().await.data();
    let chunks = &chunks[..chunks.len() - 2];
    chunks.iter().map(|it| it["choices"][0].clone()).collect()
}

#[tokio::test]
async fn a_body_has_the_text_and_the_calls() {
    let body = written(CHAT, full_reply(), false).await.json();
    assert_eq!(body["object"], "chat.completion");
    let choice = &body["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(
        choice["message"],
        json!({
            "role": "assistant",
            "content": "Hello ä🦀",
            "refusal": null,
            "tool_calls": [
                { "id": "call_1", "type": "function",
                  "function": { "name": "list", "arguments": "{\"path\":\"src\"}" } },
                { "id": "call_2", "type": "function",
                  "function": { "name": "read", "arguments": "{\"path\":\"a\"}" } },
            ],
        })
    );
}

#[tokio::test]
async fn prompt_tokens_include_cached_tokens() {
    let body = written(CHAT, full_reply(), false).await.json();
    let usage = &body["usage"];
    assert_eq!(usage["prompt_tokens"], 120);
    assert_eq!(usage["completion_tokens"], 7);
    assert_eq!(usage["total_tokens"], 127);
    assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], 100);
}

#[tokio::test]
async fn stream_events_have_no_names_and_end_with_done() {
    let stream = stream().await;
    let names: Vec<String> = stream.events().into_iter().map(|it| it.0).collect();
    assert!(names.iter().all(String::is_empty), "{names:?}");
    assert_eq!(stream.data().last(), Some(&json!("[DONE]")));
}

#[tokio::test]
async fn all_chunks_have_the_same_id() {
    let chunks = stream().await.data();
    for chunk in &chunks[..chunks.len() - 1] {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], chunks[0]["id"]);
    }
}

#[tokio::test]
async fn a_stream_sends_the_pieces_of_the_text() {
    let choices = choices().await;
    assert_eq!(choices[0]["delta"]["role"], "assistant");
    let pieces: Vec<&str> = (choices.iter())
        .filter_map(|it| it["delta"]["content"].as_str())
        .filter(|text| !text.is_empty())
        .collect();
    assert_eq!(pieces, ["Hel", "lo ", "ä🦀"]);
}

#[tokio::test]
async fn a_stream_sends_the_arguments_of_a_call_in_pieces() {
    let choices = choices().await;
    for (index, name, arguments) in [
        (0, "list", r#"{"path":"src"}"#),
        (1, "read", r#"{"path":"a"}"#),
    ] {
        let deltas = choices.iter().map(|it| &it["delta"]["tool_calls"][0]);
        let deltas: Vec<&Value> = deltas.filter(|it| it["index"] == index).collect();
        assert_eq!(deltas[0]["id"], format!("call_{}", index + 1));
        assert_eq!(deltas[0]["type"], "function");
        assert_eq!(deltas[0]["function"]["name"], name);
        let later = &deltas[1..];
        assert!(later.iter().all(|it| it.get("id").is_none()), "one id");
        let pieces: Vec<&str> = (deltas.iter())
            .filter_map(|it| it["function"]["arguments"].as_str())
            .collect();
        assert!(pieces.len() > 2, "several pieces: {pieces:?}");
        assert_eq!(pieces.concat(), arguments);
    }
}

#[tokio::test]
async fn only_the_last_choice_has_a_finish_reason() {
    let choices = choices().await;
    let reasons: Vec<&Value> = choices.iter().map(|it| &it["finish_reason"]).collect();
    let (last, earlier) = reasons.split_last().expect("choices");
    assert_eq!(*last, "tool_calls");
    assert!(earlier.iter().all(|it| it.is_null()), "{earlier:?}");
}

#[tokio::test]
async fn usage_comes_last_and_is_null_before() {
    let mut chunks = stream().await.data();
    assert_eq!(chunks.pop(), Some(json!("[DONE]")));
    let usage = chunks.pop().expect("a chunk with usage");
    assert_eq!(usage["choices"], json!([]));
    assert_eq!(usage["usage"]["total_tokens"], 127);
    for chunk in chunks {
        assert_eq!(chunk.get("usage"), Some(&Value::Null), "{chunk}");
    }
}

#[tokio::test]
async fn a_stream_has_usage_only_if_the_request_asks_for_it() {
    let server = rule_server().await;
    let answer = ask(&server, CHAT, &prompt(CHAT, "hi", true)).await;
    for chunk in answer.data() {
        assert!(chunk.get("usage").is_none(), "{chunk}");
        assert_ne!(chunk["choices"], json!([]));
    }
}
