//! Section 16.18: A model over any provider

use std::sync::Arc;

use claw_code::agent::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::{MockProvider, ProviderError, StreamEvent};
use claw_code::types::{AssistantMessage, StopReason as PlainReason, TokenUsage, ToolCall};
use serde_json::json;
use tokio::sync::mpsc;

use super::grammar;
use super::support::*;

#[test]
fn test_ch16_provider_reply_becomes_assistant_message() {
    let model = ProviderModel::new(MockProvider::new([]), "openai", "gpt");
    assert_eq!(
        (model.provider(), model.model()),
        ("openai", "gpt"),
        "the adapter reports its provider and model"
    );
    let reply = AssistantMessage {
        id: "1".into(),
        text: Some("I look.".into()),
        tool_calls: vec![ToolCall {
            id: "a".into(),
            name: "read".into(),
            arguments: json!({ "path": "x" }),
        }],
        stop_reason: PlainReason::ToolUse,
        usage: Some(TokenUsage {
            input_tokens: 10,
            output_tokens: 5,
            cache_read_tokens: 3,
            cache_creation_tokens: 2,
        }),
    };
    let message = reply_message(reply, "openai", "gpt", TIME);
    let Message::Assistant {
        content,
        stop_reason,
        model,
        provider,
        usage,
        ..
    } = message
    else {
        panic!("a reply should become an assistant message");
    };
    assert_eq!(
        content,
        [
            text("I look."),
            Content::ToolCall {
                id: "a".into(),
                name: "read".into(),
                arguments: json!({ "path": "x" })
            }
        ]
    );
    assert_eq!(
        (stop_reason, provider.as_str(), model.as_str()),
        (StopReason::ToolUse, "openai", "gpt")
    );
    let counts = Usage {
        input: 10,
        output: 5,
        reasoning: 0,
        cache_read: 3,
        cache_write: 2,
        total_tokens: 15,
    };
    assert_eq!(usage, counts, "each token count keeps its meaning");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_provider_streams_through_adapter() {
    let plain = |text: Option<&str>, calls: Vec<ToolCall>| AssistantMessage {
        id: "1".into(),
        text: text.map(String::from),
        tool_calls: calls,
        stop_reason: PlainReason::Stop,
        usage: None,
    };
    let call = ToolCall {
        id: "a".into(),
        name: "read".into(),
        arguments: json!({}),
    };
    // More deltas than any channel here holds.
    let long = "word ".repeat(2_000);
    let provider = Arc::new(MockProvider::new([
        Ok(plain(Some(&long), vec![call])),
        Ok(plain(Some(""), vec![])),
        Err(ProviderError::Network("gone".into())),
    ]));
    let model = ProviderModel::shared(provider.clone(), "p", "m");
    let (system, messages) = (prompt_of("Be brief."), [Message::user("go")]);
    let request = request(&system, &messages);
    let (sender, mut deltas) = mpsc::channel(1);
    let reading = async {
        let (mut words, mut arguments) = (String::new(), String::new());
        while let Some(delta) = deltas.recv().await {
            match delta {
                StreamDelta::Text { delta } => words.push_str(&delta),
                StreamDelta::ToolCallDelta { delta } => arguments.push_str(&delta),
                StreamDelta::Thinking { .. } => panic!("a provider sends no thinking"),
            }
        }
        (words, arguments)
    };
    let asking = async {
        let reply = model.stream(&request, &sender).await;
        drop(sender);
        reply
    };
    let (reply, (words, arguments)) = within_limit(async { tokio::join!(asking, reading) }).await;
    let reply = reply.expect("a reply");
    assert_eq!(words, long, "every text delta is forwarded");
    assert_eq!(arguments, "{}", "every argument delta is forwarded");
    assert_eq!(grammar::calls(&reply), ["a"]);
    assert_eq!(
        provider.requests()[0].messages.len(),
        2,
        "the provider gets the system prompt and the conversation"
    );

    let (sender, deltas) = mpsc::channel(1);
    drop(deltas);
    let reply = within_limit(model.stream(&request, &sender))
        .await
        .expect("a reply");
    assert_eq!(
        content(&reply),
        [],
        "a reply without text and calls has no blocks"
    );
    let error = within_limit(model.stream(&request, &sender))
        .await
        .expect_err("the third request fails");
    assert_eq!(error, ProviderError::Network("gone".into()));
    assert_eq!(
        delta_of(StreamEvent::Done(PlainReason::Stop)),
        None,
        "Done has no delta: the reply carries the stop reason"
    );
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
