//! What the agent needs of a model, and the offline model behind it.

use anyhow::Result;
use serde_json::Value;

pub use claw_offline::InProcess as OfflineModel;

/// A model: the body of a Chat Completions request in, the body of the response out.
///
/// The request has `model`, `messages` and `tools`. The response has the model's message at
/// `choices[0].message`.
pub trait Model {
    /// Returns the response to a request.
    ///
    /// # Errors
    /// If the API refuses the request. The text is the HTTP status and the reason, such as
    /// `400: messages: this field is required`.
    fn complete(&mut self, request: &Value) -> Result<Value>;
}

/// The rules of `claw-offline`, in this process: no network and no key.
impl Model for OfflineModel {
    fn complete(&mut self, request: &Value) -> Result<Value> {
        Ok(self.chat_completion(request)?)
    }
}
