//! Tasks, and the steps that carry them out.

use super::action::Action;

/// Something that the user asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Task {
    /// Do these actions at the same time.
    Do(Vec<Action>),
    /// Make `cargo test` succeed.
    MakeTestsPass,
    /// Propose these tasks as a plan, and do them once it is approved.
    Plan(Vec<Task>),
}

/// The next step of a task.
pub(super) enum Step {
    /// Say this text and call tools for these actions.
    Act { text: String, actions: Vec<Action> },
    /// The task has ended after this many rounds of tool calls.
    Done {
        rounds: usize,
        /// The outcome.
        text: String,
        /// Whether the next task may start.
        is_success: bool,
    },
}
