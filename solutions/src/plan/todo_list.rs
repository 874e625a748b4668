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
        let items: Vec<TodoItem> = serde_json::from_value(args["items"].clone())
            .map_err(|error| format!("`items` is not a todo list: {error}"))?;
        if let Some(at) = items.iter().position(|it| it.content.trim().is_empty()) {
            return Err(format!("`items[{at}].content` is empty; say what to do"));
        }
        let running = items
            .iter()
            .filter(|it| it.status == TodoStatus::InProgress);
        let running: Vec<&str> = running.map(|it| it.content.as_str()).collect();
        if running.len() > 1 {
            return Err(format!(
                "{} items are in progress (`{}`), and at most one may be; send the whole list again",
                running.len(),
                running.join("`, `")
            ));
        }
        Ok(Self { items })
    }

    /// The list at the end of a history: that of the last call of `todo` that did not fail, as the
    /// model wrote it. Empty if there is none.
    pub fn from_messages(messages: &[Message]) -> Self {
        let mut steps = replay(messages).into_iter().rev();
        let last = steps.find_map(|step| match step {
            ReplayStep::Answered { call, result } if call.name == TODO && !result.is_error => {
                Self::parse(&call.arguments).ok()
            }
            _ => None,
        });
        last.unwrap_or_default()
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
