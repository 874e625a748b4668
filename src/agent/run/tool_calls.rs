//! The calls of a reply, and their results.

use crate::agent::adapter::to_types::call_of;
use crate::agent::run::panic_guard::{ScopedReceiver, catch_panic};
use crate::agent::run::tool_events::ToolEvents;
use crate::agent::{AgentLoop, Message, StopReason};
use crate::engine::{CallState, Dispatcher, NOT_RUN, OpenCall, QueryEventSender};
use crate::types::{ToolCall, ToolResult};

/// The error message of a call that was skipped because the user has steered.
pub const SKIPPED: &str = "Skipped due to queued user message.";

/// How many events of a batch may wait to be forwarded.
const EVENTS: usize = 64;

impl AgentLoop {
    /// Gives every call of a reply a result, adds the results to the history in call order,
    /// and returns them.
    ///
    /// The calls are [answered](Self::answer_batch) batch by batch. Calls of a failed reply do
    /// not run, and neither do calls after an abort; their error is [`NOT_RUN`]. Otherwise, if
    /// the user has steered before a batch, its calls and all later ones are [`SKIPPED`].
    pub async fn answer_calls(&mut self, reply: &Message) -> Vec<Message> {
        todo!("running-calls-between-steers: write AgentLoop::answer_calls")
    }

    /// Gives every call of a batch a result, sends the events of each call, and returns the
    /// results in call order.
    ///
    /// With a `refusal`, no call runs, and the refusal is its error. Otherwise the calls run
    /// through chapter 4's dispatcher, until the loop is aborted. If a gate panics, the
    /// unfinished calls of the batch get an error with the message of the panic.
    pub async fn answer_batch(
        &mut self,
        batch: &mut [OpenCall],
        refusal: Option<&str>,
    ) -> Vec<Message> {
        todo!("one-call-batch: write AgentLoop::answer_batch")
    }
}

/// The calls in batches. Consecutive calls that may run concurrently form one batch of at most
/// as many calls as run at once, so that later ones can still be skipped.
fn batches<'a>(
    calls: &'a mut [OpenCall],
    dispatcher: &'a Dispatcher,
) -> impl Iterator<Item = &'a mut [OpenCall]> {
    let is_safe = |open: &OpenCall| dispatcher.is_concurrent_safe(&open.call);
    let batches = calls.chunk_by_mut(move |a, b| is_safe(a) && is_safe(b));
    batches.flat_map(|batch| batch.chunks_mut(dispatcher.max_concurrent.max(1)))
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
fn fail_unfinished(calls: &mut [OpenCall], reason: &str) {
    for open in calls {
        if matches!(open.state, CallState::Waiting | CallState::Running) {
            open.state = CallState::Finished(ToolResult::error(reason));
        }
    }
}

/// The error message of a call whose batch panicked, before the message of the panic.
const CRASHED: &str =
    "a check around this call crashed, which is not your mistake; the call may have run";
