//! Sends requests to the server and reads its answers.

mod conversation;
mod streamed_reply;

use claw_offline::{Reply, Script, Server};
use serde_json::{Value, json};

pub use streamed_reply::reply_of;

pub use conversation::{ALL_TOOLS, Call, Conversation, function};

/// The book's page about the server.
pub fn page() -> String {
    // Git may have changed the line ends.
    include_str!("../../../../book/src/claw-offline.md").replace('\r', "")
}

/// The paths of the three APIs.
pub const CHAT: &str = "/v1/chat/completions";
pub const RESPONSES: &str = "/v1/responses";
pub const MESSAGES: &str = "/v1/messages";
pub const APIS: [&str; 3] = [CHAT, RESPONSES, MESSAGES];

/// A server that answers by its rules.
pub async fn rule_server() -> Server {
    Server::start().await.expect("a free port")
}

/// A server that sends this reply first.
pub async fn server_with(reply: Reply) -> Server {
    let script = Script::new().reply(reply);
    Server::with(script).await.expect("a free port")
}

/// A complete response.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub content_type: String,
    pub retry_after: Option<String>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(&self.body)))
    }

    /// The events of a stream: their names, empty if they have none, and their data.
    pub fn events(&self) -> Vec<(String, String)> {
        assert!(
            self.content_type.starts_with("text/event-stream"),
            "the content type of a stream is text/event-stream, not {}",
            self.content_type
        );
        let text = self.text();
        assert!(text.ends_with("\n\n"), "the last event is complete");
        let blocks = text.trim_end_matches('\n').split("\n\n");
        blocks.map(parse_event).collect()
    }

    /// The data of the events as JSON, with `[DONE]` as a string.
    pub fn data(&self) -> Vec<Value> {
        let events = self.events().into_iter();
        events
            .map(|(_, data)| match data.as_str() {
                "[DONE]" => json!("[DONE]"),
                data => serde_json::from_str(data).expect("the data of an event is JSON"),
            })
            .collect()
    }

    /// Checks that this is an error in the shape of this API. Returns its message.
    pub fn error_message(&self, path: &str, status: u16) -> String {
        assert_eq!(self.status, status, "{path}: {}", self.text());
        assert_eq!(self.content_type, "application/json");
        let body = self.json();
        let error = &body["error"];
        if path.starts_with(MESSAGES) {
            assert_eq!(body["type"], "error");
            assert!(error["type"].is_string());
        } else {
            assert_eq!(error["type"], "invalid_request_error");
            assert!(error.get("code").is_some() && error.get("param").is_some());
        }
        error["message"].as_str().expect("a message").into()
    }
}

fn parse_event(block: &str) -> (String, String) {
    let mut name = String::new();
    let mut data = Vec::new();
    for line in block.lines() {
        match line.split_once(": ") {
            Some(("event", value)) => name = value.into(),
            Some(("data", value)) => data.push(value),
            _ => panic!("neither an event line nor a data line: {line:?}"),
        }
    }
    (name, data.join("\n"))
}

/// The body of a request with one user message.
pub fn prompt(path: &str, text: &str, is_stream: bool) -> Value {
    let messages = json!([{ "role": "user", "content": text }]);
    match path {
        RESPONSES => json!({ "model": "m", "input": text, "stream": is_stream }),
        MESSAGES => json!({
            "model": "m", "max_tokens": 100, "messages": messages, "stream": is_stream,
        }),
        _ => json!({ "model": "m", "messages": messages, "stream": is_stream }),
    }
}

/// A client for a server on this machine: without a proxy, and without the system's certificates.
pub fn client() -> reqwest::Client {
    // The suites of the reference need TLS. These tests take the same reqwest, which is then built
    // once for both, and it asks for a crypto provider. An `Err` means that there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().tls_certs_only([]);
    builder.build().expect("a client")
}

/// A POST request without a body.
pub fn post(server: &Server, path: &str) -> reqwest::RequestBuilder {
    let request = client().post(format!("{}{path}", server.url()));
    match path {
        MESSAGES => request.header("anthropic-version", "2023-06-01"),
        _ => request,
    }
}

/// Posts a body and returns the response before its body is read.
pub async fn send(server: &Server, path: &str, body: &Value) -> reqwest::Response {
    let response = post(server, path).json(body).send().await;
    response.unwrap_or_else(|error| panic!("{path} does not answer: {error:?}"))
}

/// Posts a body and reads the complete response.
pub async fn ask(server: &Server, path: &str, body: &Value) -> Answer {
    let answer = read(send(server, path, body).await).await;
    answer.unwrap_or_else(|error| panic!("{path} breaks off: {error:?}"))
}

