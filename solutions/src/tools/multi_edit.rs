//! The tool `multi_edit`: several replacements in one file, all or none.

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::{
    Change, NEW_STRING, OLD_STRING, REPLACE_ALL, Text, Workspace, apply_change, edit_file, settle,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Edits files of a workspace in several places at once.
pub struct MultiEditTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl MultiEditTool {
    /// A tool of the name `multi_edit` for the files of `workspace`. Its parameter
    /// `edits` is an array of at least one object, each with what the tool `edit` takes
    /// besides the path, and nothing else.
    pub fn new(workspace: &Workspace) -> Self {
        let edits = json!({
            "type": "array",
            "description": "The replacements, in order; each is made in what the ones before it have left.",
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
        let workspace = self.workspace.clone();
        let path = args["path"].as_str().unwrap_or_default().to_string();
        let edits = args["edits"].as_array().into_iter().flatten();
        let changes: Vec<Change> = edits.map(Change::from_args).collect();
        let work = tokio::task::spawn_blocking(move || {
            edit_file(&workspace, &path, |text| apply_all(text, &changes))
        });
        settle(work.await.context("the edits were cut short")?)
    }
}

/// Does `changes` to `text` in order, each to what the ones before it have left, and says
/// what [`apply_change`] says of each, joined by `; `. The error is that of the first which
/// can't be done, as ``none of the 3 edits was made; `edits[1]`: …``; what has become of
/// `text` by then is nobody's business.
pub fn apply_all(text: &mut Text, changes: &[Change]) -> Result<String, String> {
    let mut said = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        let done = apply_change(text, change).map_err(|message| {
            let count = changes.len();
            format!("none of the {count} edits was made; `edits[{index}]`: {message}")
        })?;
        said.push(done);
    }
    Ok(said.join("; "))
}

const DESCRIPTION: &str = "\
Replace several texts in one file that has been read. If one of them can't be replaced, \
none is, and the file stays as it was.";
