//! What a call has to pass before it runs.

use async_trait::async_trait;
use serde_json::Value;

use crate::types::{Tool, ToolCall, ToolResult, ToolSet};

/// A station on the road from a call to its result.
///
/// A gate says what it has to say by implementing one or more of its methods; each
/// default lets the call through. Gates are asked in the order in which the engine was
/// given them:
///
/// 1. every [`check`](Self::check), then the arguments are validated;
/// 2. every [`before`](Self::before); where one rewrites the arguments, step 1 is done
///    again, and then the next one is asked;
/// 3. the tool runs;
/// 4. every [`after`](Self::after); then the result is truncated.
///
/// What runs is therefore what every check has let through last. Of a call whose tool does
/// not exist, only [`unknown`](Self::unknown) is asked. Calls meet the gates one after
/// another, in call order, even those that will run at the same time: a user is asked one
/// question at a time.
///
/// All methods are async and may take as long as they like: a gate that asks the user
/// waits for the answer. When the turn is cancelled, the future is dropped.
#[async_trait]
pub trait Gate: Send + Sync {
    /// Whether the call may run as it stands; otherwise the reason, which the model
    /// reads. The first refusal is final. Permissions and safety checks are checks.
    ///
    /// It may be asked more than once about one call, so it changes nothing.
    async fn check(&self, _call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        Ok(())
    }

    /// What is to be done with a call that passed the checks. Asked once a call, for
    /// the hooks that a user sets before a tool.
    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        Decision::Pass
    }

    /// What to add to the result of a call that ran, for the hooks that a user sets
    /// behind a tool. What other gates add is not in the result yet.
    async fn after(&self, _call: &ToolCall, _result: &ToolResult) -> Option<String> {
        None
    }

    /// What to add to the answer to a call that names none of these tools. The answer
    /// itself says so and lists them; chapter 9 adds which one may have been meant.
    async fn unknown(&self, _call: &ToolCall, _tools: &ToolSet) -> Option<String> {
        None
    }
}

/// What [`Gate::before`] does with a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// It goes on as it is.
    Pass,
    /// It goes on, changed.
    Change {
        /// Takes the place of its arguments.
        arguments: Option<Value>,
        /// Is added to its result.
        context: Option<String>,
    },
    /// It does not run; the model reads this reason.
    Block(String),
}
