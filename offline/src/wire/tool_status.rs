//! Whether a tool call failed, in the formats that have no field for it.
//!
//! Chat Completions and Responses carry only the text of a tool result. Agents mark a
//! failure with the prefix `error: `. This module turns the prefix into a [`ToolStatus`]
//! and removes it; no other code looks for it. Messages has the field `is_error` instead.
//!
//! A shell command can print the same prefix. A shell tool ends its result with a line such
//! as `[exit code 1]` if a command ran and exited with another code than 0, and writes no
//! such line for code 0. So the rule is:
//!
//! | the text starts with `error: ` | the tool | the last line | status |
//! | --- | --- | --- | --- |
//! | no | any | any | succeeded |
//! | yes | not the shell | any | failed |
//! | yes | the shell | an exit code | succeeded: the command ran and printed this |
//! | yes | the shell | anything else | unknown: the shell tool failed, or a command that exited with 0 printed this |

use crate::command_output::CommandOutput;
use crate::conversation::{Content, ToolResult, ToolStatus, Turn};
use crate::tool_kind::ToolKind;

/// The prefix of a failure.
const ERROR_PREFIX: &str = "error: ";

/// The result of the call with this id, which is in one of the earlier `turns`.
pub(super) fn read_tool_result(turns: &[Turn], id: &str, mut content: Content) -> ToolResult {
    let mut status = ToolStatus::Succeeded;
    if let Some(message) = content.text.strip_prefix(ERROR_PREFIX) {
        if !is_shell_call(turns, id) {
            status = ToolStatus::Failed;
            content.text = message.to_string();
        } else if CommandOutput::parse(message).exit_code.is_none() {
            status = ToolStatus::Unknown;
        }
    }
    ToolResult {
        id: id.into(),
        content,
        status,
    }
}

fn is_shell_call(turns: &[Turn], id: &str) -> bool {
    let call = turns.iter().rev().find_map(|turn| match turn {
        Turn::Assistant { calls, .. } => calls.iter().find(|call| call.id == id),
        _ => None,
    });
    call.is_some_and(|call| ToolKind::of_call(call) == Some(ToolKind::Run))
}
