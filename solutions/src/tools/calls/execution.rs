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
    let mut verdict = validate(tool.definition(), args);
    if verdict == ValidationResult::Ok {
        verdict = tool.validate_input(args);
    }
    match verdict {
        ValidationResult::Ok => Ok(()),
        ValidationResult::Error { message, .. } => Err(message),
    }
}

/// Calls `tool` with arguments that [`check_arguments`] accepted. An `Err` of the call
/// becomes an error result that names the tool and every cause.
pub async fn run_validated(tool: &dyn Tool, args: &Value) -> ToolResult {
    match tool.call(args.clone()).await {
        Ok(result) => result,
        Err(error) => {
            let name = tool.definition().name;
            ToolResult::error(format!("the tool `{name}` failed: {error:#}"))
        }
    }
}

/// Validates the arguments and then calls `tool`. If [`check_arguments`] refuses them,
/// the tool is not called, and the message is the error result.
pub async fn run(tool: &dyn Tool, args: &Value) -> ToolResult {
    match check_arguments(tool, args) {
        Ok(()) => run_validated(tool, args).await,
        Err(message) => ToolResult::error(message),
    }
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
    match (tools.get(&call.name), arguments_problem(call)) {
        (None, _) => bounded(ToolResult::error(unknown(tools, &call.name)), RESULT_LIMIT),
        (Some(_), Some(problem)) => bounded(ToolResult::error(problem), RESULT_LIMIT),
        (Some(tool), None) => contained(&call.name, run(tool, &call.arguments)).await,
    }
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
    // A panicking tool leaves nothing of this function's in between: it holds no lock,
    // and what it lent to the tool can't be changed through a shared reference.
    let result = AssertUnwindSafe(work).catch_unwind().await;
    let result = result.unwrap_or_else(|panic| {
        ToolResult::error(format!(
            "the tool `{name}` crashed: {}. The mistake is the tool's, not yours; try another way",
            panic_text(&*panic)
        ))
    });
    bounded(result, RESULT_LIMIT)
}

/// The message of a panic, from the value that it threw. The value is nearly always a
/// text, of type `&'static str` or `String`; for any other type the message is
/// `it left no message`.
fn panic_text(thrown: &(dyn Any + Send)) -> &str {
    let text = thrown.downcast_ref::<&str>().copied();
    text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it left no message")
}

/// The error message for a call of a tool that does not exist:
/// `there is no tool "lst"; the tools are bash, list`, with the names sorted, or
/// `there is no tool "lst", nor any other tool` if the set is empty.
fn unknown(tools: &ToolSet, name: &str) -> String {
    let mut names = tools.names();
    names.sort_unstable();
    match names.is_empty() {
        true => format!("there is no tool {name:?}, nor any other tool"),
        false => format!(
            "there is no tool {name:?}; the tools are {}",
            names.join(", ")
        ),
    }
}
