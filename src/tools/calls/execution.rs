//! One call, from its arguments to its result.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use serde_json::Value;

use crate::provider::arguments_problem;
use crate::tools::{RESULT_LIMIT, bounded, validate};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet, ValidationResult};

/// Validates a call's arguments: by the tool's schema first, then by the tool's own
/// check, which is asked only if they fit the schema. The error is the message of the
/// check that refuses.
pub fn check_arguments(tool: &dyn Tool, args: &Value) -> Result<(), String> {
    todo!("3.11: write check_arguments")
}

/// Calls `tool` with arguments that [`check_arguments`] accepted. An `Err` of the call
/// becomes an error result that names the tool and every cause.
pub async fn run_validated(tool: &dyn Tool, args: &Value) -> ToolResult {
    todo!("3.11: write run_validated")
}

/// Validates the arguments and then calls `tool`. If [`check_arguments`] refuses them,
/// the tool is not called, and the message is the error result.
pub async fn run(tool: &dyn Tool, args: &Value) -> ToolResult {
    todo!("3.11: write run")
}

/// Carries out one call. Whatever happens, the call gets a result: an unknown tool, bad
/// arguments, an error and a panic all become a result that the model can act on. A result
/// is at most [`RESULT_LIMIT`] bytes long.
///
/// Arguments that are not JSON reach neither the tool nor its schema. Their result is
/// their [problem](arguments_problem).
///
/// A panic ends only the call that it happened in. This needs a program that unwinds,
/// as Rust's do unless built with `panic = "abort"`. What the tool itself had locked or
/// half written is the tool's to repair.
///
/// Dropping the future cancels the call. The tool then stops where it last waited.
pub async fn execute(tools: &ToolSet, call: &ToolCall) -> ToolResult {
    todo!("3.12: write execute")
}

/// Like [`execute`], for a call whose arguments were validated before: they are not
/// validated again.
pub async fn execute_validated(tools: &ToolSet, call: &ToolCall) -> ToolResult {
    match tools.get(&call.name) {
        None => bounded(ToolResult::error(unknown(tools, &call.name)), RESULT_LIMIT),
        Some(tool) => contained(&call.name, run_validated(tool, &call.arguments)).await,
    }
}

/// The result of `work`, at most [`RESULT_LIMIT`] bytes long. A panic in it becomes an
/// error result that names the tool `name` and quotes the [panic](panic_text).
async fn contained(name: &str, work: impl Future<Output = ToolResult>) -> ToolResult {
    todo!("3.12: write contained")
}

/// The message of a panic, from the value that it threw. The value is nearly always a
/// text, of type `&'static str` or `String`; for any other type the message is
/// `it left no message`.
fn panic_text(thrown: &(dyn Any + Send)) -> &str {
    todo!("3.12: write panic_text")
}

/// The error message for a call of a tool that does not exist:
/// `there is no tool "lst"; the tools are bash, list`, with the names sorted, or
/// `there is no tool "lst", nor any other tool` if the set is empty.
fn unknown(tools: &ToolSet, name: &str) -> String {
    todo!("3.12: write unknown")
}
