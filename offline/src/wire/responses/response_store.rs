//! The responses that a server stores, for requests that continue them.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::request_error::RequestError;
use crate::wire::request_body::RequestBody;

/// The store keeps at most this many responses.
const MAX_RESPONSES: usize = 1_000;

/// The store keeps at most this many bytes of JSON, or else a single response.
const MAX_BYTES: usize = 32 << 20;

/// The newest responses, oldest first.
#[derive(Default)]
pub(crate) struct ResponseStore {
    responses: VecDeque<StoredResponse>,
    bytes: usize,
}

/// A response and the input of its request.
struct StoredResponse {
    id: String,
    previous_id: Option<String>,
    input: Vec<Value>,
    body: Value,
    byte_len: usize,
}

impl ResponseStore {
    /// Stores the response to a request and drops the oldest ones that no longer fit. A
    /// response with the same id is replaced.
    pub(crate) fn insert(&mut self, request: &RequestBody, body: Value) {
        let id = body["id"].as_str().unwrap_or_default().to_string();
        if let Some(at) = self.responses.iter().position(|it| it.id == id) {
            self.bytes -= self.responses.remove(at).map_or(0, |it| it.byte_len);
        }
        let input = input_items(&request.json["input"]);
        let previous_id = request.json["previous_response_id"].as_str();
        let byte_len = body.to_string().len() + json!(input).to_string().len();
        self.bytes += byte_len;
        self.responses.push_back(StoredResponse {
            id,
            previous_id: previous_id.map(String::from),
            input,
            body,
            byte_len,
        });
        while self.responses.len() > 1
            && (self.responses.len() > MAX_RESPONSES || self.bytes > MAX_BYTES)
        {
            self.bytes -= self.responses.pop_front().map_or(0, |it| it.byte_len);
        }
    }

    /// The response with this id, as it was sent.
    ///
    /// # Errors
    /// If it is not stored: status 404.
    pub(crate) fn get(&self, id: &str) -> Result<&Value, RequestError> {
        match self.find(id) {
            Some(response) => Ok(&response.body),
            None => {
                let message = format!("Response with id '{id}' not found.");
                Err(RequestError::with_status(404, message))
            }
        }
    }

    /// Puts stored items into a request: in place of each `item_reference`, and the history
    /// before the input if there is a `previous_response_id`.
    ///
    /// # Errors
    /// If a response or an item is not stored.
    pub(crate) fn expand(&self, request: &mut RequestBody) -> Result<(), RequestError> {
        if let Some(id) = request.json["previous_response_id"].as_str() {
            request.history = self.history(id)?;
        }
        // Not `json["input"]`: to index a list or a text for writing would panic.
        let Some(items) = request.json.get_mut("input").and_then(Value::as_array_mut) else {
            return Ok(());
        };
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(id) = referenced_id(item) {
                let stored = self.item(id).cloned();
                *item = stored.ok_or_else(|| item_not_found(id, index))?;
            }
        }
        Ok(())
    }

    /// The items of the conversation that ends with this response, oldest first.
    fn history(&self, id: &str) -> Result<Vec<Value>, RequestError> {
        let mut newest_first = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let response = self.find(id).ok_or_else(|| previous_not_found(id))?;
            newest_first.push(response);
            next = response.previous_id.as_deref();
        }
        let oldest_first = newest_first.into_iter().rev();
        let items = oldest_first.flat_map(|it| it.input.iter().chain(it.output()));
        Ok(items.cloned().collect())
    }

    /// The newest stored item with this id.
    fn item(&self, id: &str) -> Option<&Value> {
        let newest_first = self.responses.iter().rev();
        let mut items = newest_first.flat_map(|it| it.output().chain(&it.input));
        items.find(|item| item["id"] == id)
    }

    fn find(&self, id: &str) -> Option<&StoredResponse> {
        self.responses.iter().find(|it| it.id == id)
    }
}

impl StoredResponse {
    fn output(&self) -> impl Iterator<Item = &Value> {
        self.body["output"].as_array().into_iter().flatten()
    }
}

/// The items of an `input`: a text is one user message.
fn input_items(input: &Value) -> Vec<Value> {
    match input {
        Value::Array(items) => items.clone(),
        text => vec![json!({ "role": "user", "content": text })],
    }
}

/// The id in an item that refers to another: its type is `item_reference`, or it has nothing
/// but an id.
fn referenced_id(item: &Value) -> Option<&str> {
    let fields = item.as_object()?;
    let is_reference = match fields.get("type") {
        None | Some(Value::Null) => fields.keys().all(|name| name == "id" || name == "type"),
        Some(kind) => kind == "item_reference",
    };
    fields.get("id").filter(|_| is_reference)?.as_str()
}

fn previous_not_found(id: &str) -> RequestError {
    RequestError::new(format!("Previous response with id '{id}' not found."))
        .at("previous_response_id")
        .code("previous_response_not_found")
}

fn item_not_found(id: &str, index: usize) -> RequestError {
    let message = format!(
        "Item with id '{id}' not found. Items are not stored when `store` is false: send the item itself."
    );
    RequestError::with_status(404, message).at(format!("input[{index}]"))
}
