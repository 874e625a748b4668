//! Section 19.10: Requests over TCP

use std::time::Duration;

use claw_code::agent::*;
use claw_code::provider::*;
use claw_offline::{Fault, LoggedRequest, Script};
use serde_json::json;
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
async fn test_ch19_reply_over_tcp_keeps_its_signature() {
    for api in wire::APIS {
        let (reply, _, _) = full_reply(api).await;
        let signature = wire::signature(&reply);
        assert!(
            signature == "c2ln+/=="
                || signature.starts_with(r#"{"encrypted_content":"c2ln+/==","id":"rs_"#),
            "{api}: thinking should keep its signature: {signature}"
        );
    }
}

#[tokio::test]
async fn test_ch19_reply_names_its_model_and_provider() {
    for (api, provider) in [("messages", "anthropic"), ("responses", "openai")] {
        let (reply, _, _) = full_reply(api).await;
        let json = to_json(&reply);
        assert_json(
            &format!("{api}: the reply names its stop reason, its model and its provider"),
            &json!([
                json["role"],
                json["stopReason"],
                json["model"],
                json["provider"]
            ]),
            &json!(["assistant", "toolUse", "small-model", provider]),
        );
    }
}

#[tokio::test]
async fn test_ch19_reply_counts_cached_tokens_separately() {
    for api in wire::APIS {
        let (reply, _, _) = full_reply(api).await;
        let usage = &to_json(&reply)["usage"];
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
async fn test_ch19_each_api_gets_its_path() {
    for api in wire::APIS {
        let (_, _, request) = full_reply(api).await;
        assert_eq!(request.path, format!("/v1/{api}"), "the path of the API");
    }
}

#[tokio::test]
async fn test_ch19_each_api_gets_its_headers() {
    for (api, key, bearer, version) in [
        ("messages", Some("sk-test"), None, Some("2023-06-01")),
        ("responses", None, Some("Bearer sk-test"), None),
    ] {
        let (_, _, request) = full_reply(api).await;
        assert_eq!(
            (request.header("x-api-key"), request.header("authorization")),
            (key, bearer),
            "{api}: the key is sent without surrounding whitespace, and only in the header that the API requires"
        );
        assert_eq!(
            request.header("anthropic-version"),
            version,
            "{api}: only the Messages API gets the version's header, with `VERSION`"
        );
    }
}

#[tokio::test]
async fn test_ch19_configured_headers_are_sent_without_a_key() {
    let server = wire::server(Script::new().reply(wire::full())).await;
    let model = wire::model("messages", &server, |config| {
        config.headers.push(("x-team".into(), "core".into()));
    });
    let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
    assert!(reply.is_ok(), "a server may need no key: {reply:?}");
    let request = &server.requests()[0];
    assert_eq!(
        (request.header("x-api-key"), request.header("x-team")),
        (None, Some("core")),
        "without a key there is no `x-api-key`, and configured headers are kept"
    );
}

#[tokio::test]
async fn test_ch19_thinking_is_sent_back_unchanged() {
    let body = wire::second_request("messages").await;
    let sent = body["messages"][1]["content"].as_array();
    assert_json(
        "the second request has the thinking of the reply before its text",
        &json!(sent.map(|blocks| &blocks[..2])),
        &json!([
            { "type": "thinking", "thinking": "plan", "signature": "c2ln+/==" },
            { "type": "redacted_thinking", "data": "DATA==" },
        ]),
    );
    let body = wire::second_request("responses").await;
    let sent = &body["input"][1];
    assert_json(
        "the second request has the reasoning of the reply before its text",
        sent,
        &json!({ "type": "reasoning", "id": sent["id"], "encrypted_content": "c2ln+/==",
                 "summary": [summary("plan")] }),
    );
}

#[tokio::test]
async fn test_ch19_reply_does_not_depend_on_chunk_size() {
    for api in wire::APIS {
        let in_pieces = wire::reply_to_hi(api, Script::new().reply(wire::full()).chunk(5)).await;
        let whole = wire::reply_to_hi(api, Script::new().reply(wire::full())).await;
        assert_eq!(
            in_pieces.map(wire::timeless),
            whole.map(wire::timeless),
            "{api}: a reply in pieces of five bytes equals the whole reply"
        );
    }
}

#[tokio::test]
async fn test_ch19_reply_in_one_piece_gives_its_deltas() {
    let message = json!({
        "type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [text("Hi.")],
    });
    let response = json!({
        "status": "completed",
        "output": [{
            "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [output_text("Hi.")],
        }],
    });
    for (api, body) in [("messages", message), ("responses", response)] {
        let fault = wire::body("application/json", &body.to_string());
        let server = wire::server(Script::new().fault(fault)).await;
        let model = wire::model(api, &server, |_| {});
        let (reply, deltas) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
        assert!(reply.is_ok(), "{api}: a server need not stream: {reply:?}");
        assert_eq!(deltas, [text_delta("Hi.")], "{api}: the text is shown too");
    }
}

#[tokio::test]
async fn test_ch19_cut_stream_is_an_error() {
    for api in wire::APIS {
        for bytes in [0, 1, 300, 900] {
            let script = Script::new().fault_in(Fault::CutAfter { bytes }, wire::full());
            let reply = wire::reply_to_hi(api, script).await;
            assert!(
                matches!(reply, Err(ProviderError::Network(_))),
                "{api}: a stream cut after {bytes} bytes should be an error: {reply:?}"
            );
        }
    }
    let start = json!({ "type": "message_start", "message": { "usage": { "input_tokens": 3, "output_tokens": 1 } } });
    let body = wire::body("text/event-stream", &format!("data: {start}\n\n"));
    let reply = wire::reply_to_hi("messages", Script::new().fault(body)).await;
    assert!(
        matches!(reply, Err(ProviderError::Network(_))),
        "a stream that ends before its stop reason should be a network error too: {reply:?}"
    );
}

#[tokio::test]
async fn test_ch19_stream_may_end_after_its_stop_reason() {
    let events = [
        json!({ "type": "message_start", "message": { "usage": { "input_tokens": 3, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": text("Hi.") }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 2 } }),
    ];
    let stream: String = events.iter().map(|it| format!("data: {it}\n\n")).collect();
    let ended = Script::new().fault(wire::body("text/event-stream", &stream));
    for (how, reply) in [
        ("breaks off", wire::reply_of_closed_stream(&events).await),
        ("ends", wire::reply_to_hi("messages", ended).await),
    ] {
        let stop_reason = reply
            .as_ref()
            .map(|reply| to_json(reply)["stopReason"].clone());
        assert_eq!(
            stop_reason,
            Ok(json!("stop")),
            "the body {how} after the stop reason, so a missing `message_stop` is not an error: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_rejections_become_matching_errors() {
    let error =
        |kind: &str, message: &str| json!({ "error": { "type": kind, "message": message } });
    let too_long = error("invalid_request_error", "prompt is too long: 9 tokens");
    for (expected, status, body) in [
        ("Authentication", 401, error("authentication_error", "no")),
        ("Overloaded", 529, error("overloaded_error", "Overloaded")),
        ("ContextOverflow", 400, too_long),
        ("BadRequest", 400, error("invalid_request_error", "no")),
    ] {
        for api in wire::APIS {
            let error = wire::failure(api, rejection(status, None, body.to_string())).await;
            assert_eq!(
                wire::kind(&error),
                expected,
                "{api}: status {status} with {body} gave {error:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_rate_limit_has_its_delay() {
    for api in wire::APIS {
        let body = json!({ "error": { "type": "rate_limit_error", "message": "slow down" } });
        let error = wire::failure(api, rejection(429, Some("7"), body.to_string())).await;
        let delay = match &error {
            ProviderError::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        };
        assert_eq!(
            delay,
            Some(Duration::from_secs(7)),
            "{api}: status 429 with `retry-after: 7` gave {error:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_web_page_is_no_reply() {
    for api in wire::APIS {
        let page = wire::body("text/html", "<html>Welcome</html>");
        let error = wire::failure(api, page).await;
        let ProviderError::MalformedReply(why) = &error else {
            panic!("{api}: a web page should not be read as a reply: {error}");
        };
        assert!(
            why.contains("text/html") && why.contains("base URL"),
            "{api}: the error should name the content type and ask about the base URL: {why}"
        );
    }
}

#[tokio::test]
async fn test_ch19_error_in_a_stream_is_the_error_that_it_names() {
    let event = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let stream = format!("event: error\ndata: {event}\n\n");
    for api in wire::APIS {
        let error = wire::failure(api, wire::body("text/event-stream", &stream)).await;
        assert!(
            matches!(error, ProviderError::Overloaded { .. }),
            "{api}: an error event should become the error that it names: {error}"
        );
    }
}

#[tokio::test]
async fn test_ch19_error_after_the_stop_reason_is_returned() {
    let stop = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } });
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let stream = format!("data: {stop}\n\nevent: error\ndata: {error}\n\n");
    let error = wire::failure("messages", wire::body("text/event-stream", &stream)).await;
    assert!(
        matches!(error, ProviderError::Overloaded { .. }),
        "an error of `read` is returned at any time, also after the stop reason: {error}"
    );
    let stream = format!("data: {stop}\n\ndata: {}\n\n", "x".repeat(40_000));
    let error = wire::failure("messages", wire::body("text/event-stream", &stream)).await;
    assert!(
        matches!(error, ProviderError::MalformedReply(_)),
        "so is one of the decoder, such as that of an event beyond the limit: {error}"
    );
}

#[tokio::test]
async fn test_ch19_stream_that_cannot_be_read_is_malformed() {
    for api in wire::APIS {
        for (what, fault) in [
            ("an event that is not JSON", Fault::GarbageEvent),
            ("bytes that are not UTF-8", Fault::InvalidUtf8),
            (
                "an event beyond the limit",
                Fault::OversizedEvent { bytes: 40_000 },
            ),
        ] {
            let error = wire::failure(api, fault).await;
            assert!(
                matches!(error, ProviderError::MalformedReply(_)),
                "{api}: {what} cannot be understood: {error}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch19_stalled_stream_ends_by_timeout() {
    for api in wire::APIS {
        let server = wire::server(stalled_after(1400)).await;
        let model = wire::model(api, &server, |config| {
            config.idle_timeout = Duration::from_millis(20);
        });
        let (reply, _) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
        assert!(
            matches!(&reply, Err(ProviderError::Network(why)) if why.contains("stopped")),
            "{api}: the idle timeout should end a stalled stream: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_last_event_completes_the_reply() {
    for api in wire::APIS {
        let reply = wire::reply_to_hi(api, stalled_after(usize::MAX)).await;
        assert!(
            reply.is_ok(),
            "{api}: the last event completes the reply, even if the connection stays open: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_stalled_request_can_be_dropped() {
    for api in wire::APIS {
        let server = wire::server(stalled_after(1400)).await;
        let model = wire::model(api, &server, |_| {});
        let (sender, mut deltas) = mpsc::channel(64);
        let request = wire::Asked::new(vec![Message::user("Hi.")]);
        let reply = wire::in_time(async {
            tokio::select! {
                reply = request.stream(model.as_ref(), &sender) => Some(reply),
                _ = deltas.recv() => None,
            }
        })
        .await;
        assert!(
            reply.is_none(),
            "{api}: the first delta arrives before the rest, and then the request can be dropped: {reply:?}"
        );
    }
}

#[tokio::test]
async fn test_ch19_dropped_receiver_does_not_end_reply() {
    for api in wire::APIS {
        let server = wire::server(Script::new().reply(wire::full())).await;
        let (sender, deltas) = mpsc::channel(1);
        drop(deltas);
        let request = wire::Asked::new(vec![Message::user("Hi.")]);
        let model = wire::model(api, &server, |_| {});
        let reply = wire::in_time(request.stream(model.as_ref(), &sender)).await;
        assert!(
            reply.is_ok(),
            "{api}: the reply arrives without a receiver of deltas: {reply:?}"
        );
    }
}

/// A reply with every kind of block, its deltas, and the request for it.
async fn full_reply(api: &str) -> (Message, Vec<StreamDelta>, LoggedRequest) {
    let server = wire::server(Script::new().reply(wire::full())).await;
    let model = wire::model(api, &server, |config| {
        config.api_key = Some(" sk-test\n".into());
    });
    let (reply, deltas) = wire::asked(model.as_ref(), &[Message::user("Hi.")]).await;
    let reply = reply.unwrap_or_else(|error| panic!("{api}: {error}"));
    (reply, deltas, server.requests()[0].clone())
}

/// A rejected request, with the `retry-after` header.
fn rejection(status: u16, retry_after: Option<&str>, body: String) -> Fault {
    Fault::Status {
        status,
        retry_after: retry_after.map(str::to_string),
        body,
    }
}

/// A reply that stops after this many bytes, on a connection that stays open.
fn stalled_after(after_bytes: usize) -> Script {
    Script::new().fault_in(Fault::Stall { after_bytes }, wire::full())
}
