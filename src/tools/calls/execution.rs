//! Executes one tool call.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use serde_json::Value;

use crate::provider::arguments_problem;
use crate::tools::{RESULT_LIMIT, truncate_result, validate};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet, ValidationResult};

/// Runs `tool` if `args` are valid, by its schema first and then by its own check.
///
/// The message of the first check that fails becomes the error result, and the steps after
/// it are skipped. An `Err` of the call becomes an error result that names the tool and
/// every cause.
pub async fn validate_and_call(tool: &dyn Tool, args: &Value) -> ToolResult {
    todo!("3.11: write validate_and_call")
}

/// Executes one call. The call always gets a result: an unknown tool, invalid arguments, an
/// `Err` and a panic become error results that the model can act on. A result has at most
/// [`RESULT_LIMIT`] bytes.
///
/// Arguments that are not JSON reach neither the tool nor its schema. The result is their
/// [problem](arguments_problem).
///
/// A panic ends only the call in which it happens. This requires a program that unwinds,
/// which is Rust's default; `panic = "abort"` turns it off. The tool itself must repair
/// what it had locked or half written.
///
/// Dropping the future cancels the call. The tool then stops at its last await.
pub async fn execute(tools: &ToolSet, call: &ToolCall) -> ToolResult {
    todo!("3.12: write execute")
}

/// The message of a panic, from its payload. The payload is nearly always a `&'static str`
/// or a `String`. For any other type the text contains `no message`.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    todo!("3.12: write panic_message")
}

/// The error message for a call of a tool that does not exist:
/// `there is no tool "lst"; the tools are bash, list`, with the names sorted, or
/// `there is no tool "lst", and no other tool either` if the set is empty.
fn unknown_tool_message(tools: &ToolSet, name: &str) -> String {
    todo!("3.12: write unknown_tool_message")
}
