//! Section 2.12: A reply in one piece

use std::time::{Duration, SystemTime};

use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script};
use serde_json::json;
use tokio::net::TcpSocket;

use super::support::*;

#[tokio::test]
async fn test_ch2_chat_returns_text_and_usage() {
    let answer = Reply::text("Grüße, 中🦀!").usage(1200, 7).cached(1000);
    let server = start_server(Script::new().reply(answer)).await;
    let reply = chat(&provider_for(&server, |_| {})).await;
    let reply = reply.expect("a reply");
    assert_eq!(reply.text.as_deref(), Some("Grüße, 中🦀!"));
    assert_eq!(reply.stop_reason, StopReason::Stop);
    assert_eq!(reply.usage, Some(usage(200, 7, 1000)));
}

#[tokio::test]
async fn test_ch2_chat_returns_tool_calls() {
    let arguments = json!({ "path": "." });
    let answer = Reply::tool_calls([("call_1", "list", arguments.clone())]);
    let server = start_server(Script::new().reply(answer)).await;
    let reply = chat(&provider_for(&server, |_| {})).await;
    let reply = reply.expect("a reply");
    assert_eq!(reply.text, None);
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.tool_calls, [tool_call("call_1", "list", arguments)]);
}

#[tokio::test]
async fn test_ch2_chat_sends_body_key_and_headers() {
    let server = start_server(Script::new().reply(Reply::text("hi"))).await;
    let provider = provider_for(&server, |config| {
        config.api_key = Some(" sk-test\n".into());
        config.headers = vec![("x-title".into(), "claw".into())];
    });
    let (messages, list) = ([user("Hello?")], tool("list"));
    let reply = in_time(provider.chat(&messages, &[&list])).await;
    reply.expect("a reply");

    let request = &server.requests()[0];
    assert_eq!(
        request.body,
        request_body("small-model", &messages, &[&list], false),
        "the body comes from section 2.10 and is not streamed"
    );
    assert_eq!(
        request.header("authorization"),
        Some("Bearer sk-test"),
        "the key is a bearer token, without the white space around it"
    );
    assert_eq!(
        request.header("x-title"),
        Some("claw"),
        "the headers of the settings are sent"
    );
}

