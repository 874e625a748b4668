//! The narrators of all tools, by tool name.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    BashNarrator, EditNarrator, GlobNarrator, GrepNarrator, ListNarrator, MAX_NARRATION, Narrator,
    ReadNarrator, WriteNarrator, one_line, reason,
};
use crate::types::{ToolCall, ToolResult, result_message};

/// The narrators of an agent's tools, by tool name.
#[derive(Default)]
pub struct Narrators {
    by_name: HashMap<String, Box<dyn Narrator>>,
}

impl Narrators {
    /// The narrators of the standard tools.
    pub fn standard() -> Self {
        Self::default()
            .with("list", ListNarrator)
            .with("read", ReadNarrator)
            .with("write", WriteNarrator)
            .with("edit", EditNarrator)
            .with("multi_edit", EditNarrator)
            .with("bash", BashNarrator)
            .with("glob", GlobNarrator)
            .with("grep", GrepNarrator)
    }

    /// Adds the narrator of a tool. It replaces an earlier one of the same tool.
    pub fn with(mut self, tool: impl Into<String>, narrator: impl Narrator + 'static) -> Self {
        self.by_name.insert(tool.into(), Box::new(narrator));
        self
    }

    /// One [sentence](Self::sentence) about a call and its result. The result's `is_error`
    /// says whether the call failed; the prefix `error: ` is not part of the reason.
    pub fn narrate(&self, call: &ToolCall, result: &ToolResult) -> String {
        let text = result_message(&result.content, result.is_error);
        self.sentence(&call.name, &call.arguments, text, result.is_error)
    }

    /// One sentence about a call: one line that ends in a period and has at most
    /// [`MAX_NARRATION`] characters, with the period. `text` is the bare text of its result,
    /// `is_error` whether the call failed.
    ///
    /// For a call that succeeded it is the narrator's outcome. For one that failed it is
    /// `Could not read a.txt: ` and the [`reason`], or `Could not read a.txt.` if the reason
    /// is empty. For a tool without a narrator, or whose narrator returns no outcome, it is
    /// `Used deploy.` or `Could not use deploy: …`.
    pub fn sentence(&self, tool: &str, args: &Value, text: &str, is_error: bool) -> String {
        let narrator = self.by_name.get(tool);
        let sentence = match is_error {
            false => {
                let outcome = narrator.and_then(|narrator| narrator.outcome(args, text));
                outcome.unwrap_or_else(|| format!("Used {}", one_line(tool, MAX_NARRATION / 2)))
            }
            true => {
                let action = match narrator {
                    Some(narrator) => narrator.action(args),
                    None => format!("use {}", one_line(tool, MAX_NARRATION / 4)),
                };
                match reason(text).as_str() {
                    "" => format!("Could not {action}"),
                    reason => format!("Could not {action}: {reason}"),
                }
            }
        };
        one_line(&sentence, MAX_NARRATION - 1) + "."
    }
}
