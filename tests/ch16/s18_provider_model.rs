//! Section 16.18: A model over any provider

use std::sync::Arc;

use claw_code::agent::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::{MockProvider, ProviderError, StreamEvent};
use claw_code::types::{AssistantMessage, StopReason as PlainReason, TokenUsage, ToolCall};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::grammar;
use super::support::*;

#[test]
fn test_ch16_provider_model_reports_its_names() {
    let model = ProviderModel::new(MockProvider::new([]), "openai", "gpt");
    assert_eq!(
        (model.provider(), model.model()),
        ("openai", "gpt"),
        "the adapter reports its provider and model"
    );
    let message = reply_message(reply(Some("Hi.")), model.provider(), model.model(), TIME);
    let json = to_json(&message);
    assert_json(
        "and so does its reply",
        &json!([json["provider"], json["model"]]),
        &json!(["openai", "gpt"]),
    );
}

#[test]
fn test_ch16_provider_reply_becomes_assistant_message() {
    let mut reply = reply(Some("I look."));
    reply.tool_calls = vec![read_call()];
    reply.stop_reason = PlainReason::ToolUse;
    let message = reply_message(reply, "openai", "gpt", TIME);
    assert_eq!(
        content(&message),
        [
            text("I look."),
            Content::ToolCall {
                id: "a".into(),
                name: "read".into(),
                arguments: json!({ "path": "x" }),
            },
        ],
        "the text and then the calls"
    );
    let json = to_json(&message);
    assert_json(
        "the stop reason and the given time",
        &json!([json["stopReason"], json["timestamp"]]),
        &json!(["toolUse", TIME]),
    );
}

#[test]
fn test_ch16_token_counts_keep_their_meaning() {
    let mut reply = reply(Some("I look."));
    reply.usage = Some(TokenUsage {
        input_tokens: 10,
        output_tokens: 5,
        cache_read_tokens: 3,
        cache_creation_tokens: 2,
    });
    let message = reply_message(reply, "openai", "gpt", TIME);
    assert_json(
        "each token count keeps its meaning",
        &to_json(&message)["usage"],
        &json!({ "input": 10, "output": 5, "reasoning": 0, "cache_read": 3, "cache_write": 2, "total_tokens": 15 }),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_provider_streams_through_adapter() {
    // More deltas than any channel here holds.
    let long = "word ".repeat(2_000);
    let mut whole = reply(Some(&long));
    whole.tool_calls = vec![read_call()];
    let (reply, deltas) = stream(MockProvider::new([Ok(whole)])).await;
    let joined = |kind: &str| {
        deltas
            .iter()
            .filter_map(|it| it[kind]["delta"].as_str())
            .collect::<String>()
    };
    assert_eq!(joined("Text"), long, "every text delta is forwarded");
    assert_eq!(
        joined("ToolCallDelta"),
        r#"{"path":"x"}"#,
        "every argument delta is forwarded"
    );
    assert_eq!(joined("Thinking"), "", "a provider sends no thinking");
    assert_eq!(
        grammar::calls(&reply.expect("a reply")),
        ["a"],
        "the reply has the call"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_provider_gets_prompt_and_conversation() {
    let provider = Arc::new(MockProvider::new([Ok(reply(Some("Hi.")))]));
    let model = ProviderModel::shared(provider.clone(), "p", "m");
    let (reply, _) = stream_model(&model).await;
    assert!(reply.is_ok(), "the provider replies: {reply:?}");
    assert_eq!(
        provider.requests()[0].messages.len(),
        2,
        "the provider gets the system prompt and the conversation"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_dropped_receiver_does_not_end_the_reply() {
    let model = ProviderModel::new(MockProvider::new([Ok(reply(Some("Hi.")))]), "p", "m");
    let (sender, deltas) = mpsc::channel(1);
    drop(deltas);
    let (system, messages) = (prompt_of("Be brief."), [Message::user("go")]);
    let request = request(&system, &messages);
    let reply = within_limit(model.stream(&request, &sender)).await;
    assert!(
        reply.is_ok(),
        "the reply arrives without a receiver of deltas: {reply:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_reply_without_text_and_calls_has_no_blocks() {
    let (reply, _) = stream(MockProvider::new([Ok(reply(Some("")))])).await;
    assert_eq!(
        content(&reply.expect("a reply")),
        [],
        "a reply without text and calls has no blocks"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_error_of_the_provider_is_passed_on() {
    let gone = ProviderError::Network("gone".into());
    let (reply, _) = stream(MockProvider::new([Err(gone.clone())])).await;
    assert_eq!(reply, Err(gone), "the error of the provider");
}

#[test]
fn test_ch16_end_of_a_stream_has_no_delta() {
    assert_eq!(
        delta_of(StreamEvent::Done(PlainReason::Stop)),
        None,
        "Done has no delta: the reply carries the stop reason"
    );
}

/// A provider's reply without calls.
fn reply(text: Option<&str>) -> AssistantMessage {
    AssistantMessage {
        id: "1".into(),
        text: text.map(String::from),
        tool_calls: vec![],
        stop_reason: PlainReason::Stop,
        usage: None,
    }
}

fn read_call() -> ToolCall {
    ToolCall {
        id: "a".into(),
        name: "read".into(),
        arguments: json!({ "path": "x" }),
    }
}

/// Sends one request to a model over this provider, with a channel for one delta, and returns
/// the reply and the JSON of the deltas.
async fn stream(provider: MockProvider) -> (Result<Message, ProviderError>, Vec<Value>) {
    stream_model(&ProviderModel::new(provider, "p", "m")).await
}

async fn stream_model(model: &ProviderModel) -> (Result<Message, ProviderError>, Vec<Value>) {
    let (system, messages) = (prompt_of("Be brief."), [Message::user("go")]);
    let request = request(&system, &messages);
    let (sender, mut receiver) = mpsc::channel(1);
    let asking = async {
        let reply = model.stream(&request, &sender).await;
        drop(sender);
        reply
    };
    let reading = async {
        let mut deltas = Vec::new();
        while let Some(delta) = receiver.recv().await {
            deltas.push(to_json(&delta));
        }
        deltas
    };
    both(asking, reading).await
}

fn request<'a>(system: &'a SystemPrompt, messages: &'a [Message]) -> ModelRequest<'a> {
    ModelRequest {
        system,
        messages,
        tools: &[],
        thinking: ThinkingLevel::Off,
        cache: CacheConfig::default(),
        max_tokens: None,
    }
}
