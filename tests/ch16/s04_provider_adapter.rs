//! Section 16.4: A model over any provider

use std::sync::Arc;

use claw_code::agent::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::{MockProvider, ProviderError, StreamEvent};
use claw_code::types::{
    AssistantMessage, Message as Plain, StopReason as PlainReason, TokenUsage, ToolCall,
};
use serde_json::json;
use tokio::sync::mpsc;

use super::grammar;
use super::support::*;

#[test]
fn test_ch16_conversation_converts_to_types() {
    let messages = [
        user_of(vec![text("Look at"), image(), text("this.")]),
        Message::Assistant {
            content: vec![thought("Hm."), text("I"), call("a", "read"), text("see.")],
            stop_reason: StopReason::ToolUse,
            model: "m".into(),
            provider: "p".into(),
            usage: Usage::default(),
            timestamp: 1,
            error_message: None,
        },
        result("a", "42 lines", false),
    ];
    let plain = to_types(&prompt_of("Be brief."), &messages);
    assert_eq!(
        plain.len(),
        4,
        "the result has the system prompt and three messages: {plain:?}"
    );
    let Plain::System(system) = &plain[0] else {
        panic!("the system prompt comes first: {:?}", plain[0]);
    };
    assert_eq!(system.content, "Be brief.");
    let Plain::User(user) = &plain[1] else {
        panic!("the user's message is one: {:?}", plain[1]);
    };
    assert!(
        user.content.starts_with("Look at\n") && user.content.ends_with("\nthis."),
        "each text block is on its own line: {:?}",
        user.content
    );
    assert!(
        user.content.contains("image/png") && !user.content.contains("iVBOR"),
        "a line with the media type replaces the image, without its bytes: {:?}",
        user.content
    );
    let Plain::Assistant(reply) = &plain[2] else {
        panic!("the reply is one: {:?}", plain[2]);
    };
    assert_eq!(
        reply.text.as_deref(),
        Some("I\nsee."),
        "thinking is not sent"
    );
    assert_eq!(reply.tool_calls.len(), 1, "the call is sent");
    assert_eq!(reply.tool_calls[0].id, "a");
    let Plain::ToolResult(result) = &plain[3] else {
        panic!("the result is one: {:?}", plain[3]);
    };
    assert_eq!(
        (result.tool_use_id.as_str(), result.content.as_str()),
        ("a", "42 lines")
    );
}

#[test]
fn test_ch16_failed_result_has_flag_and_prefix() {
    let messages = [
        model_reply(
            "",
            &[("a", "t"), ("b", "t"), ("c", "t")],
            StopReason::ToolUse,
        ),
        result("a", "no such file", true),
        result("c", "error: 3 warnings", false),
        Message::ToolResult {
            tool_call_id: "b".into(),
            tool_name: "t".into(),
            content: vec![],
            is_error: false,
            timestamp: 1,
            child_loop_id: None,
        },
    ];
    let plain = to_types(&prompt_of(""), &messages);
    let results: Vec<(&str, bool)> = plain
        .iter()
        .filter_map(|message| match message {
            Plain::ToolResult(result) => Some((result.content.as_str(), result.is_error)),
            _ => None,
        })
        .collect();
    assert_eq!(
        results,
        [
            ("error: no such file", true),
            ("error: 3 warnings", false),
            ("", false)
        ],
        "a failure has the flag and the prefix; a success keeps its text; an empty result stays, since its call needs one"
    );
}

#[test]
fn test_ch16_empty_message_is_not_sent() {
    let mut thoughts = model_reply("", &[], StopReason::Aborted);
    if let Message::Assistant { content, .. } = &mut thoughts {
        content.push(thought("Hm."));
    }
    let messages = [
        Message::user("one"),
        model_reply("", &[], StopReason::Aborted),
        thoughts,
        user_of(vec![text("")]),
        Message::user("two"),
    ];
    let plain = to_types(&prompt_of(""), &messages);
    assert_eq!(
        plain.len(),
        2,
        "some servers reject messages without content, so only the two user messages stay: {plain:?}"
    );
    for kept in [
        model_reply("Hi.", &[], StopReason::Stop),
        model_reply("", &[("a", "read")], StopReason::ToolUse),
    ] {
        let plain = to_types(&prompt_of(""), std::slice::from_ref(&kept));
        assert_eq!(
            plain.len(),
            1,
            "a message with text or calls is sent: {kept:?}"
        );
    }
}

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

fn image() -> Content {
    Content::Image {
        data: "iVBORw0KGgo=".into(),
        mime_type: "image/png".into(),
    }
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
