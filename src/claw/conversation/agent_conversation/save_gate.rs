//! A gate that holds a tool back until the reply that calls it is saved.

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};

use crate::engine::{Decision, Gate, NOT_RUN};
use crate::types::{Tool, ToolCall};

/// Lets a call pass when the conversation has saved every message that was sent before it.
///
/// So if `claw` is killed while a tool runs, its session has the call, and a resumed
/// conversation knows that the tool may have run. If a message can't be saved, the user reads
/// that first, and then the call passes.
pub struct SaveGate {
    requests: mpsc::Sender<SaveRequest>,
}

/// A request to save the messages that were sent before it. Sending `()` confirms it.
pub type SaveRequest = oneshot::Sender<()>;

impl SaveGate {
    /// A gate, and the receiver of its requests.
    pub fn new() -> (Self, mpsc::Receiver<SaveRequest>) {
        // One is enough: calls pass the gates one at a time.
        let (requests, receiver) = mpsc::channel(1);
        (Self { requests }, receiver)
    }
}

#[async_trait]
impl Gate for SaveGate {
    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        let (request, confirmation) = oneshot::channel();
        let is_sent = self.requests.send(request).await.is_ok();
        match is_sent && confirmation.await.is_ok() {
            true => Decision::Pass,
            // The conversation has ended.
            false => Decision::Block(NOT_RUN.into()),
        }
    }
}
