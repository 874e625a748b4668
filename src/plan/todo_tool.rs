//! The tool `todo`, with which the agent writes its list.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::{TODO, TodoList};
use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// The code of a [`ValidationResult`] for a list that [`TodoList::parse`] refuses.
const BAD_LIST: u32 = 3;

/// Takes the agent's whole list. It keeps nothing: the list is in the history.
pub struct TodoTool {
    definition: ToolDefinition,
}

impl TodoTool {
    /// The tool `todo`. It takes the array `items`, each with the strings `content` and `status`.
    pub fn new() -> Self {
        let items = json!({
            "type": "array",
            "description": "The whole list, in order. It replaces the list before.",
            "items": {
                "type": "object",
                "properties": {
                    "content": { "type": "string", "description": "What to do, in one line." },
                    "status": {
                        "type": "string",
                        "enum": ["pending", "in_progress", "completed"],
                        "description": "At most one item is in_progress."
                    }
                },
                "required": ["content", "status"],
                "additionalProperties": false
            }
        });
        Self {
            definition: ToolDefinition::new(TODO, DESCRIPTION).param_raw("items", items, true),
        }
    }
}

impl Default for TodoTool {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Tool for TodoTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The result is the list as text.
    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        Ok(match TodoList::parse(&args) {
            Ok(list) => ToolResult::text(list.to_string()),
            Err(problem) => ToolResult::error(problem),
        })
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        match TodoList::parse(args) {
            Ok(_) => ValidationResult::Ok,
            Err(message) => ValidationResult::Error {
                message,
                code: BAD_LIST,
            },
        }
    }

    /// It changes only the agent's own list.
    fn is_read_only(&self) -> bool {
        true
    }
}

const DESCRIPTION: &str = "\
Write your todo list, which the user sees. Use it for work with three steps or more. Each call sends \
the whole list. Mark an item in_progress before you begin it, and completed as soon as it is done. \
An empty list means that nothing is left.";
