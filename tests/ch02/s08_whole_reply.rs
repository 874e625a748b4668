//! Section 2.8: A reply in one piece

use std::time::{Duration, SystemTime};

use claw_code::provider::*;
use claw_code::types::*;
use claw_offline::{Fault, Reply, Script};
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch2_chat_asks_and_answers() {
    let server = server(
        Script::new()
            .reply(Reply::text("Grüße, 中🦀!").usage(1200, 7).cached(1000))
            .reply(Reply::tool_calls([(
                "call_1",
                "list",
                json!({ "path": "." }),
            )])),
    )
    .await;
    let provider = provider(&server, |config| {
        config.api_key = Some(" sk-test\n".into());
        config.headers = vec![("x-title".into(), "claw".into())];
    });
    let tools = [tool("list")];
    let tools: Vec<&ToolDefinition> = tools.iter().collect();
    let messages = [Message::User(user("Hello?"))];

    let reply = in_time(provider.chat(&messages, &tools)).await;
    let reply = reply.expect("a reply");
    assert_eq!(reply.text.as_deref(), Some("Grüße, 中🦀!"));
    assert_eq!(reply.stop_reason, StopReason::Stop);
    assert_eq!(reply.usage, Some(usage(200, 7, 1000)));

    let calling = in_time(provider.chat(&messages, &tools)).await;
    let calling = calling.expect("a reply");
    assert_eq!(calling.text, None);
    assert_eq!(calling.stop_reason, StopReason::ToolUse);
    assert_eq!(
        calling.tool_calls,
        [call("call_1", "list", json!({ "path": "." }))]
    );

    let asked = &server.requests()[0];
    assert_eq!(
        asked.path, "/v1/chat/completions",
        "the path behind the base URL"
    );
    assert_eq!(
        asked.body,
        request_body("small-model", &messages, &tools, false),
        "the body is the one of section 2.6, not streamed"
    );
    assert_eq!(
        asked.header("authorization"),
        Some("Bearer sk-test"),
        "the key is sent as a bearer token, without white space around it"
    );
    assert_eq!(
        asked.header("x-title"),
        Some("claw"),
        "what the settings add to the headers is sent"
    );
}

#[tokio::test]
async fn test_ch2_chat_without_a_key() {
    let server = server(Script::new().reply(Reply::text("hi"))).await;
    let provider = provider(&server, |config| config.base_url += "/");
    let reply = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
    reply.expect("a reply");
    let asked = &server.requests()[0];
    assert_eq!(
        asked.header("authorization"),
        None,
        "without a key there is no header for it"
    );
    assert_eq!(
        asked.path, "/v1/chat/completions",
        "a slash at the end of the base URL is no part of the path"
    );
}

