//! Section 0.4: Loop until it stops

use claw_code::first::run_turn;
use claw_offline::Reply;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch0_answer_without_calls_ends_the_turn() {
    let mut model = RecordingModel::with([Reply::text("Hello."), Reply::text("Too much.")]);
    let mut messages = vec![user("hi")];
    let answer = run_turn(&mut model, &mut messages).expect("the turn ends");
    assert_eq!(answer, "Hello.", "the text of the model's last message");
    assert_eq!(model.requests.len(), 1, "one answer takes one request");
}

#[test]
fn test_ch0_answer_stays_in_the_conversation() {
    let mut model = RecordingModel::with([Reply::text("Hello.")]);
    let mut messages = vec![user("hi")];
    run_turn(&mut model, &mut messages).expect("the turn ends");
    assert_eq!(
        each(&messages, "content"),
        ["hi", "Hello."],
        "the answer is the last message of the conversation"
    );
}

#[test]
fn test_ch0_turn_offers_the_tool() {
    let mut model = RecordingModel::with([Reply::text("Hello.")]);
    run_turn(&mut model, &mut vec![user("hi")]).expect("the turn ends");
    assert_eq!(
        model.requests[0]["tools"][0]["function"]["name"], "bash",
        "the request of a turn has the tool of section 0.2"
    );
}

#[test]
fn test_ch0_result_follows_the_call() {
    let reply = Reply::tool_calls([bash_call("call_1", "echo hi")]);
    let mut model = RecordingModel::with([reply, Reply::text("Done.")]);
    let mut messages = vec![user("say hi")];
    let answer = run_turn(&mut model, &mut messages)
        .unwrap_or_else(|error| panic!("the API accepts every request of the turn: {error}"));
    assert_eq!(answer, "Done.");
    assert_eq!(
        each(&messages, "role"),
        ["user", "assistant", "tool", "assistant"],
        "the model's message with the call, then the result, then the answer"
    );
}

#[test]
fn test_ch0_each_call_of_a_message_gets_its_result() {
    let calls = [
        bash_call("call_1", "echo one"),
        bash_call("call_2", "echo two"),
        bash_call("call_3", "echo three"),
    ];
    let mut model = RecordingModel::with([Reply::tool_calls(calls), Reply::text("Done.")]);
    let mut messages = vec![user("count")];
    run_turn(&mut model, &mut messages)
        .unwrap_or_else(|error| panic!("the API accepts every request of the turn: {error}"));
    let results: Vec<_> = messages.iter().filter(|it| it["role"] == "tool").collect();
    let ids: Vec<_> = results
        .iter()
        .map(|it| it["tool_call_id"].clone())
        .collect();
    assert_eq!(
        ids,
        ["call_1", "call_2", "call_3"],
        "one result for each call, in the order of the calls"
    );
}

#[test]
fn test_ch0_turn_goes_on_until_a_message_has_no_calls() {
    let call = |id| Reply::text("More.").and_tool_calls([bash_call(id, "true")]);
    let replies = [call("call_1"), call("call_2"), Reply::text("Done.")];
    let mut model = RecordingModel::with(replies);
    let answer = run_turn(&mut model, &mut vec![user("work")])
        .unwrap_or_else(|error| panic!("the API accepts every request of the turn: {error}"));
    assert_eq!(
        (answer.as_str(), model.requests.len()),
        ("Done.", 3),
        "the model is asked again after each round of results, text or not"
    );
}

#[test]
fn test_ch0_each_request_has_the_whole_conversation() {
    let reply = Reply::tool_calls([bash_call("call_1", "echo hi")]);
    let mut model = RecordingModel::with([reply, Reply::text("Done.")]);
    let mut messages = vec![user("say hi")];
    run_turn(&mut model, &mut messages)
        .unwrap_or_else(|error| panic!("the API accepts every request of the turn: {error}"));
    assert_json(
        "the second request has the question, the call and the result",
        &model.requests[1]["messages"],
        &json!(messages[..3]),
    );
}

#[test]
fn test_ch0_answer_without_text_is_empty() {
    let mut model = RecordingModel::with([Reply::empty()]);
    let answer = run_turn(&mut model, &mut vec![user("hi")]).expect("the turn ends");
    assert_eq!(answer, "", "`content` is null if the model writes no text");
}

#[test]
fn test_ch0_refused_request_is_an_error() {
    let unanswered = json!({ "role": "assistant", "tool_calls": [call("call_1", "{}")] });
    let mut messages = vec![unanswered, user("hi")];
    let turn = run_turn(&mut RecordingModel::with([]), &mut messages);
    assert!(turn.is_err(), "run_turn() returns the error of ask()");
}
