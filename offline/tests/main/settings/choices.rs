//! Several choices in one answer of Chat Completions.

use serde_json::{Value, json};

use crate::support::{Answer, CHAT, ask, prompt, rule_server};

async fn ask_for(choices: Value, is_stream: bool) -> Answer {
    let mut body = prompt(CHAT, "hello", is_stream);
    body["n"] = choices;
    ask(&rule_server().await, CHAT, &body).await
}

#[tokio::test]
async fn a_body_has_n_choices() {
    let body = ask_for(json!(3), false).await.json();
    let choices = body["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), 3);
    for (index, choice) in choices.iter().enumerate() {
        assert_eq!(choice["index"], index);
        assert_eq!(choice["message"], choices[0]["message"]);
        assert_eq!(choice["finish_reason"], "stop");
    }
}

#[tokio::test]
async fn a_stream_has_n_choices() {
    let events = ask_for(json!(2), true).await.data();
    for index in [0, 1] {
        let choices = events.iter().map(|event| &event["choices"][0]);
        let choices: Vec<&Value> = choices.filter(|it| it["index"] == index).collect();
        let text: String = (choices.iter())
            .filter_map(|it| it["delta"]["content"].as_str())
            .collect();
        assert!(text.starts_with("Hello."), "{text}");
        assert_eq!(choices.last().expect("choices")["finish_reason"], "stop");
    }
}

#[tokio::test]
async fn every_choice_counts_in_the_usage() {
    let one = ask_for(json!(1), false).await.json();
    let three = ask_for(json!(3), false).await.json();
    let tokens = |body: &Value| body["usage"]["completion_tokens"].as_u64();
    assert_eq!(tokens(&three), tokens(&one).map(|one| 3 * one));
}

#[tokio::test]
async fn n_is_a_number_from_1_to_128() {
    for n in [json!(0), json!(129), json!("two")] {
        let message = ask_for(n, false).await.error_message(CHAT, 400);
        assert!(message.starts_with("n: "), "{message}");
    }
}
