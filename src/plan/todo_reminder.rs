//! The reminder of a forgotten list.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::{TODO, TodoList};
use crate::engine::{Decision, Gate};
use crate::types::{Tool, ToolCall, ToolResult};

/// After how many calls a list counts as forgotten.
pub const REMIND_AFTER: usize = 10;

/// A gate that reminds the agent of its list.
///
/// It counts the calls of other tools that pass it since the list was written. While the list has
/// an open item, every [`REMIND_AFTER`]th of them gets a reminder in its result. No clock is
/// involved: the same calls get the same reminders.
pub struct TodoReminder {
    state: Mutex<ReminderState>,
}

/// The list, and how many calls have passed since it was written.
struct ReminderState {
    list: TodoList,
    calls: usize,
}

impl TodoReminder {
    /// A gate for a session that begins with this list. It begins to count at 0.
    pub fn new(list: TodoList) -> Self {
        let state = Mutex::new(ReminderState { list, calls: 0 });
        Self { state }
    }
}

#[async_trait]
impl Gate for TodoReminder {
    /// Counts a call, unless it is one of `todo`, and adds the text of `reminder` to its result if
    /// it is due. Calls are asked about in call order, so the reminder does not depend on which call ends
    /// first.
    async fn before(&self, call: &ToolCall, _tool: &dyn Tool) -> Decision {
        todo!("todo-reminder: write TodoReminder::before")
    }

    /// After a call of `todo` that did not fail, remembers its list and counts from 0 again. If
    /// the arguments are not a list, nothing changes. Adds no text.
    async fn after(&self, call: &ToolCall, result: &ToolResult) -> Option<String> {
        todo!("todo-reminder: write TodoReminder::after")
    }
}

/// The text for the model: how many items are open, for how many calls the list has not changed,
/// and the list.
fn reminder(list: &TodoList, calls: usize) -> String {
    format!(
        "Reminder: your todo list has not changed for {calls} calls. Open items: {}. Update it with \
         `todo`, or send an empty list if you no longer need it.\n{list}",
        list.open()
    )
}
