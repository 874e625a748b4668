//! Section 0.1: Ask a model

use claw_code::first::{MODEL, ask, user_message};
use claw_offline::Reply;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch0_user_message_has_role_and_content() {
    assert_json(
        "a user message has the role `user` and the text as its content",
        &user_message("What is in \"src\"?"),
        &json!({ "role": "user", "content": "What is in \"src\"?" }),
    );
}

#[test]
fn test_ch0_request_has_model_and_messages() {
    let mut model = RecordingModel::with([Reply::text("Hello.")]);
    let messages = [user("hi"), user("are you there?")];
    let _ = ask(&mut model, &messages, &[]);
    let request = model.requests.first().expect("ask() calls the model");
    assert_eq!(request["model"], MODEL, "the request names the model");
    assert_json(
        "the request has all messages, in order",
        &request["messages"],
        &json!(messages),
    );
}

#[test]
fn test_ch0_ask_returns_the_message_of_the_first_choice() {
    let mut model = RecordingModel::with([Reply::text("Hello.")]);
    let message = ask(&mut model, &[user("hi")], &[]).expect("the model answers");
    assert_json(
        "ask() returns the message of the first choice, and not the whole response",
        &message,
        &json!({ "role": "assistant", "content": "Hello.", "refusal": null }),
    );
}

#[test]
fn test_ch0_request_has_the_tools() {
    let mut model = RecordingModel::with([Reply::text("Hello.")]);
    let tools = [json!({ "type": "function", "function": { "name": "clock" } })];
    let _ = ask(&mut model, &[user("hi")], &tools);
    assert_json(
        "the request has the tools that were passed to ask()",
        &model.requests[0]["tools"],
        &json!(tools),
    );
}

#[test]
fn test_ch0_request_without_tools_has_no_tools_field() {
    let mut model = RecordingModel::with([Reply::text("Hello.")]);
    let _ = ask(&mut model, &[user("hi")], &[]);
    assert_eq!(
        model.requests[0].get("tools"),
        None::<&Value>,
        "without tools, the request has no field `tools`: the API refuses an empty list"
    );
}

#[test]
fn test_ch0_ask_returns_the_models_error() {
    let mut model = RecordingModel::with([]);
    let error = ask(&mut model, &[], &[]).expect_err("the API refuses an empty conversation");
    assert!(
        error.to_string().contains("400"),
        "ask() returns the model's error, which starts with 400, not: {error}"
    );
}
