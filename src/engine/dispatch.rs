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
        todo!("call-batches: write Dispatcher::dispatch")
    }

    /// Takes the calls of one batch through the gates, one after another, and then runs
    /// them together, at most [`max_concurrent`](Self::max_concurrent) at a time. A refused
    /// call finishes with the reason as its error, and has the same events as any other.
    pub async fn run_batch(&self, batch: &mut [OpenCall], events: &QueryEventSender) {
        todo!("call-batches: write Dispatcher::run_batch")
    }

    /// Whether the call may run at the same time as others: its tool exists and is
    /// concurrent-safe. A tool that panics when it is asked is not.
    pub fn is_concurrent_safe(&self, call: &ToolCall) -> bool {
        todo!("call-batches: write Dispatcher::is_concurrent_safe")
    }

    /// Takes a call through the checks, the validation and every [`before`](Gate::before),
    /// in the order that [`Gate`] describes. The error is the reason why the call must not
    /// run.
    ///
    /// A call of an unknown tool passes none of them. It is finished with the error of
    /// [`execute`], and the text of each gate's [`unknown`](Gate::unknown) is noted.
    pub async fn admit(&self, open: &mut OpenCall) -> Result<(), String> {
        todo!("gates: write Dispatcher::admit")
    }

    /// Asks every gate's [`check`](Gate::check), and then validates the arguments. The error
    /// is the reason of the first that refuses.
    pub async fn check(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), String> {
        todo!("gates: write Dispatcher::check")
    }

    /// Runs one call that was [admitted](Self::admit), finalizes it, and sends its start and
    /// end events. The arguments are not validated again. A call that is already finished
    /// does not run.
    pub async fn run_call(&self, open: &mut OpenCall, events: &QueryEventSender) {
        todo!("running-one-call: write Dispatcher::run_call")
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
