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
    todo!("3.11: write run")
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
    todo!("3.12: write execute")
}

/// What a panic said, given what it threw. Nearly always that is a text, of type
/// `&'static str` or `String`; of anything else it is only said that there is
/// `no message`.
fn panic_text(thrown: &(dyn Any + Send)) -> &str {
    todo!("3.12: write panic_text")
}

/// What a model is told that called a tool which does not exist:
/// `there is no tool "lst"; the tools are bash, list`, with the names sorted, or
/// `there is no tool "lst", nor any other tool` where there is none.
fn unknown(tools: &ToolSet, name: &str) -> String {
    todo!("3.12: write unknown")
}
