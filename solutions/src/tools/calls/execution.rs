//! Executes one tool call.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use serde_json::Value;

use crate::provider::arguments_problem;
use crate::tools::{RESULT_LIMIT, truncate_result, validate};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet, ValidationResult};

/// Validates a call's arguments: by the tool's schema first, and then by the tool's own
/// check, which runs only if they match the schema. The error is the message of the check
/// that fails.
pub fn check_arguments(tool: &dyn Tool, args: &Value) -> Result<(), String> {
    let mut validation = validate(tool.definition(), args);
    if validation == ValidationResult::Ok {
        validation = tool.validate_input(args);
    }
    match validation {
        ValidationResult::Ok => Ok(()),
        ValidationResult::Error { message, .. } => Err(message),
    }
}

/// Calls `tool` with arguments that [`check_arguments`] accepted. An `Err` of the call
/// becomes an error result that names the tool and every cause.
pub async fn call_validated(tool: &dyn Tool, args: &Value) -> ToolResult {
    match tool.call(args.clone()).await {
        Ok(result) => result,
        Err(error) => {
            let name = tool.definition().name;
            ToolResult::error(format!("the tool `{name}` failed: {error:#}"))
        }
    }
}

/// Validates the arguments and then calls `tool`. If [`check_arguments`] fails, the tool is
/// not called, and the message becomes the error result.
pub async fn validate_and_call(tool: &dyn Tool, args: &Value) -> ToolResult {
    match check_arguments(tool, args) {
        Ok(()) => call_validated(tool, args).await,
        Err(message) => ToolResult::error(message),
    }
}

/// Executes one call. The call always gets a result: an unknown tool, invalid arguments, an
/// `Err` and a panic become error results that the model can act on. A result has at most
/// [`RESULT_LIMIT`] bytes.
///
/// Arguments that are not JSON reach neither the tool nor its schema. The result is the
/// message of [`arguments_problem`].
///
/// A panic ends only the call in which it happens. This requires a program that unwinds,
/// which is Rust's default; `panic = "abort"` turns it off. The tool itself must repair
/// what it had locked or half written.
///
/// Dropping the future cancels the call: the tool never continues after the await at which
/// it waits.
pub async fn execute(tools: &ToolSet, call: &ToolCall) -> ToolResult {
    let error = match (tools.get(&call.name), arguments_problem(call)) {
        (Some(tool), None) => {
            return guard_call(&call.name, validate_and_call(tool, &call.arguments)).await;
        }
        (Some(_), Some(problem)) => problem,
        (None, _) => unknown_tool_message(tools, &call.name),
    };
    truncate_result(ToolResult::error(error), RESULT_LIMIT)
}

/// Like [`execute`], for a call whose arguments are already validated. It does not validate
/// them again.
pub async fn execute_validated(tools: &ToolSet, call: &ToolCall) -> ToolResult {
    match tools.get(&call.name) {
        Some(tool) => guard_call(&call.name, call_validated(tool, &call.arguments)).await,
        None => {
            let message = unknown_tool_message(tools, &call.name);
            truncate_result(ToolResult::error(message), RESULT_LIMIT)
        }
    }
}

/// The result of a call of the tool `name`, at most [`RESULT_LIMIT`] bytes long. A panic of
/// the call becomes an error result that names the tool and has the
/// [message](panic_message) of the panic.
async fn guard_call(name: &str, call: impl Future<Output = ToolResult>) -> ToolResult {
    // A panic leaves no state of this function half changed: it holds no lock, and the tool
    // gets only shared references.
    let result = AssertUnwindSafe(call).catch_unwind().await;
    let result = result.unwrap_or_else(|panic| {
        ToolResult::error(format!(
            "the tool `{name}` crashed: {}; this is a fault of the tool, so try another way",
            panic_message(&*panic)
        ))
    });
    truncate_result(result, RESULT_LIMIT)
}

/// The message of a panic, from its payload. The payload is nearly always a `&'static str`
/// or a `String`. For any other type the message is `it left no message`.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it left no message")
}

/// The error message for a call of a tool that does not exist:
/// `there is no tool "lst"; the tools are bash, list`, with the names sorted, or
/// `there is no tool "lst", and no other tool either` if the set is empty.
fn unknown_tool_message(tools: &ToolSet, name: &str) -> String {
    let mut names = tools.names();
    names.sort_unstable();
    match names.is_empty() {
        true => format!("there is no tool {name:?}, and no other tool either"),
        false => format!(
            "there is no tool {name:?}; the tools are {}",
            names.join(", ")
        ),
    }
}
