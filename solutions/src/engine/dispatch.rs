//! From a reply's calls to their results: the one road, for every loop there is.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::stream::{self, StreamExt};
use serde_json::Value;

use super::{CallState, Decision, Events, Gate, OpenCall, QueryEvent};
use crate::tools::{execute, validate};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet, ValidationResult};

/// Runs calls: gates, tools, limits.
///
/// Cancelling is dropping: the future of [`dispatch`](Self::dispatch) may be dropped at
/// any await, and every [`OpenCall`] then says how far it was.
pub struct Dispatcher {
    /// The tools that calls may name.
    pub tools: ToolSet,
    /// What a call has to pass, in this order.
    pub gates: Vec<Box<dyn Gate>>,
    /// How many bytes of a result the model reads at most.
    pub max_result_bytes: usize,
    /// How many calls run at the same time at most; at least 1.
    pub max_concurrent: usize,
}

impl Dispatcher {
    /// Answers `calls`, batch by batch: calls in a row whose tools are all
    /// concurrent-safe are one batch, any other call is one by itself. Afterwards each
    /// is [`Answered`](CallState::Answered).
    pub async fn dispatch(&self, calls: &mut [OpenCall], events: &Events) {
        for batch in calls.chunk_by_mut(|a, b| self.is_safe(&a.call) && self.is_safe(&b.call)) {
            self.run_batch(batch, events).await;
        }
    }

    /// Leads the calls of one batch through the gates, one after another, and then runs
    /// them together, at most [`max_concurrent`](Self::max_concurrent) at a time. A call
    /// that is refused finishes with the reason as an error, and the reader is told of it
    /// like of any other.
    pub async fn run_batch(&self, batch: &mut [OpenCall], events: &Events) {
        for open in batch.iter_mut() {
            if let Err(reason) = self.admit(open).await {
                open.state = CallState::Finished(ToolResult::error(reason));
            }
        }
        // One task for all of them, not one each: whoever drops this future has stopped
        // every tool. Tasks of their own would win if tools computed much themselves.
        stream::iter(batch)
            .for_each_concurrent(self.max_concurrent, |open| self.run(open, events))
            .await;
    }

    /// Whether the call may run beside others: its tool exists and says so; one that
    /// crashes when it is asked does not.
    pub fn is_safe(&self, call: &ToolCall) -> bool {
        let tool = self.tools.get(&call.name);
        tool.and_then(|tool| said(|| tool.is_concurrent_safe()))
            .unwrap_or(false)
    }

    /// Leads a call through the checks, the validation and the hooks before it; an error
    /// is the reason for which it must not run. The order is that of [`Gate`]. A call of
    /// an unknown tool meets none of these: it is finished with what [`execute`] says, and
    /// what each gate's [`unknown`](Gate::unknown) has to add is noted.
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

    /// Whether the call, as it stands, passes every check and then the validation.
    pub async fn check(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), String> {
        for gate in &self.gates {
            gate.check(call, tool).await?;
        }
        match validated(tool, &call.arguments) {
            ValidationResult::Ok => Ok(()),
            ValidationResult::Error { message, .. } => Err(message),
        }
    }

    /// Runs one call that has met the gates, and settles it. The reader is told of its
    /// start and of its end. A call that is finished already is not run.
    pub async fn run(&self, open: &mut OpenCall, events: &Events) {
        events.send(self.started(&open.call)).await;
        open.on_screen = true;
        if open.state == CallState::Waiting {
            open.state = CallState::Running;
            let reporter = events.reporter(&open.call.id);
            let result = reporter.during(execute(&self.tools, &open.call)).await;
            open.state = CallState::Finished(result.clone());
            for gate in &self.gates {
                open.notes.extend(gate.after(&open.call, &result).await);
            }
        }
        let result = open.settle(self.max_result_bytes);
        let call_id = open.call.id.clone();
        events
            .send(QueryEvent::ToolFinished { call_id, result })
            .await;
        open.on_screen = false;
    }

    /// The event that a call is taken up, in its tool's words or, without any, by its name.
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

/// What a tool says of itself; `None` if it crashes, which is no reason to end a turn.
fn said<T>(ask: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(ask)).ok()
}

/// The arguments by the tool's schema and then by its own check, as [`execute`] has it.
/// A check that panics has not let them through.
fn validated(tool: &dyn Tool, args: &Value) -> ValidationResult {
    let by_schema = validate(tool.definition(), args);
    if by_schema != ValidationResult::Ok {
        return by_schema;
    }
    let by_tool = said(|| tool.validate_input(args));
    by_tool.unwrap_or_else(|| ValidationResult::Error {
        message: format!(
            "the tool `{}` crashed when it looked at the arguments; the mistake is the tool's, not yours",
            tool.definition().name
        ),
        code: 0,
    })
}
