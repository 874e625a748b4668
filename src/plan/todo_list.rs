//! The agent's list of what it has to do.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ReplayStep, replay};
use crate::types::Message;

/// The name of the tool that writes the list.
pub const TODO: &str = "todo";

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TodoItem {
    /// What to do, in one line.
    pub content: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// How far an item is. In JSON, its name in lower case, with `_` between words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// The agent works on it. At most one item of a list is in progress.
    InProgress,
    /// Done.
    Completed,
}

/// The agent's list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TodoList {
    /// The items, in the agent's order.
    pub items: Vec<TodoItem>,
}

impl TodoList {
    /// Reads the list in the arguments of a call of `todo`, with each content unchanged. The error
    /// is for the model, and says what to correct:
    ///
    /// - ``` `items` is not a todo list: ``` and serde's error, for another shape;
    /// - ``` `items[2].content` is empty; say what to do ```, even for text that is only
    ///   whitespace;
    /// - ``` 2 items are in progress (`read the code`, `write tests`), and at most one may be; send
    ///   the whole list again ```.
    pub fn parse(args: &Value) -> Result<Self, String> {
        todo!("todo-lists: write TodoList::parse")
    }

    /// The list at the end of a history: that of the last call of `todo` that did not fail, as the
    /// model wrote it. Empty if there is none.
    pub fn from_messages(messages: &[Message]) -> Self {
        todo!("todo-history: write TodoList::from_messages")
    }

    /// The number of items that are not completed.
    pub fn open(&self) -> usize {
        let open = |it: &&TodoItem| it.status != TodoStatus::Completed;
        self.items.iter().filter(open).count()
    }
}

/// A line for each item: its mark, a space and its content. The mark is `[ ]` for a pending item,
/// `[>]` for one in progress and `[x]` for a completed one. Every run of whitespace between two words
/// of the content is written as one space, and whitespace at its ends is left out, so that an item is
/// one line. There is a line end between lines and none at the end. The text of an empty list is
/// `(no todos)`.
impl fmt::Display for TodoList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.items.is_empty() {
            return write!(f, "(no todos)");
        }
        let lines = self.items.iter().map(|item| {
            let mark = match item.status {
                TodoStatus::Pending => "[ ]",
                TodoStatus::InProgress => "[>]",
                TodoStatus::Completed => "[x]",
            };
            let words: Vec<&str> = item.content.split_whitespace().collect();
            format!("{mark} {}", words.join(" "))
        });
        write!(f, "{}", lines.collect::<Vec<_>>().join("\n"))
    }
}
