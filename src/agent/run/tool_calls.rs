//! The calls of a reply, and their results.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::adapter::to_types::call_of;
use crate::agent::run::panic_guard::{ScopedReceiver, catch_panic};
use crate::agent::run::tool_events::Telling;
use crate::agent::{AgentLoop, Message, StopReason};
use crate::engine::{CallState, OpenCall, QueryEventSender};
use crate::types::{ToolCall, ToolResult};

/// What a call is told that a message of the user's has overtaken.
pub const SKIPPED: &str = "Skipped due to queued user message.";

/// How much a batch may tell before somebody has to read it.
const NEWS: usize = 64;

impl AgentLoop {
    /// Answers the calls of a reply, tells of each, puts the results into the history in
    /// call order, and returns them.
    ///
    /// Calls go through the dispatcher of chapter 4, batch by batch. Before a batch it is
    /// looked whether the user has steered: then its calls and all behind them are
    /// [`SKIPPED`]. The calls of a reply that failed are not run, nor is any behind an
    /// abort. Where a gate panics, the calls of its batch say so, in its words.
    pub async fn answer(&mut self, reply: &Message) -> Vec<Message> {
        todo!("16.9: write AgentLoop::answer")
    }
}

/// The calls of a reply, in its order.
fn calls_in(reply: &Message) -> Vec<ToolCall> {
    let Message::Assistant { content, .. } = reply else {
        return Vec::new();
    };
    content.iter().filter_map(call_of).collect()
}

/// Whether a reply came to no good end.
fn has_failed(reply: &Message) -> bool {
    matches!(
        reply,
        Message::Assistant {
            stop_reason: StopReason::Error | StopReason::Aborted,
            ..
        }
    )
}

/// Gives an error to each call that has no output yet.
fn finish(calls: &mut [OpenCall], reason: &str) {
    todo!("16.9: write finish")
}

const CRASHED: &str =
    "a check around this call crashed, which is no mistake of yours; the call may have run";
