//! From a reply's calls to their results. Every loop uses this one dispatcher.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::stream::{self, StreamExt};

use super::{CallState, Decision, Events, Gate, OpenCall, QueryEvent};
use crate::provider::arguments_problem;
use crate::tools::{check_arguments, execute, execute_validated};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet};

/// Runs calls: asks the gates, validates the arguments, calls the tools and limits the
/// results.
///
/// To cancel, drop the future of [`dispatch`](Self::dispatch). It may be dropped at any
/// await, and every [`OpenCall`] then says how far its call has come.
pub struct Dispatcher {
    /// The tools that calls can name.
    pub tools: ToolSet,
    /// The gates that a call passes, in this order.
    pub gates: Vec<Box<dyn Gate>>,
    /// The largest size of a result, in bytes.
    pub max_result_bytes: usize,
    /// The largest number of calls that run at the same time; at least 1.
    pub max_concurrent: usize,
}

impl Dispatcher {
    /// Answers `calls`, batch by batch: calls in a row whose tools are all
    /// concurrent-safe are one batch, and any other call is a batch of its own. Afterwards
    /// each call is [`Answered`](CallState::Answered).
    pub async fn dispatch(&self, calls: &mut [OpenCall], events: &Events) {
        todo!("4.8: write Dispatcher::dispatch")
    }

    /// Admits the calls of one batch, one after another, and then runs them together, at
    /// most [`max_concurrent`](Self::max_concurrent) at a time. A refused call finishes with
    /// the reason as an error, and its events are sent like those of any other call.
    pub async fn run_batch(&self, batch: &mut [OpenCall], events: &Events) {
        todo!("4.8: write Dispatcher::run_batch")
    }

    /// Whether the call may run beside others: its tool exists and is concurrent-safe. A
    /// tool that panics when it is asked is not.
    pub fn is_safe(&self, call: &ToolCall) -> bool {
        todo!("4.8: write Dispatcher::is_safe")
    }

    /// Takes a call through the checks, the validation and the hooks before its tool, in
    /// the order of [`Gate`]. An error is the reason why the call must not run. A call of
    /// an unknown tool passes none of these: it finishes with the result of [`execute`],
    /// and the text of each gate's [`unknown`](Gate::unknown) is noted.
    pub async fn admit(&self, open: &mut OpenCall) -> Result<(), String> {
        todo!("4.6: write Dispatcher::admit")
    }

    /// Asks every gate's check and then validates the arguments. An error is the reason
    /// why the call must not run with these arguments.
    pub async fn check(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), String> {
        todo!("4.6: write Dispatcher::check")
    }

    /// Runs one call that [`admit`](Self::admit) has let through, and settles it. Its
    /// arguments are not validated again. Sends the events of its start and its end. A call
    /// that is finished already is not run.
    pub async fn run(&self, open: &mut OpenCall, events: &Events) {
        todo!("4.7: write Dispatcher::run")
    }

    /// The event of a call's start, with the tool's summary or, without one, its name.
    fn started(&self, call: &ToolCall) -> QueryEvent {
        let tool = self.tools.get(&call.name);
        QueryEvent::ToolStarted {
            call: call.clone(),
            summary: tool
                .and_then(|tool| said(|| tool.summary(&call.arguments)))
                .unwrap_or_else(|| format!("[{}]", call.name)),
            activity: tool
                .and_then(|tool| said(|| tool.activity_description(&call.arguments)))
                .flatten(),
        }
    }
}

/// The answer of one of a tool's methods; `None` if the method panics, which must not end
/// the turn.
fn said<T>(ask: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(ask)).ok()
}

/// Validates the arguments of a call as [`execute`] does. An error is the reason why the
/// call must not run; a panic of the tool's own check is one.
fn validated(tool: &dyn Tool, call: &ToolCall) -> Result<(), String> {
    if let Some(problem) = arguments_problem(call) {
        return Err(problem);
    }
    let checked = said(|| check_arguments(tool, &call.arguments));
    checked.unwrap_or_else(|| {
        Err(format!(
            "the tool `{}` crashed when it looked at the arguments; the mistake is the tool's, not yours",
            call.name
        ))
    })
}