/// Sends a GET request and reads the complete response.
pub async fn get(server: &Server, path: &str) -> Answer {
    let response = client().get(format!("{}{path}", server.url())).send();
    let answer = read(response.await.expect("an answer")).await;
    answer.expect("a complete answer")
}

/// Reads a complete response.
pub async fn read(response: reqwest::Response) -> Result<Answer, reqwest::Error> {
    let header = |name: &str| {
        let value = response.headers().get(name)?;
        Some(value.to_str().expect("the header is text").to_string())
    };
    Ok(Answer {
        status: response.status().as_u16(),
        content_type: header("content-type").unwrap_or_default(),
        retry_after: header("retry-after"),
        body: response.bytes().await?.to_vec(),
    })
}

/// A scripted reply in the format of this API. A stream of Chat Completions has its usage.
pub async fn written(path: &str, reply: Reply, is_stream: bool) -> Answer {
    let server = server_with(reply).await;
    let mut body = prompt(path, "hi", is_stream);
    if path == CHAT {
        body["stream_options"] = json!({ "include_usage": true });
    }
    let answer = ask(&server, path, &body).await;
    assert_eq!(answer.status, 200);
    answer
}

/// A reply with text, two calls and usage.
pub fn full_reply() -> Reply {
    Reply::pieces(["Hel", "lo ", "ä🦀"])
        .and_tool_calls([
            ("call_1", "list", json!({ "path": "src" })),
            ("call_2", "read", json!({ "path": "a" })),
        ])
        .usage(120, 7)
        .cached(100)
}

/// The strings that `get` finds in the events, joined.
pub fn joined(events: &[Value], get: impl Fn(&Value) -> Option<&str>) -> String {
    events.iter().filter_map(get).collect()
}

/// The text of a reply in any format, streamed or not.
pub fn text_of(path: &str, answer: &Answer) -> String {
    if !answer.content_type.starts_with("text/event-stream") {
        let body = answer.json();
        let text = match path {
            RESPONSES => &body["output"][0]["content"][0]["text"],
            MESSAGES => &body["content"][0]["text"],
            _ => &body["choices"][0]["message"]["content"],
        };
        return text.as_str().unwrap_or_default().into();
    }
    joined(&answer.data(), |data| match path {
        RESPONSES if data["type"] != "response.output_text.delta" => None,
        RESPONSES => data["delta"].as_str(),
        MESSAGES => data["delta"]["text"].as_str(),
        _ => data["choices"][0]["delta"]["content"].as_str(),
    })
}

/// The body of a request with one more tool, whose only argument is a path.
pub fn with_tool(path: &str, mut body: Value, name: &str) -> Value {
    let properties = json!({ "path": { "type": "string" } });
    let schema = json!({ "type": "object", "properties": properties });
    let tool = match path {
        RESPONSES => json!({ "type": "function", "name": name, "parameters": schema }),
        MESSAGES => json!({ "name": name, "input_schema": schema }),
        _ => json!({ "type": "function", "function": { "name": name, "parameters": schema } }),
    };
    let mut tools = body["tools"].as_array().cloned().unwrap_or_default();
    tools.push(tool);
    body["tools"] = tools.into();
    body
}

/// Why a reply ended: the finish reason of Chat Completions, the status of Responses, the stop
/// reason of Messages.
pub fn ending_of(path: &str, answer: &Answer) -> String {
    let is_stream = answer.content_type.starts_with("text/event-stream");
    let bodies = match is_stream {
        true => answer.data(),
        false => vec![answer.json()],
    };
    let mut endings = bodies.iter().filter_map(|body| match path {
        RESPONSES if is_stream => body["response"]["status"].as_str(),
        RESPONSES => body["status"].as_str(),
        MESSAGES if is_stream => body["delta"]["stop_reason"].as_str(),
        MESSAGES => body["stop_reason"].as_str(),
        _ => body["choices"][0]["finish_reason"].as_str(),
    });
    endings.next_back().expect("the reply ends").into()
}

/// The calls of a reply that is not a stream: the names of the tools and the arguments.
pub fn calls_of(path: &str, answer: &Answer) -> Vec<(String, Value)> {
    let body = answer.json();
    let items = match path {
        RESPONSES => &body["output"],
        MESSAGES => &body["content"],
        _ => &body["choices"][0]["message"]["tool_calls"],
    };
    let calls = items.as_array().into_iter().flatten();
    let calls = calls.filter_map(|item| {
        let call = if path == CHAT {
            &item["function"]
        } else {
            item
        };
        let arguments = match &call["input"] {
            Value::Null => serde_json::from_str(call["arguments"].as_str()?).ok()?,
            input => input.clone(),
        };
        Some((call["name"].as_str()?.to_string(), arguments))
    });
    calls.collect()
}
