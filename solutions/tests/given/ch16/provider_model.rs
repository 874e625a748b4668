//! A model over any provider

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::{EventSender, MockProvider, Provider, ProviderError, StreamEvent};
use claw_code::types::{
    AssistantMessage, Message as Plain, StopReason as PlainReason, TokenUsage, Tool, ToolCall,
    ToolDefinition,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::grammar;
use super::support::*;

#[test]
fn provider_reply_becomes_assistant_message() {
    let model = ProviderModel::new(MockProvider::new([]), "openai", "gpt");
    let reply = AssistantMessage {
        tool_calls: vec![read_call()],
        stop_reason: PlainReason::ToolUse,
        usage: Some(TokenUsage {
            input_tokens: 10,
            output_tokens: 5,
            cache_read_tokens: 3,
            cache_creation_tokens: 2,
        }),
        ..reply("I look.")
    };
    let message = reply_message(reply, model.provider(), model.model(), TIME);
    assert_json(
        "the text, then the calls, the names, the given time, and each count with its meaning",
        &to_json(&message),
        &json!({
            "role": "assistant",
            "content": [
                { "type": "text", "text": "I look." },
                { "type": "toolCall", "id": "a", "name": "read", "arguments": { "path": "x" } },
            ],
            "stopReason": "toolUse", "provider": "openai", "model": "gpt", "timestamp": TIME,
            "usage": { "input": 10, "output": 5, "reasoning": 0, "cache_read": 3,
                       "cache_write": 2, "total_tokens": 15 },
        }),
    );
}

#[test]
fn reply_without_text_and_calls_has_no_blocks() {
    for text in [Some(String::new()), None] {
        let empty = AssistantMessage { text, ..reply("") };
        let message = reply_message(empty, "openai", "gpt", TIME);
        assert_eq!(content(&message), [], "a missing or empty text is no block");
        let usage = &to_json(&message)["usage"];
        let none = to_json(&Usage::default());
        assert_json("without token counts, all counts are 0", usage, &none);
    }
}

#[test]
fn end_of_a_stream_has_no_delta() {
    for event in [
        StreamEvent::Done(PlainReason::Stop),
        StreamEvent::Usage(Default::default()),
        StreamEvent::ToolCallStart {
            index: 0,
            id: "a".into(),
            name: "read".into(),
        },
    ] {
        let rule = format!("only the complete reply carries {event:?}");
        assert_eq!(delta_of(event), None, "{rule}");
    }
}

#[test]
fn provider_streams_through_adapter() {
    // More deltas than any channel here holds.
    let long = "word ".repeat(2_000);
    let whole = AssistantMessage {
        tool_calls: vec![read_call()],
        ..reply(&long)
    };
    let model = ProviderModel::new(MockProvider::new([Ok(whole)]), "p", "m");
    let (reply, deltas) = stream(&model);
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
    let reply = reply.expect("a reply");
    let calls = grammar::calls(&reply);
    assert_eq!(calls, ["a"], "the reply has the call");
    let reason = &to_json(&reply)["stopReason"];
    let rule = "the stop reason is the provider's, even if the reply has a call";
    assert_json(rule, reason, &json!("stop"));
}

#[test]
fn delta_arrives_before_the_reply_is_complete() {
    let slow = ScriptedReply::text(&["One ", "two."]).with_pause(Duration::from_secs(2));
    let model = ProviderModel::new(ScriptedProvider::new([slow]), "p", "m");
    let (system, messages) = (prompt_of("Be brief."), [Message::user("go")]);
    let request = request(&system, &messages);
    let (sender, mut deltas) = mpsc::channel(8);
    let early = wait(async {
        let asking = model.stream(&request, &sender);
        timeout(Duration::from_secs(3), asking).await
    });
    assert!(early.is_err(), "the reply takes six seconds");
    assert_eq!(
        deltas.try_recv().ok(),
        Some(text_delta("One ")),
        "each delta is sent while `stream` still waits for the reply"
    );
}

#[test]
fn provider_gets_prompt_and_conversation() {
    let provider = Arc::new(MockProvider::new([Ok(reply("Hi."))]));
    let model = ProviderModel::shared(provider.clone(), "p", "m");
    let read = FnTool::text("read", "");
    let (system, messages) = (prompt_of("Be brief."), ["go", "on"].map(Message::user));
    let request = ModelRequest {
        tools: &[read.definition()],
        ..request(&system, &messages)
    };
    let (sender, _deltas) = mpsc::channel(8);
    let reply = wait(model.stream(&request, &sender)).expect("the provider replies");
    let sent = &provider.requests()[0];
    let count = sent.messages.len();
    assert_eq!(count, 3, "the system prompt and the conversation");
    assert_eq!(sent.tools, ["read"], "the tools of the request");
    let reply = to_json(&reply);
    assert_json(
        "the reply has the names of this model",
        &json!([reply["provider"], reply["model"]]),
        &json!(["p", "m"]),
    );
    assert_ne!(reply["timestamp"], 0, "the reply has the current time");
}

#[test]
fn dropped_receiver_does_not_end_the_reply() {
    let long = "word ".repeat(2_000);
    let model = ProviderModel::new(MockProvider::new([Ok(reply(&long))]), "p", "m");
    let (sender, deltas) = mpsc::channel(1);
    drop(deltas);
    let (system, messages) = (prompt_of("Be brief."), [Message::user("go")]);
    let request = request(&system, &messages);
    let reply = wait(model.stream(&request, &sender));
    let rule = "the reply arrives without a receiver of deltas";
    assert!(reply.is_ok(), "{rule}: {reply:?}");
}

#[test]
fn kept_sender_does_not_delay_the_reply() {
    let gone = ProviderError::Network("gone".into());
    for end in [Ok(reply("Hi.")), Err(gone)] {
        let keeper = SenderKeeper(Mutex::default(), end.clone());
        let (reply, deltas) = stream(&ProviderModel::new(keeper, "p", "m"));
        assert_eq!(
            reply.err(),
            end.err(),
            "a task of the provider still holds a sender, and the reply is complete or has failed"
        );
        assert_json(
            "each event that was sent is read, even if the reply has failed",
            &json!(deltas),
            &json!([{ "Text": { "delta": "Hi." } }]),
        );
    }
}

#[test]
fn error_of_the_provider_is_passed_on() {
    let gone = ProviderError::Network("gone".into());
    let model = ProviderModel::new(MockProvider::new([Err(gone.clone())]), "p", "m");
    let (reply, _) = stream(&model);
    assert_eq!(reply, Err(gone), "the error of the provider");
}

/// A provider's reply without calls.
fn reply(text: &str) -> AssistantMessage {
    AssistantMessage {
        id: "1".into(),
        text: Some(text.into()),
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

/// Sends one request to the model, with a channel for one delta, and returns the reply and the
/// JSON of the deltas.
fn stream(model: &ProviderModel) -> (Result<Message, ProviderError>, Vec<Value>) {
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
    wait(both(asking, reading))
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

/// A provider that keeps its sender, as a task of it could, sends one delta, and ends with this
/// result.
struct SenderKeeper(
    Mutex<Option<EventSender>>,
    Result<AssistantMessage, ProviderError>,
);

#[async_trait]
impl Provider for SenderKeeper {
    async fn chat(
        &self,
        _messages: &[Plain],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        self.1.clone()
    }

    async fn stream(
        &self,
        messages: &[Plain],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        *self.0.lock().unwrap() = Some(events.clone());
        let _ = events.send(StreamEvent::TextDelta("Hi.".into())).await;
        self.chat(messages, tools).await
    }
}
