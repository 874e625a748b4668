//! The rule that every tool call has exactly one result.

use crate::conversation::Turn;
use crate::request_error::RequestError;

/// Checks that the results of all tool calls follow directly after the calls, and that no
/// other results do. All three APIs enforce this.
pub(super) fn check(turns: &[Turn]) -> Result<(), RequestError> {
    let mut open: Vec<&str> = Vec::new();
    for turn in turns {
        match turn {
            Turn::ToolResult(result) => {
                let Some(at) = open.iter().position(|call| *call == result.id) else {
                    return Err(RequestError::new(format!(
                        "the tool result for {:?} matches no open tool call: it must follow the assistant message that made the call, and only once",
                        result.id
                    )));
                };
                open.remove(at);
            }
            _ if !open.is_empty() => break,
            Turn::Assistant { calls, .. } => {
                open.extend(calls.iter().map(|call| call.id.as_str()));
            }
            Turn::System(_) | Turn::User(_) => {}
        }
    }
    match open.as_slice() {
        [] => Ok(()),
        ids => Err(RequestError::new(format!(
            "these tool calls have no result directly after them: {}",
            ids.join(", ")
        ))),
    }
}
