//! One call, carried out.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use serde_json::Value;

use crate::provider::arguments_problem;
use crate::tools::{RESULT_LIMIT, bounded, validate};
use crate::types::{Tool, ToolCall, ToolResult, ToolSet, ValidationResult};

/// Runs `tool` if `args` will do: by its schema first, then by its own check. The first
/// of the two that refuses decides, and nothing behind it happens: its message is the
/// error result. An `Err` of the call becomes an error result that names the tool and
/// every cause.
pub async fn run(tool: &dyn Tool, args: &Value) -> ToolResult {
    let mut verdict = validate(tool.definition(), args);
    if verdict == ValidationResult::Ok {
        verdict = tool.validate_input(args);
    }
    if let ValidationResult::Error { message, .. } = verdict {
        return ToolResult::error(message);
    }
    match tool.call(args.clone()).await {
        Ok(result) => result,
        Err(error) => {
            let name = tool.definition().name;
            ToolResult::error(format!("the tool `{name}` failed: {error:#}"))
        }
    }
}

/// Carries out one call. Whatever happens, the call gets a result: an unknown tool, bad
/// arguments, an error and a panic all become one that the model can act on. A result is
/// at most [`RESULT_LIMIT`] bytes long.
///
/// Arguments that are not JSON never reach the tool, nor its schema: what is said of them
/// is their [problem](arguments_problem).
///
/// A panic ends the one call that it happened in. This needs a program that unwinds,
/// as Rust's do unless built with `panic = "abort"`. What the tool itself had locked or
/// half written is the tool's to repair.
///
/// Dropping the future cancels the call. The tool then stops where it last waited.
pub async fn execute(tools: &ToolSet, call: &ToolCall) -> ToolResult {
    let result = match (tools.get(&call.name), arguments_problem(call)) {
        (None, _) => ToolResult::error(unknown(tools, &call.name)),
        (Some(_), Some(problem)) => ToolResult::error(problem),
        // A panicking tool leaves nothing of this function's in between: it holds no lock,
        // and what it lent to the tool can't be changed through a shared reference.
        (Some(tool), None) => AssertUnwindSafe(run(tool, &call.arguments))
            .catch_unwind()
            .await
            .unwrap_or_else(|panic| {
                ToolResult::error(format!(
                    "the tool `{}` crashed: {}. The mistake is the tool's, not yours; try another way",
                    call.name,
                    panic_text(&*panic)
                ))
            }),
    };
    bounded(result, RESULT_LIMIT)
}

/// What a panic said, given what it threw. Nearly always that is a text, of type
/// `&'static str` or `String`; of anything else it is only said that there is
/// `no message`.
fn panic_text(thrown: &(dyn Any + Send)) -> &str {
    let text = thrown.downcast_ref::<&str>().copied();
    text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it left no message")
}

/// What a model is told that called a tool which does not exist:
/// `there is no tool "lst"; the tools are bash, list`, with the names sorted, or
/// `there is no tool "lst", nor any other tool` where there is none.
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
