//! The checks and hooks that a call passes on its way to a result.

use async_trait::async_trait;
use serde_json::Value;

use crate::types::{Tool, ToolCall, ToolResult, ToolSet};

/// A check or a hook around calls.
///
/// A gate implements one or more of these methods; each default lets the call through
/// unchanged. The engine asks its gates in the order in which they were added:
///
/// 1. every [`check`](Self::check), then the arguments are validated;
/// 2. every [`before`](Self::before); if one rewrites the arguments, step 1 is repeated
///    before the next gate is asked;
/// 3. the tool runs;
/// 4. every [`after`](Self::after); then the result is truncated.
///
/// So every check has approved the arguments that the tool runs with. If no tool has the
/// call's name, only [`unknown`](Self::unknown) is asked. Calls pass the gates one at a
/// time, in call order, even calls that will run together: a user is asked one question at
/// a time.
///
/// All methods are async and may take any time: a gate that asks the user waits for the
/// answer. When the turn is cancelled, the method's future is dropped.
#[async_trait]
pub trait Gate: Send + Sync {
    /// Approves a call, or refuses it with a reason, which the model reads. The first
    /// refusal is final. The gate of the permissions implements this method.
    ///
    /// It may be asked more than once about one call, so it must not change what the call works
    /// on. It may remember an answer of the user's.
    async fn check(&self, _call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        Ok(())
    }

    /// Decides what happens to a call that passed all checks. Asked once per call. Hooks
    /// that run before a tool implement this method.
    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        Decision::Pass
    }

    /// Text to add to the result of a call that ran. `result` is the tool's own, without
    /// the text of other gates. Hooks that run after a tool implement this method.
    async fn after(&self, _call: &ToolCall, _result: &ToolResult) -> Option<String> {
        None
    }

    /// Text to add to the error result of a call whose tool does not exist. The error
    /// already lists the tools; chapter 9 adds the name that the model probably meant.
    async fn unknown(&self, _call: &ToolCall, _tools: &ToolSet) -> Option<String> {
        None
    }
}

/// What [`Gate::before`] decides about a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// The call proceeds unchanged.
    Pass,
    /// The call proceeds with changes.
    Change {
        /// Replaces the call's arguments.
        arguments: Option<Value>,
        /// Text to add to the call's result.
        context: Option<String>,
    },
    /// The call does not run, and the model reads this reason.
    Block(String),
}
