//! Both models, and a claw-offline server for them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::models::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::*;
use claw_code::types::{Tool, ToolDefinition, ToolResult, ToolSet};
use claw_offline::{Fault, Reply as Scripted, Script, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::support::*;

/// The two APIs, by the names of their paths.
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
            config.connection.max_bytes = 20_000;
            change(&mut config.connection);
            Arc::new(AnthropicModel::new(config).expect("good settings"))
        }
        _ => {
            let mut config = ResponsesConfig::new(format!("{}/v1", server.url()), "small-model");
            config.connection.max_bytes = 20_000;
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

/// The reply to `Hi.` from a server with this script.
pub async fn reply_to_hi(api: &str, script: Script) -> Result<Message, ProviderError> {
    let server = server(script).await;
    let model = model(api, &server, |_| {});
    asked(model.as_ref(), &[Message::user("Hi.")]).await.0
}

/// The error of a request whose response has this fault.
pub async fn failure(api: &str, fault: Fault) -> ProviderError {
    match reply_to_hi(api, Script::new().fault(fault)).await {
        Err(error) => error,
        Ok(reply) => panic!(
            "{api}: this request should fail, also if the error comes after the stop reason, but there is a reply: {reply:.500?}"
        ),
    }
}

/// A response with status 200 and this body.
pub fn body(content_type: &str, body: &str) -> Fault {
    Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.into(),
    }
}

/// The name of the error's variant.
pub fn kind(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Authentication(_) => "Authentication",
        ProviderError::RateLimited { .. } => "RateLimited",
        ProviderError::Overloaded { .. } => "Overloaded",
        ProviderError::ContextOverflow(_) => "ContextOverflow",
        ProviderError::BadRequest(_) => "BadRequest",
        _ => "another",
    }
}

/// The body of an agent's second request, after a reply with every kind of block and a call.
pub async fn second_request(api: &str) -> Value {
    let script = Script::new().reply(full()).reply(Scripted::text("Done."));
    let server = server(script).await;
    let mut agent = Agent::builder(Shared(model(api, &server, |_| {})))
        .tools(ToolSet::new().with(List(ToolDefinition::new("list", "Lists."))))
        .thinking(ThinkingLevel::Low)
        .build();
    let end = in_time(agent.run("Hi.")).await;
    let said: Vec<Value> = agent.messages().iter().map(to_json).collect();
    assert_eq!(
        end,
        StopReason::Stop,
        "{api}: the server rejects changed thinking: {said:#?}"
    );
    server.requests()[1].body.clone()
}

/// The reply of a Messages model to a server that sends these events and then closes the
/// connection, although its header promises one byte more.
pub async fn reply_of_closed_stream(events: &[Value]) -> Result<Message, ProviderError> {
    let events: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("has an address");
    let serve = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client connects");
        let mut request = vec![0; 64 * 1024];
        let _ = stream.read(&mut request).await;
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n",
            events.len() + 1
        );
        let _ = stream.write_all((head + &events).as_bytes()).await;
    });
    let other = server(Script::new()).await;
    let model = model("messages", &other, |config| {
        config.base_url = format!("http://{address}");
    });
    let (reply, _) = asked(model.as_ref(), &[Message::user("Hi.")]).await;
    serve.await.expect("nothing panics there");
    reply
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
            panic!(
                "still waiting after 5 s: a timeout is missing, a channel is never closed, or the loop does not end with the last event"
            )
        }
    }
}
