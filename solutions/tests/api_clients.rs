//! Chapter 19's models against the official Python clients: the clients accept and send the
//! same requests as the models, and both read the same replies.

#[path = "support/clients.rs"]
mod clients;

use claw_code_solutions::agent::*;
use claw_code_solutions::chat::{from_agent, to_completions};
use claw_code_solutions::models::*;
use claw_code_solutions::prompt::SystemPrompt;
use claw_code_solutions::tools::{Api, Registry};
use claw_code_solutions::types::ToolDefinition;
use claw_offline::{Reply as Scripted, Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;

#[tokio::test]
async fn the_official_clients_send_the_same_requests() {
    let mut runs = serde_json::Map::new();
    let mut servers = Vec::new();
    for api in ["messages", "responses"] {
        // Two requests from the model, then two from the client.
        let script = Script::new().reply(thoughtful()).reply(plain());
        let server = Server::with(script.reply(thoughtful()).reply(plain())).await;
        let server = server.expect("a free port");
        let replies = conversation(api, &server).await;
        let requests: Vec<Value> = server.requests().into_iter().map(|it| it.body).collect();
        assert_eq!(requests.len(), 2, "{api}: one request per reply");
        runs.insert(
            api.into(),
            json!({ "url": server.url(), "requests": requests, "replies": replies }),
        );
        servers.push(server);
    }
    let chat = from_agent(&history(&[reply()]), Api::ChatCompletions, "any");
    let completions = to_completions(&chat).expect("a good history");
    let server = Server::with(Script::new().reply(plain())).await;
    let server = server.expect("a free port");
    runs.insert(
        "completions".into(),
        json!({ "url": server.url(), "requests": [{ "model": "m", "messages": completions }] }),
    );
    servers.push(server);
    let complaint = "a client does not take a request, or reads another reply";
    clients::run("api_clients.py", &[], Value::Object(runs), complaint).await;
}

/// Sends two requests that use every field of a request, and returns the replies.
async fn conversation(api: &str, server: &Server) -> Vec<Message> {
    let model: Box<dyn LanguageModel> = match api {
        "messages" => {
            let config = AnthropicConfig::new(server.url(), "m");
            Box::new(AnthropicModel::new(config).expect("good settings"))
        }
        _ => {
            let config = ResponsesConfig::new(format!("{}/v1", server.url()), "m");
            Box::new(ResponsesModel::new(config).expect("good settings"))
        }
    };
    let registry = Registry::standard(".").expect("the standard tools");
    let tools: Vec<&ToolDefinition> = registry.definitions();
    let system = SystemPrompt {
        text: "Be brief.\nIt is Friday.".into(),
        cache_boundary: 9,
    };
    let mut replies = Vec::new();
    for _ in 0..2 {
        let messages = history(&replies);
        let request = ModelRequest {
            system: &system,
            messages: &messages,
            tools: &tools,
            thinking: ThinkingLevel::Medium,
            cache: CacheConfig::default(),
            max_tokens: Some(20_000),
        };
        let (sender, _) = mpsc::channel(1);
        let reply = model.stream(&request, &sender).await;
        replies.push(reply.unwrap_or_else(|error| panic!("{api}: {error}")));
    }
    replies
}

/// A question with an image. After a reply: the results of its calls (one is an image, one a
/// failure), a reply that was aborted at once, and another question.
fn history(replies: &[Message]) -> Vec<Message> {
    let picture = || Content::Image {
        data: "iVBORw0KGgo=".into(),
        mime_type: "image/png".into(),
    };
    let text = |text: &str| Content::Text { text: text.into() };
    let mut messages = vec![Message::User {
        content: vec![text("What is this?"), picture()],
        timestamp: 0,
    }];
    let Some(reply) = replies.first() else {
        return messages;
    };
    messages.push(reply.clone());
    let result = |id: &str, content, is_error| Message::ToolResult {
        tool_call_id: id.into(),
        tool_name: "list".into(),
        content,
        is_error,
        timestamp: 0,
        child_loop_id: None,
    };
    messages.push(result("call_1", vec![text("a shot:"), picture()], false));
    messages.push(result("call_2", vec![text("no such folder")], true));
    messages.push(match reply.clone() {
        Message::Assistant {
            model,
            provider,
            usage,
            ..
        } => Message::Assistant {
            content: vec![text("")],
            stop_reason: StopReason::Aborted,
            model,
            provider,
            usage,
            timestamp: 0,
            error_message: None,
        },
        other => other,
    });
    messages.push(Message::user("So?"));
    messages
}

fn calls() -> [(&'static str, &'static str, Value); 2] {
    [
        ("call_1", "list", json!({ "path": "src" })),
        ("call_2", "list", json!({ "path": "nowhere" })),
    ]
}

fn thoughtful() -> Scripted {
    Scripted::text("Let me look.")
        .thinking("List first, then read.", "c2lnbmVk+/==")
        .redacted_thinking("DATA==")
        .and_tool_calls(calls())
        .usage(1200, 40)
        .cached(1000)
}

fn plain() -> Scripted {
    Scripted::text("It is a small picture.").usage(1300, 7)
}

/// A reply as Chat Completions gives it.
fn reply() -> Message {
    let calls = calls()
        .into_iter()
        .map(|(id, name, arguments)| Content::ToolCall {
            id: id.into(),
            name: name.into(),
            arguments,
        });
    Message::Assistant {
        content: calls.collect(),
        stop_reason: StopReason::ToolUse,
        model: "m".into(),
        provider: "any".into(),
        usage: Usage::default(),
        timestamp: 0,
        error_message: None,
    }
}
