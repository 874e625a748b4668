//! What each mode decides.

use super::Decision;
use crate::types::{Permission, PermissionMode, PermissionSource, Tool, ToolCall};

/// The refusal of a call that needs a question when no user can answer.
pub const NOBODY_TO_ASK: &str =
    "this call needs the user's approval, and this session can't ask; go on without it";

/// The refusal of a tool that is not read-only in mode `plan`.
pub const ONLY_READING: &str =
    "plan mode allows only tools that change nothing; finish the plan first";

/// What a mode decides before rules, checks and approvals: [`Bypass`](PermissionMode::Bypass)
/// allows every call, and [`Plan`](PermissionMode::Plan) denies a tool that is not read-only with
/// [`ONLY_READING`]. `None` in every other case.
pub fn decide_first(mode: &PermissionMode, tool: &dyn Tool) -> Option<Decision> {
    todo!("permission-modes: write decide_first")
}

/// What a mode decides when nothing else has decided: a read-only tool is allowed, in mode
/// [`Auto`](PermissionMode::Auto) also one that is not destructive. Any other call asks its
/// [`question_text`].
pub fn decide_last(mode: &PermissionMode, call: &ToolCall, tool: &dyn Tool) -> Decision {
    todo!("permission-modes: write decide_last")
}

/// In mode [`DontAsk`](PermissionMode::DontAsk), turns a question into a refusal of the mode,
/// with [`NOBODY_TO_ASK`]. Every other decision is returned unchanged.
pub fn without_questions(mode: &PermissionMode, decision: Decision) -> Decision {
    todo!("permission-modes: write without_questions")
}

/// The question about a call: `Allow`, the tool's summary, and a question mark.
pub fn question_text(call: &ToolCall, tool: &dyn Tool) -> String {
    format!("Allow {}?", tool.summary(&call.arguments))
}

/// A decision whose source is the mode.
fn by_mode(mode: &PermissionMode, permission: Permission) -> Decision {
    let source = PermissionSource::Mode(mode.clone());
    Decision { permission, source }
}
