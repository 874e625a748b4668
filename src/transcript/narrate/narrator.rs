//! Who narrates which tool.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    BashNarrator, EditNarrator, GlobNarrator, GrepNarrator, ListNarrator, MAX_NARRATION,
    ReadNarrator, WriteNarrator, plain, reason,
};
use crate::transcript::{AgentMessage, AssistantBlock};
use crate::types::{ToolCall, ToolResult, result_message};

/// Makes the sentences for one tool. What it is given may be anything: a model writes
/// arguments as it likes, and a transcript may be from another program.
pub trait Narrator: Send + Sync {
    /// What a call with these arguments is to do, as it stands behind `Could not`:
    /// `read src/a.rs`.
    fn aim(&self, args: &Value) -> String;

    /// What it has done, given the text of its result, as a sentence without the full stop:
    /// `Read src/a.rs (12 lines)`. `None` if the text is not one that this tool writes.
    fn deed(&self, args: &Value, text: &str) -> Option<String>;
}

/// The narrators of an agent's tools, by the tools' names.
#[derive(Default)]
pub struct Narrators {
    by_name: HashMap<String, Box<dyn Narrator>>,
}

impl Narrators {
    /// Those of the standard tools.
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

    /// Adds the narrator of a tool. One for the same name gives way.
    pub fn with(mut self, tool: impl Into<String>, narrator: impl Narrator + 'static) -> Self {
        self.by_name.insert(tool.into(), Box::new(narrator));
        self
    }

    /// One [sentence](Self::sentence) about a call and its result. The result's `is_error`
    /// says whether the call failed; the prefix `error: ` is not part of the reason.
    pub fn narrate(&self, call: &ToolCall, result: &ToolResult) -> String {
        todo!("17.9: write Narrators::narrate")
    }

    /// One sentence about a call, on one line and in at most [`MAX_NARRATION`] characters.
    /// `text` is the bare text of its result, `is_error` whether the call failed.
    ///
    /// For a call that succeeded it is the narrator's deed. For one that failed it is `Could
    /// not read a.txt: ` and the [`reason`], or `Could not read a.txt.` if there is no reason.
    /// For a tool without a narrator, or whose narrator returns no deed, it is `Used deploy.`
    /// or `Could not use deploy: …`.
    pub fn sentence(&self, tool: &str, args: &Value, text: &str, is_error: bool) -> String {
        todo!("17.9: write Narrators::sentence")
    }

    /// Gives every result in a transcript its narration: those that have none, and whose
    /// call stands before them. Of several calls with one id, the last before the result
    /// counts.
    pub fn fill(&self, transcript: &mut [AgentMessage]) {
        todo!("17.9: write Narrators::fill")
    }
}
