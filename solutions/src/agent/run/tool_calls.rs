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
        let mut calls: Vec<OpenCall> = calls_in(reply).into_iter().map(OpenCall::new).collect();
        let dispatcher = &self.services.dispatcher;
        let mut tool_events = ToolEvents::new(&self.start.loop_id, &calls, &mut self.sink);
        let batches = calls.chunk_by_mut(|a, b| {
            dispatcher.is_concurrent_safe(&a.call) && dispatcher.is_concurrent_safe(&b.call)
        });
        // No more calls than can run at once, so that later ones can still be skipped.
        let batches = batches.flat_map(|batch| batch.chunks_mut(dispatcher.max_concurrent.max(1)));
        let mut results = Vec::new();
        let mut is_steered = false;
        for batch in batches {
            is_steered |= self
                .handle
                .with_queues(|queues| queues.steering.has_model_input());
            if has_failed(reply) || self.run.cancel.is_cancelled() {
                // The calls stay waiting, and `finalize` reports that they did not run.
            } else if is_steered {
                finish(batch, SKIPPED);
            } else {
                let (sender, receiver) = mpsc::channel(EVENTS);
                let events = QueryEventSender::new(sender);
                let done = CancellationToken::new();
                let mut receiver = ScopedReceiver::new(receiver, &done);
                let collectors = tool_events.collectors();
                let running = async {
                    let work = catch_panic(dispatcher.run_batch(&mut *batch, &events));
                    let work = self.run.cancel.run_until_cancelled(collectors.during(work));
                    if let Some(Err(panic)) = work.await {
                        finish(batch, &format!("{CRASHED}: {panic}"));
                    }
                    done.cancel();
                };
                let forwarding = async {
                    while let Some(event) = receiver.next().await {
                        tool_events.forward(event).await;
                    }
                };
                tokio::join!(running, forwarding);
            }
            for open in batch {
                let result = open.finalize(dispatcher.max_result_bytes);
                let sent = tool_events.finish_call(&open.call, result).await;
                results.push(sent.message(&open.call, (self.services.clock)()));
            }
        }
        for result in &results {
            self.add_message(result.clone().into()).await;
        }
        results
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
    for open in calls {
        if matches!(open.state, CallState::Waiting | CallState::Running) {
            open.state = CallState::Finished(ToolResult::error(reason));
        }
    }
}

/// The error message of a call whose batch panicked, before the message of the panic.
const CRASHED: &str =
    "a check around this call crashed, which is not your mistake; the call may have run";
