//! 19.10 Over TCP: both models against claw-offline.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::prompt::SystemPrompt;
use claw_code::provider::*;
use claw_code::types::{Tool, ToolDefinition, ToolResult, ToolSet};
use claw_offline::{Fault, Reply as Scripted, Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{assert_json, to_json};

#[tokio::test]
async fn test_ch19_both_models_stream_a_reply() {
    for api in APIS {
        let server = server(Script::new().reply(full())).await;
        let model = model(api, &server, |config| {
            config.api_key = Some(" sk-test\n".into());
        });
        let (reply, pieces) = asked(model.as_ref(), &[Message::user("Hi.")]).await;
        let reply = reply.unwrap_or_else(|error| panic!("{api}: {error}"));
        let seal = signature(&reply);
        assert!(
            seal == "c2ln+/==" || seal.ends_with("|c2ln+/=="),
            "{api}: the thoughts keep their seal: {seal}"
        );
        let shown: String = pieces
            .iter()
            .map(|piece| match piece {
                StreamDelta::Text { delta } => delta.as_str(),
                _ => "",
            })
            .collect();
        assert_eq!(shown, "Hello ä🦀", "{api}: the pieces are the text");
        assert!(
            pieces.contains(&StreamDelta::Thinking {
                delta: "plan".into()
            }) || pieces
                .iter()
                .any(|it| matches!(it, StreamDelta::Thinking { .. })),
            "{api}: thoughts are shown as thoughts: {pieces:?}"
        );
        let Message::Assistant {
            stop_reason,
            model,
            provider,
            usage,
            ..
        } = &reply
        else {
            panic!("{api}: a reply is an assistant's message: {reply:?}");
        };
        assert_eq!(
            (*stop_reason, model.as_str()),
            (StopReason::ToolUse, "small-model")
        );
        assert_eq!(
            provider,
            if api == "messages" {
                "anthropic"
            } else {
                "openai"
            }
        );
        assert_eq!(
            (
                usage.input,
                usage.output,
                usage.cache_read,
                usage.total_tokens
            ),
            (20, 7, 100, 127),
            "{api}: tokens of the cache are counted beside the others"
        );
        let request = &server.requests()[0];
        let key = if api == "messages" {
            "x-api-key"
        } else {
            "authorization"
        };
        let sent = if api == "messages" {
            "sk-test"
        } else {
            "Bearer sk-test"
        };
        assert_eq!(
            request.header(key),
            Some(sent),
            "{api}: the key, without white space around it"
        );
        let version = request.header("anthropic-version");
        assert_eq!(
            version.is_some(),
            api == "messages",
            "{api}: the version's header"
        );
        let path = if api == "messages" {
            "/v1/messages"
        } else {
            "/v1/responses"
        };
        assert_eq!(request.path, path);
    }
}

#[tokio::test]
async fn test_ch19_seals_go_back_untouched() {
    for api in APIS {
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
            "{api}: the server refuses thoughts that do not come back as it sent them: {said:#?}"
        );
        let body = &server.requests()[1].body;
        let expected = match api {
            "messages" => json!([
                { "type": "thinking", "thinking": "plan", "signature": "c2ln+/==" },
                { "type": "redacted_thinking", "data": "DATA==" },
            ]),
            _ => {
                json!([{ "type": "reasoning", "id": body["input"][1]["id"], "encrypted_content": "c2ln+/==",
                          "summary": [{ "type": "summary_text", "text": "plan" }] }])
            }
        };
        let sent = match api {
            "messages" => json!(body["messages"][1]["content"].as_array().map(|it| &it[..2])),
            _ => json!([body["input"][1]]),
        };
        assert_json(
            &format!("{api}: in the second request, before what was said"),
            &sent,
            &expected,
        );
    }
}

#[tokio::test]
async fn test_ch19_any_split_is_the_same_reply() {
    for api in APIS {
        let server = server(Script::new().reply(full()).chunk(1)).await;
        let (split, _) = asked(
            model(api, &server, |_| {}).as_ref(),
            &[Message::user("Hi.")],
        )
        .await;
        let whole = self::server(Script::new().reply(full())).await;
        let (whole, _) = asked(model(api, &whole, |_| {}).as_ref(), &[Message::user("Hi.")]).await;
        assert_eq!(
            split.map(timeless),
            whole.map(timeless),
            "{api}: a reply that comes byte by byte is the reply"
        );
    }
}