#[tokio::test]
async fn test_ch2_chat_refused() {
    let in_an_hour = SystemTime::now() + Duration::from_secs(3600);
    let in_an_hour = httpdate::fmt_http_date(in_an_hour);
    for (status, retry_after, expected, seconds) in [
        (401, None, "Authentication", None),
        (404, None, "BadRequest", None),
        (429, None, "RateLimited", None),
        (429, Some("7"), "RateLimited", Some(7..=7)),
        (
            429,
            Some(in_an_hour.as_str()),
            "RateLimited",
            Some(3500..=3600),
        ),
        (429, Some("later"), "RateLimited", None),
        (503, Some("2"), "Overloaded", Some(2..=2)),
        (529, None, "Overloaded", None),
    ] {
        let server = server(Script::new().fault(Fault::Status {
            status,
            retry_after: retry_after.map(String::from),
            body: r#"{"error":{"message":"the server's own words"}}"#.into(),
        }))
        .await;
        let provider = provider(&server, |_| {});
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("the server refuses");
        assert_eq!(kind(&error), expected, "status {status} became {error:?}");
        assert!(
            error.to_string().contains("the server's own words"),
            "the error should pass on what the server said; it reads: {error}"
        );
        let waits = error.retry_after().map(|wait| wait.as_secs());
        assert!(
            match &seconds {
                Some(range) => waits.is_some_and(|wait| range.contains(&wait)),
                None => waits.is_none(),
            },
            "status {status} with Retry-After {retry_after:?} should ask to wait {seconds:?} seconds, not {waits:?}"
        );
        assert_eq!(
            server.requests().len(),
            1,
            "one attempt: trying again comes in section 2.10"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_refused_in_a_broken_way() {
    let refused = |status, body: &[u8]| {
        Script::new().fault(Fault::Raw {
            status,
            content_type: "text/html".into(),
            body: body.to_vec(),
        })
    };
    for (script, expected) in [
        (refused(502, b"<html>Bad Gateway</html>"), "Overloaded"),
        (refused(503, b"not \xFF UTF-8"), "Overloaded"),
        (refused(401, b""), "Authentication"),
        (refused(400, &b"x".repeat(100_000)), "BadRequest"),
        (refused(302, b"go elsewhere"), "BadRequest"),
    ] {
        let server = server(script).await;
        let provider = provider(&server, |config| config.max_bytes = 50_000);
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("the server refuses");
        assert_eq!(
            kind(&error),
            expected,
            "the status decides, even when the body is of no use: {error:?}"
        );
        assert!(
            error.to_string().len() < 2000,
            "a long body is quoted in part"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_server_is_down() {
    // The port is taken, so that nobody else can come by it, and nobody listens there.
    let silent = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    silent.bind(any).expect("a free port");
    let url = format!("http://{}/v1", silent.local_addr().expect("its address"));
    let provider = OpenAiProvider::new(OpenAiConfig::new(&url, "m")).expect("a good URL");
    let error = in_time(provider.chat(&[], &[])).await;
    let error = error.expect_err("nobody listens");
    assert_eq!(kind(&error), "Network", "{error:?}");
    let said = error.to_string();
    assert!(
        said.contains(&url) && said.to_lowercase().contains("refused"),
        "the error should name the address, {url}, and the cause, a refused connection; it reads: {said}"
    );
}

#[tokio::test]
async fn test_ch2_chat_connection_never_comes() {
    // A listener that accepts nothing, with its queue full, leaves new connections waiting
    // on Linux. Other systems may refuse them.
    if !cfg!(target_os = "linux") {
        return;
    }
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a free port");
    let busy = socket.listen(1).expect("a listener");
    let address = busy.local_addr().expect("its address");
    let mut queue = Vec::new();
    while let Ok(waiting) = std::net::TcpStream::connect_timeout(&address, SHORT) {
        queue.push(waiting);
        assert!(queue.len() < 100, "the queue should be full by now");
    }
    let mut config = OpenAiConfig::new(format!("http://{address}/v1"), "m");
    config.connect_timeout = SHORT;
    let provider = OpenAiProvider::new(config).expect("a good URL");
    let error = in_time(provider.chat(&[], &[])).await;
    let error = error.expect_err("there is no connection");
    assert_eq!(kind(&error), "Network", "{error:?}");
    let said = error.to_string();
    assert!(
        said.contains("elapsed") || said.contains("timed out"),
        "the error should pass on what reqwest says, that the time to connect has run out; it reads: {said}"
    );
}

#[tokio::test]
async fn test_ch2_chat_answer_never_begins() {
    let server = server(Script::new().fault(Fault::StallBeforeHeaders)).await;
    let provider = provider(&server, |config| config.first_byte_timeout = SHORT);
    let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
    let error = error.expect_err("no answer comes");
    assert_eq!(kind(&error), "Network", "{error:?}");
    assert!(
        error.to_string().contains(&format!("{SHORT:?}")),
        "the error should say that the answer did not begin within {SHORT:?}, as `timeout_error` does; it reads: {error}"
    );
}

#[tokio::test]
async fn test_ch2_chat_answer_stops() {
    for (fault, words) in [
        (Fault::Stall { after_bytes: 60 }, format!("{SHORT:?}")),
        (Fault::CutAfter { bytes: 60 }, "body".to_string()),
    ] {
        let server = server(Script::new().fault(fault.clone())).await;
        let provider = provider(&server, |config| config.idle_timeout = SHORT);
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("half an answer is none");
        assert_eq!(kind(&error), "Network", "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(&words),
            "{fault:?}: the error should speak of it ({words:?}); it reads: {error}"
        );
    }
}

#[tokio::test]
async fn test_ch2_chat_answer_is_something_else() {
    let raw = |content_type: &str, body: &[u8]| Fault::Raw {
        status: 200,
        content_type: content_type.into(),
        body: body.to_vec(),
    };
    for (fault, expected, words) in [
        (
            raw("text/html", b"<html>Log in</html>"),
            "MalformedReply",
            "<html>Log in</html>",
        ),
        (
            raw("application/json", b"{\"hello\":1}"),
            "MalformedReply",
            "choices",
        ),
        (
            raw("application/json", b"{\"choices\":[]}"),
            "MalformedReply",
            "no message",
        ),
        (
            raw("application/json", b"{\"choices\":[{\"mess\xFF"),
            "MalformedReply",
            "UTF-8",
        ),
        (
            raw(
                "application/json",
                b"{\"error\":{\"message\":\"full\",\"code\":503}}",
            ),
            "Overloaded",
            "full",
        ),
        (Fault::GarbageEvent, "MalformedReply", "EOF"),
        (
            Fault::OversizedEvent { bytes: 20_000 },
            "MalformedReply",
            "10000 bytes",
        ),
        (Fault::InvalidUtf8, "MalformedReply", "UTF-8"),
    ] {
        let server = server(Script::new().fault(fault.clone())).await;
        let provider = provider(&server, |config| config.max_bytes = 10_000);
        let error = in_time(provider.chat(&[Message::User(user("Hello?"))], &[])).await;
        let error = error.expect_err("this is no reply");
        assert_eq!(kind(&error), expected, "{fault:?} became {error:?}");
        assert!(
            error.to_string().contains(words),
            "{fault:?}: the error should speak of {words:?}; it reads: {error}"
        );
        let is_html =
            matches!(&fault, Fault::Raw { content_type, .. } if content_type == "text/html");
        assert_eq!(
            error.to_string().contains("base URL"),
            is_html,
            "{fault:?}: what does not even claim to be JSON may come from another address; the error reads: {error}"
        );
    }
}
