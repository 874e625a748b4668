//! The tool `multi_edit`, which makes several replacements in one file: all or none.

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::{
    Edit, NEW_STRING, OLD_STRING, REPLACE_ALL, TextFile, Workspace, apply_edit, call_result,
    edit_file,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Makes several edits in a file of a workspace.
pub struct MultiEditTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl MultiEditTool {
    /// The tool `multi_edit` for the files of `workspace`. It takes the string `path` and
    /// the array `edits` of at least one object. Each object has the parameters of the tool
    /// `edit` except `path`, and no others.
    pub fn new(workspace: &Workspace) -> Self {
        let edits = json!({
            "type": "array",
            "description": "The replacements, in order. Each one applies to the result of those before it.",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "old_string": { "type": "string", "description": OLD_STRING },
                    "new_string": { "type": "string", "description": NEW_STRING },
                    "replace_all": { "type": "boolean", "description": REPLACE_ALL }
                },
                "required": ["old_string", "new_string"],
                "additionalProperties": false
            }
        });
        Self {
            definition: ToolDefinition::new("multi_edit", DESCRIPTION)
                .param(
                    "path",
                    "string",
                    "The file, relative to the root folder.",
                    true,
                )
                .param_raw("edits", edits, true),
            workspace: workspace.clone(),
        }
    }
}

#[async_trait]
impl Tool for MultiEditTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("several-edits-at-once: write MultiEditTool::call")
    }
}

/// Applies `edits` to `text` in order, each one to the result of those before it. Returns
/// the summaries of [`apply_edit`], joined by `; `.
///
/// The error is that of the first edit that fails, as
/// ``no edit was made: `edits[1]` of 3 failed: …``. The content of `text` is then
/// unspecified.
pub fn apply_edits(text: &mut TextFile, edits: &[Edit]) -> Result<String, String> {
    todo!("several-edits-at-once: write apply_edits")
}

const DESCRIPTION: &str = "\
Replace several texts in one file that you have read. If one of them can't be replaced, \
the file stays unchanged.";