#[tokio::test]
async fn test_ch19_a_cut_stream_is_no_reply() {
    for api in APIS {
        let cuts = [0, 1, 300, 900];
        let script = cuts.into_iter().fold(Script::new(), |script, bytes| {
            script.fault_in(Fault::CutAfter { bytes }, full())
        });
        let server = server(script).await;
        let model = model(api, &server, |_| {});
        for bytes in cuts {
            let (reply, _) = asked(model.as_ref(), &[Message::user("Hi.")]).await;
            assert!(
                matches!(reply, Err(ProviderError::Network(_))),
                "{api}: cut after {bytes} bytes, this is half a reply at most: {reply:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_refusals_are_errors_by_what_to_do() {
    let error = |kind: &str, words: &str| json!({ "error": { "type": kind, "message": words } });
    let cases = [
        (
            401,
            None,
            error("authentication_error", "invalid x-api-key"),
            "authentication",
        ),
        (
            429,
            Some("7"),
            error("rate_limit_error", "slow down"),
            "rate limit of 7 s",
        ),
        (
            529,
            None,
            error("overloaded_error", "Overloaded"),
            "overloaded",
        ),
        (
            400,
            None,
            error("invalid_request_error", "prompt is too long: 9 tokens"),
            "overflow",
        ),
        (
            400,
            None,
            error("invalid_request_error", "no"),
            "bad request",
        ),
    ];
    for api in APIS {
        let script = cases
            .iter()
            .fold(Script::new(), |script, (status, wait, body, _)| {
                script.fault(Fault::Status {
                    status: *status,
                    retry_after: wait.map(str::to_string),
                    body: body.to_string(),
                })
            });
        let server = server(script).await;
        let model = model(api, &server, |_| {});
        for (status, _, body, kind) in &cases {
            let (reply, _) = asked(model.as_ref(), &[Message::user("Hi.")]).await;
            let found = match &reply {
                Err(ProviderError::Authentication(_)) => "authentication".to_string(),
                Err(ProviderError::RateLimited { retry_after, .. }) => {
                    format!(
                        "rate limit of {} s",
                        retry_after.unwrap_or_default().as_secs()
                    )
                }
                Err(ProviderError::Overloaded { .. }) => "overloaded".to_string(),
                Err(ProviderError::ContextOverflow(_)) => "overflow".to_string(),
                Err(ProviderError::BadRequest(_)) => "bad request".to_string(),
                _ => "another".to_string(),
            };
            assert_eq!(
                &found, kind,
                "{api}: status {status} with {body} gave {reply:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_answers_of_another_kind() {
    let raw = |content_type: &str, body: String| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.into_bytes(),
    };
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    for api in APIS {
        let script = Script::new()
            .fault(raw("text/html", "<html>Welcome</html>".into()))
            .fault(raw(
                "text/event-stream",
                format!("event: error\ndata: {overloaded}\n\n"),
            ))
            .fault(Fault::GarbageEvent)
            .fault(Fault::InvalidUtf8)
            .fault(Fault::OversizedEvent { bytes: 200_000 });
        let server = server(script).await;
        let model = model(api, &server, |_| {});
        let error = failure(model.as_ref()).await;
        let ProviderError::MalformedReply(why) = &error else {
            panic!("{api}: a web page is no reply: {error}");
        };
        assert!(
            why.contains("text/html") && why.contains("base URL"),
            "{api}: the error should name what came and ask about the base URL: {why}"
        );
        let error = failure(model.as_ref()).await;
        assert!(
            matches!(error, ProviderError::Overloaded { .. }),
            "{api}: an error inside a stream is the error that it names: {error}"
        );
        for what in [
            "an event that is not JSON",
            "bytes that are not UTF-8",
            "an event beyond the limit",
        ] {
            let error = failure(model.as_ref()).await;
            assert!(
                matches!(error, ProviderError::MalformedReply(_)),
                "{api}: {what} cannot be understood: {error}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_a_stall_ends_by_time_or_by_hand() {
    for api in APIS {
        let stall = || Script::new().fault_in(Fault::Stall { after_bytes: 1400 }, full());
        let waiting = server(stall()).await;
        let patient = model(api, &waiting, |config| {
            config.idle_timeout = Duration::from_millis(20)
        });
        let (reply, _) = asked(patient.as_ref(), &[Message::user("Hi.")]).await;
        assert!(
            matches!(&reply, Err(ProviderError::Network(why)) if why.contains("stopped")),
            "{api}: a stream that stalls ends with the idle timeout: {reply:?}"
        );
        let waiting = server(stall()).await;
        let model = model(api, &waiting, |_| {});
        let (sender, mut pieces) = mpsc::channel(64);
        let request = Asked::new(vec![Message::user("Hi.")]);
        let cancelled = in_time(async {
            tokio::select! {
                reply = request.stream(model.as_ref(), &sender) => Some(reply),
                _ = pieces.recv() => None,
            }
        })
        .await;
        assert!(
            cancelled.is_none(),
            "{api}: the first piece is shown while the rest is awaited; then the request can be dropped: {cancelled:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_a_reader_that_has_gone_does_not_end_a_reply() {
    for api in APIS {
        let server = server(Script::new().reply(full())).await;
        let (sender, pieces) = mpsc::channel(1);
        drop(pieces);
        let request = Asked::new(vec![Message::user("Hi.")]);
        let model = model(api, &server, |_| {});
        let reply = in_time(request.stream(model.as_ref(), &sender)).await;
        assert!(
            reply.is_ok(),
            "{api}: nobody looks, and the reply comes all the same: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_asked_again_only_before_anything_was_shown() {
    let overloaded = || Fault::Status {
        status: 529,
        retry_after: None,
        body: "{}".into(),
    };
    let refused = || Fault::Status {
        status: 401,
        retry_after: None,
        body: "{}".into(),
    };
    let policy = RetryPolicy {
        max_retries: 3,
        base: Duration::from_millis(1),
        cap: Duration::from_millis(1),
        longest_wait: Duration::from_secs(1),
    };
    for api in APIS {
        let script = Script::new()
            .fault(overloaded())
            .fault(overloaded())
            .reply(full())
            .fault_in(Fault::CutAfter { bytes: 1400 }, full())
            .fault(refused());
        let server = server(script).await;
        let again = RetryingModel::new(Shared(model(api, &server, |_| {})), policy.clone());
        let (reply, pieces) = asked(&again, &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok(),
            "{api}: the third attempt succeeds: {reply:?}"
        );
        assert!(!pieces.is_empty(), "{api}: and its pieces are passed on");
        assert_eq!(
            server.requests().len(),
            3,
            "{api}: one request, and two retries"
        );

        let (reply, pieces) = asked(&again, &[Message::user("Hi.")]).await;
        assert!(!pieces.is_empty(), "{api}: some of the reply was shown");
        assert!(
            matches!(reply, Err(ProviderError::Network(_))) && server.requests().len() == 4,
            "{api}: what was shown would be shown twice, so there is no retry ({} requests): {reply:?}",
            server.requests().len() - 3
        );

        let (reply, _) = asked(&again, &[Message::user("Hi.")]).await;
        assert!(
            matches!(reply, Err(ProviderError::Authentication(_))) && server.requests().len() == 5,
            "{api}: no retry mends a wrong key: {reply:?}"
        );
    }
}

const APIS: [&str; 2] = ["messages", "responses"];

/// A reply with everything in it.
fn full() -> Scripted {
    Scripted::pieces(["Hel", "lo ", "ä🦀"])
        .and_tool_calls([("call_1", "list", json!({ "path": "src" }))])
        .thinking("plan", "c2ln+/==")
        .redacted_thinking("DATA==")
        .usage(120, 7)
        .cached(100)
}

/// A model of this API that asks this server.
fn model(
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

/// A model that is shared, for what takes one of its own.
struct Shared(Arc<dyn LanguageModel>);

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

/// A tool that always finds the same.
struct List(ToolDefinition);

#[async_trait]
impl Tool for List {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text("main.rs"))
    }
}

/// What a model is asked with.
struct Asked {
    system: SystemPrompt,
    messages: Vec<Message>,
}

impl Asked {
    fn new(messages: Vec<Message>) -> Self {
        Self {
            system: SystemPrompt {
                text: "Be brief.".into(),
                cache_boundary: 9,
            },
            messages,
        }
    }

    async fn stream(
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

/// The reply, and the pieces that were shown.
async fn asked(
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

/// The error with which a request ends.
async fn failure(model: &dyn LanguageModel) -> ProviderError {
    match asked(model, &[Message::user("Hi.")]).await {
        (Err(error), _) => error,
        (Ok(reply), _) => panic!("this should have failed, and yet there is a reply: {reply:?}"),
    }
}

fn signature(reply: &Message) -> String {
    let json = to_json(reply);
    let thoughts = json["content"].as_array().into_iter().flatten();
    let mut seals = thoughts.filter_map(|block| block["signature"].as_str());
    seals.next().unwrap_or("none").to_string()
}

/// The reply without its time.
fn timeless(reply: Message) -> Value {
    let mut json = to_json(&reply);
    json["timestamp"] = Value::Null;
    json
}

async fn server(script: Script) -> Server {
    Server::with(script)
        .await
        .expect("a free port on 127.0.0.1")
}

/// Fails a test that waits for something which never comes.
async fn in_time<T>(future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(Duration::from_secs(5), future).await {
        Ok(output) => output,
        Err(_) => panic!(
            "still waiting after 5 s: a timeout that should have ended this is missing, or a channel is never closed"
        ),
    }
}
