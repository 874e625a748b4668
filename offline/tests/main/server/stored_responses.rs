//! Responses that the server stores, and requests that continue them.

use claw_offline::Server;
use serde_json::{Value, json};

use crate::support::{
    Answer, RESPONSES, ask, calls_of, get, prompt, rule_server, text_of, with_tool,
};

/// Sends a prompt that the model answers with a call of `list`.
async fn ask_for_list(server: &Server, settings: &[(&str, Value)]) -> Value {
    let mut body = with_tool(RESPONSES, prompt(RESPONSES, "list src", false), "list");
    for (name, value) in settings {
        body[*name] = value.clone();
    }
    let answer = ask(server, RESPONSES, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// A request with the result of the call, and with these items before it.
fn result(items: &[Value]) -> Value {
    let mut input = items.to_vec();
    input.push(json!({
        "type": "function_call_output", "call_id": "call_1", "output": "a.rs\nb.rs",
    }));
    json!({ "model": "m", "input": input })
}

async fn send_result(server: &Server, items: &[Value], previous: Option<&Value>) -> Answer {
    let mut body = result(items);
    if let Some(id) = previous {
        body["previous_response_id"] = id.clone();
    }
    ask(server, RESPONSES, &body).await
}

const SUMMARY: &str = "`src` holds 2 entries: a.rs, b.rs.";

#[tokio::test]
async fn a_request_continues_the_previous_response() {
    let server = rule_server().await;
    let first = ask_for_list(&server, &[]).await;
    let second = send_result(&server, &[], Some(&first["id"])).await;
    assert_eq!(text_of(RESPONSES, &second), SUMMARY);
    assert_eq!(second.json()["previous_response_id"], first["id"]);
    let third = json!({ "model": "m", "input": "summarize this conversation",
        "previous_response_id": second.json()["id"] });
    let third = ask(&server, RESPONSES, &third).await;
    let expected = "Requests so far: list src. Tools used, in order: list.";
    assert_eq!(text_of(RESPONSES, &third), expected);
}

#[tokio::test]
async fn an_item_reference_stands_for_the_stored_item() {
    let server = rule_server().await;
    let settings = [("reasoning", json!({ "effort": "low" }))];
    let first = ask_for_list(&server, &settings).await;
    let output = first["output"].as_array().expect("output");
    assert_eq!(output[0]["type"], "reasoning");
    let mut items = vec![json!({ "role": "user", "content": "list src" })];
    items.extend(
        output
            .iter()
            .map(|it| json!({ "type": "item_reference", "id": it["id"] })),
    );
    let second = send_result(&server, &items, None).await;
    assert_eq!(text_of(RESPONSES, &second), SUMMARY, "{}", second.text());
    items[2] = json!({ "id": output[1]["id"] });
    let second = send_result(&server, &items, None).await;
    assert_eq!(
        text_of(RESPONSES, &second),
        SUMMARY,
        "the type may be absent"
    );
}

#[tokio::test]
async fn a_streamed_response_is_stored() {
    let server = rule_server().await;
    let body = with_tool(RESPONSES, prompt(RESPONSES, "list src", true), "list");
    let events = ask(&server, RESPONSES, &body).await.data();
    let response = &events.last().expect("events")["response"];
    let second = send_result(&server, &[], Some(&response["id"])).await;
    assert_eq!(text_of(RESPONSES, &second), SUMMARY);
}

#[tokio::test]
async fn a_stored_response_can_be_retrieved() {
    let server = rule_server().await;
    let first = ask_for_list(&server, &[]).await;
    let id = first["id"].as_str().expect("an id");
    assert_eq!(
        get(&server, &format!("{RESPONSES}/{id}")).await.json(),
        first
    );
    let message = get(&server, "/v1/responses/resp_0")
        .await
        .error_message(RESPONSES, 404);
    assert_eq!(message, "Response with id 'resp_0' not found.");
}

#[tokio::test]
async fn store_false_stores_nothing() {
    let server = rule_server().await;
    let first = ask_for_list(&server, &[("store", json!(false))]).await;
    assert_eq!(first["store"], false);
    let id = first["id"].as_str().expect("an id");
    get(&server, &format!("{RESPONSES}/{id}"))
        .await
        .error_message(RESPONSES, 404);
    let second = send_result(&server, &[], Some(&first["id"])).await;
    second.error_message(RESPONSES, 400);
    let items = [json!({ "type": "item_reference", "id": first["output"][0]["id"] })];
    let message = send_result(&server, &items, None)
        .await
        .error_message(RESPONSES, 404);
    assert!(message.contains("when `store` is false"), "{message}");
}

#[tokio::test]
async fn an_unknown_previous_response_has_an_error_of_its_own() {
    let id = json!("resp_0");
    let answer = send_result(&rule_server().await, &[], Some(&id)).await;
    let message = answer.error_message(RESPONSES, 400);
    assert_eq!(message, "Previous response with id 'resp_0' not found.");
    let error = &answer.json()["error"];
    assert_eq!(error["code"], "previous_response_not_found");
    assert_eq!(error["param"], "previous_response_id");
}

#[tokio::test]
async fn a_message_after_a_thought_needs_no_type() {
    let server = rule_server().await;
    let body = json!({ "model": "m", "input": [
        { "role": "user", "content": "hello" },
        { "type": "reasoning", "id": "rs_1", "summary": [] },
        { "role": "assistant", "content": "Hi." },
        { "role": "user", "content": "thanks" },
    ] });
    let answer = ask(&server, RESPONSES, &body).await;
    assert_eq!(text_of(RESPONSES, &answer), "You are welcome.");
}

/// More than the store keeps.
const MANY: usize = 1_001;

#[tokio::test]
async fn the_oldest_responses_are_dropped() {
    let server = rule_server().await;
    let first = ask_for_list(&server, &[]).await;
    assert_eq!(
        calls_of(
            RESPONSES,
            &send_result(&server, &[], Some(&first["id"])).await
        ),
        []
    );
    for number in 0..MANY {
        let body = prompt(RESPONSES, &format!("hello {number}"), false);
        ask(&server, RESPONSES, &body).await;
    }
    let id = first["id"].as_str().expect("an id");
    get(&server, &format!("{RESPONSES}/{id}"))
        .await
        .error_message(RESPONSES, 404);
}
