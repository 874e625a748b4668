//! The path of a call to its result, the same for every agent loop.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::stream::{self, StreamExt};

use super::{CallState, Decision, Gate, OpenCall, QueryEvent, QueryEventSender};
use crate::provider::arguments_problem;
use crate::tools::{check_arguments, execute, execute_validated};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet};

/// Takes calls through the gates, runs them, and limits their results.
///
/// To cancel, drop the future of [`dispatch`](Self::dispatch). It may be dropped at any
/// await, and the state of every [`OpenCall`] is true then.
pub struct Dispatcher {
    /// The tools that calls may name.
    pub tools: ToolSet,
    /// The gates that every call passes, in this order.
    pub gates: Vec<Box<dyn Gate>>,
    /// The longest result that the model reads, in bytes.
    pub max_result_bytes: usize,
    /// The most calls that run at the same time; at least 1.
    pub max_concurrent: usize,
}

impl Dispatcher {
    /// Runs `calls` batch by batch. Consecutive calls whose tools are all concurrent-safe
    /// form one batch; any other call is a batch of its own. Afterwards every call is
    /// [`Answered`](CallState::Answered).
    pub async fn dispatch(&self, calls: &mut [OpenCall], events: &QueryEventSender) {
        for batch in calls.chunk_by_mut(|a, b| {
            self.is_concurrent_safe(&a.call) && self.is_concurrent_safe(&b.call)
        }) {
            self.run_batch(batch, events).await;
        }
    }

    /// Takes the calls of one batch through the gates, one after another, and then runs
    /// them together, at most [`max_concurrent`](Self::max_concurrent) at a time. A refused
    /// call finishes with the reason as its error, and has the same events as any other.
    pub async fn run_batch(&self, batch: &mut [OpenCall], events: &QueryEventSender) {
        for open in batch.iter_mut() {
            if let Err(reason) = self.admit(open).await {
                open.state = CallState::Finished(ToolResult::error(reason));
            }
        }
        // All calls share one task, so that dropping this future stops every tool. A task
        // per call would be better for tools that compute for long without an await.
        stream::iter(batch)
            .for_each_concurrent(self.max_concurrent, |open| self.run_call(open, events))
            .await;
    }

    /// Whether the call may run at the same time as others: its tool exists and is
    /// concurrent-safe. A tool that panics when it is asked is not.
    pub fn is_concurrent_safe(&self, call: &ToolCall) -> bool {
        let tool = self.tools.get(&call.name);
        tool.and_then(|tool| catch_panic(|| tool.is_concurrent_safe()))
            .unwrap_or(false)
    }

    /// Takes a call through the checks, the validation and every [`before`](Gate::before),
    /// in the order that [`Gate`] describes. The error is the reason why the call must not
    /// run.
    ///
    /// A call of an unknown tool passes none of them. It is finished with the error of
    /// [`execute`], and the text of each gate's [`unknown`](Gate::unknown) is noted.
    pub async fn admit(&self, open: &mut OpenCall) -> Result<(), String> {
        let Some(tool) = self.tools.get(&open.call.name) else {
            open.state = CallState::Finished(execute(&self.tools, &open.call).await);
            for gate in &self.gates {
                open.notes
                    .extend(gate.unknown(&open.call, &self.tools).await);
            }
            return Ok(());
        };
        self.check(&open.call, tool).await?;
        for gate in &self.gates {
            match gate.before(&open.call, tool).await {
                Decision::Pass => {}
                Decision::Change { arguments, context } => {
                    open.notes.extend(context);
                    if let Some(arguments) = arguments {
                        open.call.arguments = arguments;
                        self.check(&open.call, tool).await?;
                    }
                }
                Decision::Block(reason) => return Err(reason),
            }
        }
        Ok(())
    }

    /// Asks every gate's [`check`](Gate::check), and then validates the arguments. The error
    /// is the reason of the first that refuses.
    pub async fn check(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), String> {
        for gate in &self.gates {
            gate.check(call, tool).await?;
        }
        validate_call(tool, call)
    }

    /// Runs one call that was [admitted](Self::admit), finalizes it, and sends its start and
    /// end events. The arguments are not validated again. A call that is already finished
    /// does not run.
    pub async fn run_call(&self, open: &mut OpenCall, events: &QueryEventSender) {
        events.send(self.start_event(&open.call)).await;
        open.shown_as_running = true;
        if open.state == CallState::Waiting {
            open.state = CallState::Running;
            let reporter = events.reporter(&open.call.id);
            let result = reporter
                .during(execute_validated(&self.tools, &open.call))
                .await;
            open.state = CallState::Finished(result.clone());
            for gate in &self.gates {
                open.notes.extend(gate.after(&open.call, &result).await);
            }
        }
        let result = open.finalize(self.max_result_bytes);
        let call_id = open.call.id.clone();
        events
            .send(QueryEvent::ToolFinished { call_id, result })
            .await;
        open.shown_as_running = false;
    }

    /// The start event of a call, with its tool's summary and activity. If there is no tool,
    /// or its `summary` panics, the summary is the tool's name in brackets.
    fn start_event(&self, call: &ToolCall) -> QueryEvent {
        let tool = self.tools.get(&call.name);
        QueryEvent::ToolStarted {
            call: call.clone(),
            summary: tool
                .and_then(|tool| catch_panic(|| tool.summary(&call.arguments)))
                .unwrap_or_else(|| format!("[{}]", call.name)),
            activity: tool
                .and_then(|tool| catch_panic(|| tool.activity_description(&call.arguments)))
                .flatten(),
        }
    }
}

/// The output of a tool's method; `None` if it panics, which must not end the turn.
fn catch_panic<T>(method: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(method)).ok()
}

/// Validates the arguments of a call as [`execute`] does. The error is the reason why the
/// call must not run; a panic in the tool's own check is such a reason.
fn validate_call(tool: &dyn Tool, call: &ToolCall) -> Result<(), String> {
    if let Some(problem) = arguments_problem(call) {
        return Err(problem);
    }
    let checked = catch_panic(|| check_arguments(tool, &call.arguments));
    checked.unwrap_or_else(|| {
        Err(format!(
            "the tool `{}` crashed while it checked the arguments; the mistake is the tool's, not yours: try another way",
            call.name
        ))
    })
}
