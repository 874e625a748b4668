//! Helpers for chapter 0: a model that plays scripted replies and keeps the requests.

use anyhow::Result;
use claw_code::first::{Model, OfflineModel};
use claw_offline::Reply;
use serde_json::{Value, json};

pub use crate::support::*;

/// The offline model, which also keeps each request that it gets.
pub struct RecordingModel {
    pub requests: Vec<Value>,
    model: OfflineModel,
}

impl RecordingModel {
    /// A model that gives these replies and then answers by its rules.
    pub fn with(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            requests: Vec::new(),
            model: OfflineModel::with(replies),
        }
    }
}

impl Model for RecordingModel {
    fn complete(&mut self, request: &Value) -> Result<Value> {
        self.requests.push(request.clone());
        self.model.complete(request)
    }
}

/// A message from the user, made without section 0.1.
pub fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

/// A call of `bash` in a scripted reply.
pub fn bash_call<'a>(id: &'a str, command: &str) -> (&'a str, &'a str, Value) {
    (id, "bash", json!({ "command": command }))
}

/// A call as it is in a message of the model.
pub fn call(id: &str, arguments: &str) -> Value {
    json!({
        "id": id,
        "type": "function",
        "function": { "name": "bash", "arguments": arguments },
    })
}

/// The value of a field of each message, such as `role`.
pub fn each(messages: &[Value], field: &str) -> Vec<Value> {
    messages.iter().map(|it| it[field].clone()).collect()
}
