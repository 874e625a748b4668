//! The calls of a reply, and their results.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::adapter::to_types::call_of;
use crate::agent::run::panic_guard::{ScopedReceiver, catch_panic};
use crate::agent::run::tool_events::ToolEvents;
use crate::agent::{AgentLoop, Message, StopReason};
use crate::engine::{CallState, OpenCall, QueryEventSender};
use crate::types::{ToolCall, ToolResult};

/// The error message of a call that was skipped because the user has steered.
pub const SKIPPED: &str = "Skipped due to queued user message.";

/// How many events of a batch may wait to be forwarded.
const EVENTS: usize = 64;

impl AgentLoop {
    /// Gives every call of a reply a result, sends the events of each call, adds the results
    /// to the history in call order, and returns them.
    ///
    /// Calls run through chapter 4's dispatcher in batches. If the user has steered before a
    /// batch, its calls and all later ones are [`SKIPPED`]. Calls of a failed reply do not
    /// run, and neither do calls after an abort. If a gate panics, the unfinished calls of its
    /// batch get an error result with the message of the panic.
    pub async fn answer_calls(&mut self, reply: &Message) -> Vec<Message> {
        todo!("running-calls-between-steers: write AgentLoop::answer_calls")
    }
}

/// The calls of a reply, in its order.
fn calls_in(reply: &Message) -> Vec<ToolCall> {
    let Message::Assistant { content, .. } = reply else {
        return Vec::new();
    };
    content.iter().filter_map(call_of).collect()
}

/// Whether a reply failed or was aborted.
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
    todo!("running-calls-between-steers: write finish")
}

/// The error message of a call whose batch panicked, before the message of the panic.
const CRASHED: &str =
    "a check around this call crashed, which is not your mistake; the call may have run";
