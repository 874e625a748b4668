//! Whether a tool call did what it should, in the results of agents that do not mark a
//! failure.

use crate::command_output::CommandOutput;
use crate::conversation::{ToolResult, ToolStatus};
use crate::reply::ToolCall;
use crate::tool_kind::ToolKind;

/// How the first line of a result starts, in lower case, if a file was not changed.
const STARTS: [&str; 11] = [
    "error",
    "failed",
    "failure",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "unable",
    "invalid",
    "no ",
    "<tool_use_error>",
];

/// What the first line of a result contains, in lower case, if a file was not changed.
const PHRASES: [&str; 6] = [
    "not found",
    "no such file",
    "does not exist",
    "did not match",
    "permission denied",
    "verification failed",
];

/// The status of a call: the one in the result, with two corrections. A command that ran and
/// ended with an exit code did not fail as a tool call. A change failed if the result says
/// so, even if it is not marked as a failure.
pub(super) fn outcome(call: &ToolCall, result: &ToolResult) -> ToolStatus {
    let text = &result.content.text;
    match (ToolKind::of_call(call), result.status) {
        (Some(ToolKind::Run), ToolStatus::Failed)
            if CommandOutput::parse(text).exit_code.is_some() =>
        {
            ToolStatus::Succeeded
        }
        (Some(ToolKind::Write | ToolKind::Edit | ToolKind::Patch), ToolStatus::Succeeded)
            if reports_failure(text) =>
        {
            ToolStatus::Failed
        }
        (_, status) => status,
    }
}

fn reports_failure(text: &str) -> bool {
    let output = CommandOutput::parse(text);
    let first = output.text.trim_start().lines().next().unwrap_or_default();
    let first = first.to_lowercase();
    output.exit_code.is_some()
        || STARTS.iter().any(|it| first.starts_with(it))
        || PHRASES.iter().any(|it| first.contains(it))
}
