//! Section 19.18: Requests over TCP

use std::time::Duration;

use claw_code::agent::*;
use claw_code::provider::*;
use claw_code::types::{ToolDefinition, ToolSet};
use claw_offline::{Fault, Reply as Scripted, Script, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::support::*;
use super::wire;

#[tokio::test]
async fn test_ch19_both_models_stream_text_and_thinking() {
    for api in wire::APIS {
        let (_, deltas, _) = full_reply(api).await;
        let joined = |text: fn(&StreamDelta) -> &str| deltas.iter().map(text).collect::<String>();
        let text = joined(|delta| match delta {
            StreamDelta::Text { delta } => delta,
            _ => "",
        });
        assert_eq!(text, "Hello ä🦀", "{api}: the text deltas form the text");
        let thinking = joined(|delta| match delta {
            StreamDelta::Thinking { delta } => delta,
            _ => "",
        });
        assert_eq!(
            thinking, "plan",
            "{api}: thinking arrives as thinking deltas"
        );
    }
}

#[tokio::test]
async fn test_ch19_both_models_return_the_complete_reply() {
    for (api, name) in [("messages", "anthropic"), ("responses", "openai")] {
        let (reply, _, _) = full_reply(api).await;
        let signature = wire::signature(&reply);
        assert!(
            signature == "c2ln+/=="
                || signature.starts_with(r#"{"encrypted_content":"c2ln+/==","id":"rs_"#),
            "{api}: thinking should keep its signature: {signature}"
        );
        let json = to_json(&reply);
        assert_json(
            &format!("{api}: the reply names its stop reason, its model and its provider"),
            &json!([
                json["role"],
                json["stopReason"],
                json["model"],
                json["provider"]
            ]),
            &json!(["assistant", "toolUse", "small-model", name]),
        );
        let usage = &json["usage"];
        assert_json(
            &format!("{api}: cached tokens are counted separately"),
            &json!([
                usage["input"],
                usage["output"],
                usage["cache_read"],
                usage["total_tokens"]
            ]),
            &json!([20, 7, 100, 127]),
        );
    }
}

#[tokio::test]
async fn test_ch19_each_api_gets_its_path_and_headers() {
    for (api, path, key, bearer, has_version) in [
        ("messages", "/v1/messages", Some("sk-test"), None, true),
        (
            "responses",
            "/v1/responses",
            None,
            Some("Bearer sk-test"),
            false,
        ),
    ] {
        let (_, _, server) = full_reply(api).await;
        let request = &server.requests()[0];
        assert_eq!(request.path, path);
        assert_eq!(
            (request.header("x-api-key"), request.header("authorization")),
            (key, bearer),
            "{api}: the key is sent without surrounding whitespace, and only in the header that the API requires"
        );
        assert_eq!(
            request.header("anthropic-version").is_some(),
            has_version,
            "{api}: the version's header"
        );
    }
}

/// A reply with every kind of block, its deltas, and the server that sent it.
async fn full_reply(api: &str) -> (Message, Vec<StreamDelta>, Server) {
    let server = wire::server(Script::new().reply(wire::full())).await;
    let model = wire::model(api, &server, |config| {
        config.api_key = Some(" sk-test\n".into());
    });
    let (reply, deltas) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
    let reply = reply.unwrap_or_else(|error| panic!("{api}: {error}"));
    (reply, deltas, server)
}

#[tokio::test]
async fn test_ch19_signatures_are_sent_back_unchanged() {
    for api in wire::APIS {
        let script = Script::new()
            .reply(wire::full())
            .reply(Scripted::text("Done."));
        let server = wire::server(script).await;
        let mut agent = Agent::builder(wire::Shared(wire::model(api, &server, |_| {})))
            .tools(ToolSet::new().with(wire::List(ToolDefinition::new("list", "Lists."))))
            .thinking(ThinkingLevel::Low)
            .build();
        let end = wire::in_time(agent.run("Hi.")).await;
        let said: Vec<Value> = agent.messages().iter().map(to_json).collect();
        assert_eq!(
            end,
            StopReason::Stop,
            "{api}: the server rejects changed thinking: {said:#?}"
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
            &format!("{api}: in the second request, before the text"),
            &sent,
            &expected,
        );
    }
}

#[tokio::test]
async fn test_ch19_reply_does_not_depend_on_chunk_size() {
    for api in wire::APIS {
        let server = wire::server(Script::new().reply(wire::full()).chunk(1)).await;
        let (split, _) = wire::asked(
            wire::model(api, &server, |_| {}).as_ref(),
            &[Message::user("Hi.")],
        )
        .await;
        let whole = wire::server(Script::new().reply(wire::full())).await;
        let (whole, _) = wire::asked(
            wire::model(api, &whole, |_| {}).as_ref(),
            &[Message::user("Hi.")],
        )
        .await;
        assert_eq!(
            split.map(wire::timeless),
            whole.map(wire::timeless),
            "{api}: a reply in single bytes equals the whole reply"
        );
    }
}

#[tokio::test]
async fn test_ch19_cut_stream_is_an_error() {
    for api in wire::APIS {
        let cuts = [0, 1, 300, 900];
        let script = cuts.into_iter().fold(Script::new(), |script, bytes| {
            script.fault_in(Fault::CutAfter { bytes }, wire::full())
        });
        let server = wire::server(script).await;
        let model = wire::model(api, &server, |_| {});
        for bytes in cuts {
            let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
            assert!(
                matches!(reply, Err(ProviderError::Network(_))),
                "{api}: a stream cut after {bytes} bytes should be an error: {reply:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_stream_may_end_after_its_stop_reason() {
    let events = [
        json!({ "type": "message_start", "message": { "usage": { "input_tokens": 3, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": text("Hi.") }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 2 } }),
    ];
    let events = events.map(|event| format!("data: {event}\n\n")).concat();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("has an address");
    let serve = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client connects");
        let mut request = vec![0; 64 * 1024];
        let _ = stream.read(&mut request).await;
        // The header promises more bytes than the server sends.
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n",
            events.len() + 1
        );
        let _ = stream.write_all((head + &events).as_bytes()).await;
    });
    let server = wire::server(Script::new()).await;
    let model = wire::model("messages", &server, |config| {
        config.base_url = format!("http://{address}");
    });
    let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
    serve.await.expect("nothing panics there");
    assert!(
        matches!(
            &reply,
            Ok(Message::Assistant {
                stop_reason: StopReason::Stop,
                ..
            })
        ),
        "the blocks and the stop reason arrived, so a missing `message_stop` is no error: {reply:?}"
    );
}

#[tokio::test]
async fn test_ch19_rejections_become_matching_errors() {
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
    for api in wire::APIS {
        let script = cases
            .iter()
            .fold(Script::new(), |script, (status, wait, body, _)| {
                script.fault(Fault::Status {
                    status: *status,
                    retry_after: wait.map(str::to_string),
                    body: body.to_string(),
                })
            });
        let server = wire::server(script).await;
        let model = wire::model(api, &server, |_| {});
        for (status, _, body, kind) in &cases {
            let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
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
async fn test_ch19_responses_of_other_content_types() {
    let raw = |content_type: &str, body: String| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.into_bytes(),
    };
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    for api in wire::APIS {
        let script = Script::new()
            .fault(raw("text/html", "<html>Welcome</html>".into()))
            .fault(raw(
                "text/event-stream",
                format!("event: error\ndata: {overloaded}\n\n"),
            ))
            .fault(Fault::GarbageEvent)
            .fault(Fault::InvalidUtf8)
            .fault(Fault::OversizedEvent { bytes: 200_000 });
        let server = wire::server(script).await;
        let model = wire::model(api, &server, |_| {});
        let error = wire::failure(model.as_ref()).await;
        let ProviderError::MalformedReply(why) = &error else {
            panic!("{api}: a web page should not be read as a reply: {error}");
        };
        assert!(
            why.contains("text/html") && why.contains("base URL"),
            "{api}: the error should name the content type and ask about the base URL: {why}"
        );
        let error = wire::failure(model.as_ref()).await;
        assert!(
            matches!(error, ProviderError::Overloaded { .. }),
            "{api}: an error event should become the error that it names: {error}"
        );
        for what in [
            "an event that is not JSON",
            "bytes that are not UTF-8",
            "an event beyond the limit",
        ] {
            let error = wire::failure(model.as_ref()).await;
            assert!(
                matches!(error, ProviderError::MalformedReply(_)),
                "{api}: {what} cannot be understood: {error}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_stalled_stream_ends_by_timeout_or_cancel() {
    for api in wire::APIS {
        let stall = || Script::new().fault_in(Fault::Stall { after_bytes: 1400 }, wire::full());
        let waiting = wire::server(stall()).await;
        let patient = wire::model(api, &waiting, |config| {
            config.idle_timeout = Duration::from_millis(20)
        });
        let (reply, _) = wire::asked(patient.as_ref(), &[Message::user("Hi.")]).await;
        assert!(
            matches!(&reply, Err(ProviderError::Network(why)) if why.contains("stopped")),
            "{api}: the idle timeout should end a stalled stream: {reply:?}"
        );
        let whole = Fault::Stall {
            after_bytes: usize::MAX,
        };
        let waiting = wire::server(Script::new().fault_in(whole, wire::full())).await;
        let model = wire::model(api, &waiting, |_| {});
        let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
        assert!(
            reply.is_ok(),
            "{api}: the last event completes the reply, even if the connection stays open: {reply:?}"
        );
        let waiting = wire::server(stall()).await;
        let model = wire::model(api, &waiting, |_| {});
        let (sender, mut pieces) = mpsc::channel(64);
        let request = wire::Asked::new(vec![Message::user("Hi.")]);
        let cancelled = wire::in_time(async {
            tokio::select! {
                reply = request.stream(model.as_ref(), &sender) => Some(reply),
                _ = pieces.recv() => None,
            }
        })
        .await;
        assert!(
            cancelled.is_none(),
            "{api}: the first delta arrives before the rest, and then the request can be dropped: {cancelled:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_dropped_receiver_does_not_end_reply() {
    for api in wire::APIS {
        let server = wire::server(Script::new().reply(wire::full())).await;
        let (sender, pieces) = mpsc::channel(1);
        drop(pieces);
        let request = wire::Asked::new(vec![Message::user("Hi.")]);
        let model = wire::model(api, &server, |_| {});
        let reply = wire::in_time(request.stream(model.as_ref(), &sender)).await;
        assert!(
            reply.is_ok(),
            "{api}: the reply arrives without a receiver of deltas: {reply:?}"
        );
    }
}
