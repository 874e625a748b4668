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
        todo!("6.12: write MultiEditTool::new")
    }
}

#[async_trait]
impl Tool for MultiEditTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        todo!("6.12: write MultiEditTool::call")
    }
}

/// Does `changes` to `text` in order, each to what the ones before it have left, and says
/// what [`apply_change`] says of each, joined by `; `. The error is that of the first which
/// can't be done, as ``none of the 3 edits was made; `edits[1]`: …``; what has become of
/// `text` by then is nobody's business.
pub fn apply_all(text: &mut Text, changes: &[Change]) -> Result<String, String> {
    todo!("6.12: write apply_all")
}

const DESCRIPTION: &str = "\
Replace several texts in one file that has been read. If one of them can't be replaced, \
none is, and the file stays as it was.";
