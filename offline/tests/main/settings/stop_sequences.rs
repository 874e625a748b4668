//! Stop sequences, which Chat Completions and Messages have.

use serde_json::{Value, json};

use crate::support::{
    Answer, CHAT, MESSAGES, ask, ending_of, prompt, rule_server, text_of, with_tool,
};

/// The APIs that have stop sequences, with the name of the field.
const NAMES: [(&str, &str); 2] = [(CHAT, "stop"), (MESSAGES, "stop_sequences")];

async fn ask_with_stop(path: &str, name: &str, stop: Value, is_stream: bool) -> Answer {
    let mut body = prompt(path, "hello", is_stream);
    body["max_tokens"] = json!(1000);
    body[name] = stop;
    ask(&rule_server().await, path, &body).await
}

#[tokio::test]
async fn the_text_ends_before_the_first_sequence() {
    for (path, name) in NAMES {
        for is_stream in [false, true] {
            let stop = json!(["network", "claw", ": a"]);
            let answer = ask_with_stop(path, name, stop, is_stream).await;
            assert_eq!(text_of(path, &answer), "Hello. I am ", "{path}");
        }
    }
}

#[tokio::test]
async fn messages_names_the_sequence() {
    let answer = ask_with_stop(MESSAGES, "stop_sequences", json!(["claw"]), false).await;
    let body = answer.json();
    assert_eq!(body["stop_reason"], "stop_sequence");
    assert_eq!(body["stop_sequence"], "claw");
    let answer = ask_with_stop(MESSAGES, "stop_sequences", json!(["claw"]), true).await;
    let events = answer.data();
    let delta = events.iter().find(|it| it["type"] == "message_delta");
    assert_eq!(delta.expect("a delta")["delta"]["stop_sequence"], "claw");
}

#[tokio::test]
async fn chat_completions_ends_with_stop() {
    let answer = ask_with_stop(CHAT, "stop", json!("claw"), true).await;
    assert_eq!(text_of(CHAT, &answer), "Hello. I am ");
    assert_eq!(ending_of(CHAT, &answer), "stop");
}

#[tokio::test]
async fn a_sequence_that_does_not_occur_has_no_effect() {
    for (path, name) in NAMES {
        let answer = ask_with_stop(path, name, json!(["never"]), false).await;
        assert!(text_of(path, &answer).ends_with("pass."), "{path}");
        assert_ne!(ending_of(path, &answer), "stop_sequence");
    }
}

#[tokio::test]
async fn no_call_follows_a_sequence() {
    let mut body = with_tool(CHAT, prompt(CHAT, "list src", false), "list");
    body["stop"] = json!("list");
    let message = &ask(&rule_server().await, CHAT, &body).await.json()["choices"][0]["message"];
    assert_eq!(message["content"], "I will ");
    assert!(message.get("tool_calls").is_none());
}

#[tokio::test]
async fn invalid_sequences_are_refused() {
    for (path, name) in NAMES {
        for stop in [json!(5), json!([5]), json!([""])] {
            let answer = ask_with_stop(path, name, stop, false).await;
            let message = answer.error_message(path, 400);
            assert!(message.starts_with(name), "{path}: {message}");
        }
    }
    let five = json!(["a", "b", "c", "d", "e"]);
    let answer = ask_with_stop(CHAT, "stop", five, false).await;
    let message = answer.error_message(CHAT, 400);
    assert!(message.contains("at most 4"), "{message}");
}
