//! A conversation with the rule model.

use claw_offline::Server;
use serde_json::{Value, json};

use super::{CHAT, ask, rule_server};

/// The tools of the course.
pub const ALL_TOOLS: [&str; 7] = ["list", "read", "write", "edit", "glob", "grep", "bash"];

/// A conversation with the rule model over Chat Completions.
pub struct Conversation {
    server: Server,
    messages: Vec<Value>,
    tools: Vec<Value>,
}

/// A reply of the rule model.
pub struct ModelReply {
    pub text: String,
    pub calls: Vec<Call>,
}

/// A tool call with its arguments as JSON.
pub struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

impl Conversation {
    /// A conversation with these tools, each with its parameters in the course.
    pub async fn with(tools: &[&str]) -> Self {
        Self::with_definitions(tools.iter().map(|name| function(name, parameters(name)))).await
    }

    /// A conversation with these tool definitions.
    pub async fn with_definitions(tools: impl IntoIterator<Item = Value>) -> Self {
        Self {
            server: rule_server().await,
            messages: Vec::new(),
            tools: tools.into_iter().collect(),
        }
    }

    /// Sends a user message.
    pub async fn say(&mut self, text: &str) -> ModelReply {
        self.say_with_images(text, 0).await
    }

    /// Sends a user message with this many images.
    pub async fn say_with_images(&mut self, text: &str, images: usize) -> ModelReply {
        let image =
            json!({ "type": "image_url", "image_url": { "url": "data:image/png;base64," } });
        let mut parts = vec![image; images];
        parts.push(json!({ "type": "text", "text": text }));
        self.send(json!({ "role": "user", "content": parts })).await
    }

    /// Sends a result for each call of the last reply, in order.
    pub async fn results(&mut self, results: &[&str]) -> ModelReply {
        let calls = self.messages.last().expect("a reply")["tool_calls"].clone();
        let calls = calls.as_array().expect("the reply has calls");
        assert_eq!(calls.len(), results.len(), "{calls:?}");
        let messages = calls.iter().zip(results).map(|(call, result)| {
            json!({ "role": "tool", "tool_call_id": call["id"], "content": result })
        });
        let mut messages: Vec<Value> = messages.collect();
        let last = messages.pop().expect("at least one result");
        self.messages.extend(messages);
        self.send(last).await
    }

    /// Adds a message without sending the conversation.
    pub fn push(&mut self, message: Value) {
        self.messages.push(message);
    }

    /// Adds a message and sends the conversation.
    pub async fn send(&mut self, message: Value) -> ModelReply {
        self.messages.push(message);
        let body = json!({ "model": "m", "messages": self.messages, "tools": self.tools });
        let answer = ask(&self.server, CHAT, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let message = answer.json()["choices"][0]["message"].clone();
        self.messages.push(message.clone());
        let calls = message["tool_calls"].as_array().cloned();
        ModelReply {
            text: message["content"].as_str().unwrap_or_default().into(),
            calls: calls.unwrap_or_default().iter().map(Call::new).collect(),
        }
    }
}

impl Call {
    fn new(call: &Value) -> Self {
        let string = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let arguments = string(&call["function"]["arguments"]);
        Self {
            id: string(&call["id"]),
            name: string(&call["function"]["name"]),
            arguments: serde_json::from_str(&arguments).expect("the arguments are JSON"),
        }
    }
}

fn parameters(tool: &str) -> &'static [&'static str] {
    match tool {
        "write" => &["path", "content"],
        "edit" => &["path", "old_string", "new_string"],
        "glob" => &["pattern"],
        "grep" => &["pattern", "path"],
        "bash" => &["command"],
        _ => &["path"],
    }
}

/// A tool definition of Chat Completions whose parameters are all strings.
pub fn function(name: &str, parameters: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = (parameters.iter())
        .map(|name| (name.to_string(), json!({ "type": "string" })))
        .collect();
    let parameters = json!({ "type": "object", "properties": properties });
    json!({ "type": "function", "function": { "name": name, "parameters": parameters } })
}
