//! The token limit, in the name that each API has for it. One token is four bytes.

use serde_json::{Value, json};

use crate::support::{
    APIS, Answer, CHAT, MESSAGES, RESPONSES, ask, ending_of, prompt, rule_server, text_of,
    with_tool,
};

/// The names of the limit, each with its API and the stop reason at the limit.
const LIMITS: [(&str, &str, &str); 4] = [
    (CHAT, "max_tokens", "length"),
    (CHAT, "max_completion_tokens", "length"),
    (RESPONSES, "max_output_tokens", "incomplete"),
    (MESSAGES, "max_tokens", "max_tokens"),
];

async fn ask_with_limit(path: &str, name: &str, limit: Value, is_stream: bool) -> Answer {
    let mut body = prompt(path, "hello", is_stream);
    body[name] = limit;
    ask(&rule_server().await, path, &body).await
}

#[tokio::test]
async fn a_text_ends_at_the_limit() {
    for (path, name, reason) in LIMITS {
        for is_stream in [false, true] {
            let answer = ask_with_limit(path, name, json!(16), is_stream).await;
            let expected = "Hello. I am claw-offline: a table of rules, not a neural network";
            assert_eq!(text_of(path, &answer), expected, "{path}, {name}");
            assert_eq!(ending_of(path, &answer), reason, "{path}, {name}");
        }
    }
}

#[tokio::test]
async fn a_shorter_text_is_whole() {
    for (path, name, _) in LIMITS {
        let answer = ask_with_limit(path, name, json!(1000), false).await;
        assert!(text_of(path, &answer).ends_with("pass."), "{path}, {name}");
        let ending = ending_of(path, &answer);
        let complete = ["stop", "completed", "end_turn"];
        assert!(complete.contains(&ending.as_str()), "{path}: {ending}");
    }
}

#[tokio::test]
async fn the_usage_is_the_limit() {
    for (path, name, _) in LIMITS {
        let usage = ask_with_limit(path, name, json!(16), false).await.json()["usage"].clone();
        let tokens = usage
            .get("output_tokens")
            .or(usage.get("completion_tokens"));
        assert_eq!(tokens, Some(&json!(16)), "{path}, {name}");
    }
}

#[tokio::test]
async fn responses_names_the_limit_as_the_reason() {
    let answer = ask_with_limit(RESPONSES, "max_output_tokens", json!(16), false).await;
    let details = &answer.json()["incomplete_details"];
    assert_eq!(details, &json!({ "reason": "max_output_tokens" }));
}

#[tokio::test]
async fn the_arguments_of_a_call_end_at_the_limit() {
    let mut body = with_tool(CHAT, prompt(CHAT, "list src", true), "list");
    body["max_tokens"] = json!(8);
    let answer = ask(&rule_server().await, CHAT, &body).await;
    let events = answer.data();
    let arguments = events.iter().filter_map(|it| {
        it["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"].as_str()
    });
    assert_eq!(arguments.collect::<String>(), "{\"path\":\"s");
    assert_eq!(ending_of(CHAT, &answer), "length");
}

#[tokio::test]
async fn a_call_without_its_arguments_is_left_out() {
    let mut body = with_tool(MESSAGES, prompt(MESSAGES, "list src", false), "list");
    body["max_tokens"] = json!(5);
    let answer = ask(&rule_server().await, MESSAGES, &body).await.json();
    let text = json!({ "type": "text", "text": "I will list `src`." });
    assert_eq!(answer["content"], json!([text]));
    assert_eq!(answer["stop_reason"], "max_tokens");
}

#[tokio::test]
async fn a_limit_must_be_a_positive_number() {
    for (path, name, _) in LIMITS {
        for limit in [json!(0), json!(-1), json!("many"), json!(1.5)] {
            let answer = ask_with_limit(path, name, limit, false).await;
            let message = answer.error_message(path, 400);
            assert!(message.starts_with(name), "{path}: {message}");
        }
    }
}

#[tokio::test]
async fn the_limit_of_responses_is_at_least_16() {
    let answer = ask_with_limit(RESPONSES, "max_output_tokens", json!(15), false).await;
    let message = answer.error_message(RESPONSES, 400);
    assert!(message.contains("16 or more"), "{message}");
}

#[tokio::test]
async fn a_scripted_reply_is_sent_whole() {
    for path in APIS {
        let server = crate::support::server_with(claw_offline::Reply::default()).await;
        let mut body = prompt(path, "hello", false);
        let name = match path {
            RESPONSES => "max_output_tokens",
            _ => "max_tokens",
        };
        body[name] = json!(16);
        let answer = ask(&server, path, &body).await;
        assert!(text_of(path, &answer).ends_with("whole."), "{path}");
    }
}
