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
        let mut calls: Vec<OpenCall> = calls_in(reply).into_iter().map(OpenCall::new).collect();
        let dispatcher = &self.services.dispatcher;
        let mut telling = Telling::new(&self.start.loop_id, &calls, &mut self.sink);
        let batches = calls.chunk_by_mut(|a, b| {
            dispatcher.is_concurrent_safe(&a.call) && dispatcher.is_concurrent_safe(&b.call)
        });
        // No more at a time than run together: the next ones can still be skipped.
        let batches = batches.flat_map(|batch| batch.chunks_mut(dispatcher.max_concurrent.max(1)));
        let mut results = Vec::new();
        let mut is_steered = false;
        for batch in batches {
            is_steered |= self
                .handle
                .with_queues(|queues| queues.steering.has_model_input());
            if has_failed(reply) || self.run.cancel.is_cancelled() {
                // They wait for ever, and settle as not run.
            } else if is_steered {
                finish(batch, SKIPPED);
            } else {
                let (sender, news) = mpsc::channel(NEWS);
                let events = QueryEventSender::new(sender);
                let done = CancellationToken::new();
                let mut news = ScopedReceiver::new(news, &done);
                let collectors = telling.collectors();
                let running = async {
                    let work = catch_panic(dispatcher.run_batch(&mut *batch, &events));
                    let work = self.run.cancel.run_until_cancelled(collectors.during(work));
                    if let Some(Err(panic)) = work.await {
                        finish(batch, &format!("{CRASHED}: {panic}"));
                    }
                    done.cancel();
                };
                let showing = async {
                    while let Some(event) = news.next().await {
                        telling.pass_on(event).await;
                    }
                };
                tokio::join!(running, showing);
            }
            for open in batch {
                let settled = open.finalize(dispatcher.max_result_bytes);
                let shown = telling.complete(&open.call, settled).await;
                results.push(shown.message(&open.call, (self.services.clock)()));
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
    for open in calls {
        if matches!(open.state, CallState::Waiting | CallState::Running) {
            open.state = CallState::Finished(ToolResult::error(reason));
        }
    }
}

const CRASHED: &str =
    "a check around this call crashed, which is no mistake of yours; the call may have run";
