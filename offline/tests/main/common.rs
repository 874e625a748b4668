//! Asking the server, and reading what it says.

use claw_offline::Server;
use serde_json::{Value, json};

/// The three APIs, by their paths.
pub const CHAT: &str = "/v1/chat/completions";
pub const RESPONSES: &str = "/v1/responses";
pub const MESSAGES: &str = "/v1/messages";
pub const APIS: [&str; 3] = [CHAT, RESPONSES, MESSAGES];

/// An answer that came whole.
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

    /// The stream's events: their names, empty where there are none, and data.
    pub fn events(&self) -> Vec<(String, String)> {
        assert!(
            self.content_type.starts_with("text/event-stream"),
            "a stream's content type is text/event-stream, not {}",
            self.content_type
        );
        let text = self.text();
        assert!(text.ends_with("\n\n"), "the last event is complete");
        let blocks = text.trim_end_matches('\n').split("\n\n");
        blocks.map(event).collect()
    }

    /// The events' data as JSON, `[DONE]` as a string.
    pub fn data(&self) -> Vec<Value> {
        let events = self.events().into_iter();
        events
            .map(|(_, data)| match data.as_str() {
                "[DONE]" => json!("[DONE]"),
                data => serde_json::from_str(data).expect("an event's data is JSON"),
            })
            .collect()
    }
}

fn event(block: &str) -> (String, String) {
    let mut name = String::new();
    let mut data = Vec::new();
    for line in block.lines() {
        match line.split_once(": ") {
            Some(("event", value)) => name = value.into(),
            Some(("data", value)) => data.push(value),
            _ => panic!("neither an event nor a data line: {line:?}"),
        }
    }
    (name, data.join("\n"))
}

/// A request of an API's, made of one question.
pub fn question(path: &str, text: &str, is_stream: bool) -> Value {
    let messages = json!([{ "role": "user", "content": text }]);
    match path {
        RESPONSES => json!({ "model": "m", "input": text, "stream": is_stream }),
        MESSAGES => json!({
            "model": "m", "max_tokens": 100, "messages": messages, "stream": is_stream,
        }),
        _ => json!({ "model": "m", "messages": messages, "stream": is_stream }),
    }
}

/// Sends a body to a path. The answer as it begins.
pub async fn send(server: &Server, path: &str, body: &Value) -> reqwest::Response {
    sending(server, path)
        .json(body)
        .send()
        .await
        .unwrap_or_else(|error| panic!("{path} does not answer: {error:?}"))
}

/// A request to a path, without a body.
pub fn sending(server: &Server, path: &str) -> reqwest::RequestBuilder {
    let request = reqwest::Client::new().post(format!("{}{path}", server.url()));
    match path {
        MESSAGES => request.header("anthropic-version", "2023-06-01"),
        _ => request,
    }
}

/// Sends a body to a path. The answer when it has come whole.
pub async fn ask(server: &Server, path: &str, body: &Value) -> Answer {
    whole(send(server, path, body).await)
        .await
        .unwrap_or_else(|error| panic!("{path} breaks off: {error:?}"))
}

/// An answer when it has come whole.
pub async fn whole(response: reqwest::Response) -> Result<Answer, reqwest::Error> {
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

/// The text of a reply, streamed or not, in any of the formats.
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
    let pieces = answer.data().into_iter().filter_map(|data| {
        let piece = match path {
            RESPONSES if data["type"] != "response.output_text.delta" => return None,
            RESPONSES => &data["delta"],
            MESSAGES => &data["delta"]["text"],
            _ => &data["choices"][0]["delta"]["content"],
        };
        piece.as_str().map(String::from)
    });
    pieces.collect()
}
