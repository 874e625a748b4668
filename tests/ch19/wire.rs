//! Both models, and a claw-offline server for them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::models::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::*;
use claw_code::types::{Tool, ToolDefinition, ToolResult};
use claw_offline::{Reply as Scripted, Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::support::to_json;

pub const APIS: [&str; 2] = ["messages", "responses"];

/// A reply with every kind of block.
pub fn full() -> Scripted {
    Scripted::pieces(["Hel", "lo ", "ä🦀"])
        .and_tool_calls([("call_1", "list", json!({ "path": "src" }))])
        .thinking("plan", "c2ln+/==")
        .redacted_thinking("DATA==")
        .usage(120, 7)
        .cached(100)
}

/// A model for this API and server.
pub fn model(
    api: &str,
    server: &Server,
    change: impl FnOnce(&mut OpenAiConfig),
) -> Arc<dyn LanguageModel> {
    match api {
        "messages" => {
            let mut config = AnthropicConfig::new(server.url(), "small-model");
            config.connection.max_bytes = 100_000;
            change(&mut config.connection);
            Arc::new(AnthropicModel::new(config).expect("good settings"))
        }
        _ => {
            let mut config = ResponsesConfig::new(format!("{}/v1", server.url()), "small-model");
            config.connection.max_bytes = 100_000;
            change(&mut config.connection);
            Arc::new(ResponsesModel::new(config).expect("good settings"))
        }
    }
}

/// A shared model, for functions that take ownership.
pub struct Shared(pub Arc<dyn LanguageModel>);

#[async_trait]
impl LanguageModel for Shared {
    fn provider(&self) -> &str {
        self.0.provider()
    }

    fn model(&self) -> &str {
        self.0.model()
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        self.0.stream(request, deltas).await
    }
}

/// A tool that always returns the same result.
pub struct List(pub ToolDefinition);

#[async_trait]
impl Tool for List {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text("main.rs"))
    }
}

/// A request to a model.
pub struct Asked {
    system: SystemPrompt,
    messages: Vec<Message>,
}

impl Asked {
    pub fn new(messages: Vec<Message>) -> Self {
        Self {
            system: SystemPrompt {
                text: "Be brief.".into(),
                cache_boundary: 9,
            },
            messages,
        }
    }

    pub async fn stream(
        &self,
        model: &dyn LanguageModel,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let request = ModelRequest {
            system: &self.system,
            messages: &self.messages,
            tools: &[],
            thinking: ThinkingLevel::Off,
            cache: CacheConfig::default(),
            max_tokens: None,
        };
        model.stream(&request, deltas).await
    }
}

/// The reply and its deltas.
pub async fn asked(
    model: &dyn LanguageModel,
    messages: &[Message],
) -> (Result<Message, ProviderError>, Vec<StreamDelta>) {
    let (sender, mut receiver) = mpsc::channel(4);
    let request = Asked::new(messages.to_vec());
    let stream = async move { request.stream(model, &sender).await };
    let collect = async {
        let mut pieces = Vec::new();
        while let Some(piece) = receiver.recv().await {
            pieces.push(piece);
        }
        pieces
    };
    in_time(async { tokio::join!(stream, collect) }).await
}

/// The error of a request that should fail.
pub async fn failure(model: &dyn LanguageModel) -> ProviderError {
    match asked(model, &[Message::user("Hi.")]).await {
        (Err(error), _) => error,
        (Ok(reply), _) => panic!("this request should fail, but there is a reply: {reply:?}"),
    }
}

pub fn signature(reply: &Message) -> String {
    let json = to_json(reply);
    let thoughts = json["content"].as_array().into_iter().flatten();
    let mut seals = thoughts.filter_map(|block| block["signature"].as_str());
    seals.next().unwrap_or("none").to_string()
}

/// The reply with its timestamp set to 0.
pub fn timeless(reply: Message) -> Value {
    let mut json = to_json(&reply);
    json["timestamp"] = Value::Null;
    json
}

pub async fn server(script: Script) -> Server {
    Server::with(script)
        .await
        .expect("a free port on 127.0.0.1")
}

/// Fails a test that waits too long.
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(Duration::from_secs(5), future).await {
        Ok(output) => output,
        Err(_) => {
            panic!("still waiting after 5 s: a timeout is missing, or a channel is never closed")
        }
    }
}