#[tokio::test]
async fn test_ch2_chat_path_follows_the_base_url() {
    for end in ["", "/"] {
        let server = start_server(Script::new().reply(Reply::text("hi"))).await;
        let provider = provider_for(&server, |config| config.base_url += end);
        chat(&provider).await.expect("a reply");
        assert_eq!(
            server.requests()[0].path,
            "/v1/chat/completions",
            "a base URL that ends with {end:?}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_without_a_key_sends_no_authorization() {
    let server = start_server(Script::new().reply(Reply::text("hi"))).await;
    chat(&provider_for(&server, |_| {})).await.expect("a reply");
    assert_eq!(
        server.requests()[0].header("authorization"),
        None,
        "without a key there is no authorization header"
    );
}

#[tokio::test]
async fn test_ch2_chat_error_has_variant_and_message_of_response() {
    for (status, expected) in [
        (401, "Authentication"),
        (404, "BadRequest"),
        (429, "RateLimited"),
        (503, "Overloaded"),
        (529, "Overloaded"),
    ] {
        let error = chat_error(refusal(status, None), |_| {}).await;
        assert_eq!(
            variant(&error),
            expected,
            "status {status} became {error:?}"
        );
        assert!(
            error.to_string().contains("the server's own message"),
            "the error should contain the server's message; it reads: {error}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_error_has_retry_after_header() {
    let in_an_hour = SystemTime::now() + Duration::from_secs(3600);
    let in_an_hour = httpdate::fmt_http_date(in_an_hour);
    for (status, header, expected) in [
        (401, None, None),
        (404, None, None),
        (429, None, None),
        (429, Some("7"), Some(7..=7)),
        (429, Some(in_an_hour.as_str()), Some(3500..=3600)),
        (429, Some("later"), None),
        (503, Some("2"), Some(2..=2)),
        (529, None, None),
    ] {
        let error = chat_error(refusal(status, header), |_| {}).await;
        let seconds = error.retry_after().map(|wait| wait.as_secs());
        assert!(
            match &expected {
                Some(range) => seconds.is_some_and(|seconds| range.contains(&seconds)),
                None => seconds.is_none(),
            },
            "status {status} with Retry-After {header:?} should ask to wait {expected:?} seconds, not {seconds:?}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_error_status_counts_even_if_body_is_unreadable() {
    let long = b"x".repeat(100_000);
    for (status, body, expected, part) in [
        (502, &b"Bad Gateway"[..], "Overloaded", "Bad Gateway"),
        (503, b"ab\xFFcd", "Overloaded", "not UTF-8"),
        (401, b"", "Authentication", "no reason"),
        (400, &long, "BadRequest", "longer than 50000 bytes"),
        (302, b"go elsewhere", "BadRequest", "go elsewhere"),
    ] {
        let fault = Fault::Raw {
            status,
            content_type: "text/html".into(),
            body: body.to_vec(),
        };
        let error = chat_error(fault, |config| config.max_bytes = 50_000).await;
        assert_eq!(
            variant(&error),
            expected,
            "status {status} decides, even if the body is unusable: {error:?}"
        );
        assert!(
            error.to_string().contains(part),
            "status {status}: the error should contain the body, or why it can't be read, {part:?}; it reads: {error}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_reports_a_refused_connection() {
    // The socket holds the port, so that no other program takes it, and does not listen.
    let socket = unused_socket();
    let url = format!("http://{}/v1", socket.local_addr().expect("an address"));
    let provider = OpenAiProvider::new(OpenAiConfig::new(&url, "m")).expect("a valid URL");
    let error = chat(&provider).await.expect_err("no server listens");
    assert_eq!(variant(&error), "Network", "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains(&url) && text.to_lowercase().contains("refused"),
        "the error should name the URL {url} and the cause, a refused connection; it reads: {text}"
    );
}

#[tokio::test]
async fn test_ch2_chat_reports_a_connect_timeout() {
    // On Linux, new connections wait while the queue of a listener that accepts none is
    // full. Other systems may refuse them.
    if !cfg!(target_os = "linux") {
        return;
    }
    let listener = unused_socket().listen(1).expect("a listener");
    let address = listener.local_addr().expect("an address");
    let mut queue = Vec::new();
    // On this machine, a connection for which there is room is there at once.
    let at_once = Duration::from_millis(30);
    while let Ok(waiting) = std::net::TcpStream::connect_timeout(&address, at_once) {
        queue.push(waiting);
        assert!(queue.len() < 100, "the queue should be full by now");
    }
    let mut config = OpenAiConfig::new(format!("http://{address}/v1"), "m");
    config.connect_timeout = SHORT_TIMEOUT;
    let provider = OpenAiProvider::new(config).expect("a valid URL");
    let error = chat(&provider).await.expect_err("there is no connection");
    assert_eq!(variant(&error), "Network", "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("elapsed") || text.contains("timed out"),
        "the error should contain reqwest's message about the connect timeout; it reads: {text}"
    );
}

#[tokio::test]
async fn test_ch2_chat_reports_a_first_byte_timeout() {
    let fault = Fault::StallBeforeHeaders;
    let error = chat_error(fault, |config| config.first_byte_timeout = SHORT_TIMEOUT).await;
    assert_eq!(variant(&error), "Network", "{error:?}");
    let part = format!("the answer did not begin within {SHORT_TIMEOUT:?}");
    assert!(
        error.to_string().contains(&part),
        "the error should come from `timeout_error` and contain {part:?}; it reads: {error}"
    );
}

#[tokio::test]
async fn test_ch2_chat_reports_a_response_that_stops() {
    let first_byte_timeout = Duration::from_millis(250);
    let pause = first_byte_timeout + Duration::from_millis(50);
    let stopped = &format!("the answer stopped within {pause:?}");
    let cut = "error reading a body from connection";
    for (fault, part) in [
        (Fault::Stall { after_bytes: 60 }, stopped.as_str()),
        (Fault::CutAfter { bytes: 60 }, cut),
    ] {
        let error = chat_error(fault.clone(), |config| {
            config.first_byte_timeout = first_byte_timeout;
            config.idle_timeout = pause;
        })
        .await;
        assert_eq!(variant(&error), "Network", "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(part),
            "{fault:?}: the error should contain {part:?}, and the first-byte timeout ends when the answer begins; it reads: {error}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_limits_a_reply_that_arrives_at_once() {
    let fault = response("application/json", "{\"hello\":\"world\"}");
    let error = chat_error(fault, |config| config.max_bytes = 10).await;
    assert_eq!(variant(&error), "MalformedReply");
    assert!(
        error.to_string().contains("10 bytes"),
        "the error should name the limit; it reads: {error}"
    );
}

#[tokio::test]
async fn test_ch2_chat_accepts_a_reply_of_exactly_the_limit() {
    let body = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}"#;
    let server = start_server(Script::new().fault(response("application/json", body))).await;
    let provider = provider_for(&server, |config| config.max_bytes = body.len());
    let reply = chat(&provider).await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("hi".to_string())),
        "a body may have `max_bytes` bytes"
    );
}

#[tokio::test]
async fn test_ch2_chat_accepts_every_success_status() {
    for status in [200, 201, 299] {
        let fault = Fault::Raw {
            status,
            content_type: "application/json".into(),
            body: br#"{"choices":[{"message":{"content":"hi"}}]}"#.to_vec(),
        };
        let server = start_server(Script::new().fault(fault)).await;
        let reply = chat(&provider_for(&server, |_| {})).await;
        assert_eq!(
            reply.map(|reply| reply.text),
            Ok(Some("hi".to_string())),
            "status {status} is a success"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_rejects_a_malformed_reply() {
    let json = |body: &[u8]| response("application/json", body);
    for (fault, part) in [
        (
            response("text/html", "<html>Log in</html>"),
            "<html>Log in</html>",
        ),
        (json(b"{\"hello\":1}"), "choices"),
        (json(b"{\"choices\":[]}"), "no message"),
        (json(b"{\"choices\":[{\"mess\xFF"), "UTF-8"),
        (Fault::GarbageEvent, "EOF"),
        (Fault::OversizedEvent { bytes: 20_000 }, "10000 bytes"),
        (Fault::InvalidUtf8, "UTF-8"),
    ] {
        let error = chat_error(fault.clone(), |config| config.max_bytes = 10_000).await;
        let fault = describe(&fault);
        assert_eq!(variant(&error), "MalformedReply", "{fault}");
        let text = error.to_string();
        assert!(
            text.contains(part),
            "{fault}: the error should contain {part:?}; it reads: {text}"
        );
        assert_eq!(
            text.contains("base URL"),
            part.contains("html"),
            "{fault}: the error should ask about the base URL if the content type is not JSON, and only then; it reads: {text}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_reports_an_error_in_a_successful_response() {
    let body = "{\"error\":{\"message\":\"full\",\"code\":503}}";
    let error = chat_error(response("application/json", body), |_| {}).await;
    assert_eq!(variant(&error), "Overloaded", "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("full") && !text.contains("base URL"),
        "the error should contain the server's message, \"full\", and no hint; it reads: {text}"
    );
}

/// Asks for a whole reply.
async fn chat(provider: &OpenAiProvider) -> Result<AssistantMessage, ProviderError> {
    in_time(provider.chat(&[user("Hello?")], &[])).await
}

/// The error of `chat` with a server that responds with this fault.
async fn chat_error(fault: Fault, change: impl FnOnce(&mut OpenAiConfig)) -> ProviderError {
    let server = start_server(Script::new().fault(fault.clone())).await;
    let outcome = chat(&provider_for(&server, change)).await;
    let fault = describe(&fault);
    assert_eq!(
        server.requests().len(),
        1,
        "{fault}: `chat` makes one attempt, and section 2.14 adds retries"
    );
    match outcome {
        Ok(reply) => panic!("{fault} should be an error, not {reply:?}"),
        Err(error) => error,
    }
}

fn refusal(status: u16, retry_after: Option<&str>) -> Fault {
    Fault::Status {
        status,
        retry_after: retry_after.map(String::from),
        body: r#"{"error":{"message":"the server's own message"}}"#.into(),
    }
}

/// A socket with a free port on this machine.
fn unused_socket() -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    let address = "127.0.0.1:0".parse().expect("an address");
    socket.bind(address).expect("a free port");
    socket
}
