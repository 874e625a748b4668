//! The tool `edit`, which replaces one text in a file.

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;

use super::{
    Edit, FileError, MAX_FILE_BYTES, TextFile, Workspace, apply_edit, call_result, existing_path,
    too_large_message,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Edits files of a workspace.
pub struct EditTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl EditTool {
    /// The tool `edit` for the files of `workspace`. It takes the strings `path`,
    /// `old_string` and `new_string`, and the optional boolean `replace_all`.
    pub fn new(workspace: &Workspace) -> Self {
        Self {
            definition: ToolDefinition::new("edit", DESCRIPTION)
                .param(
                    "path",
                    "string",
                    "The file, relative to the root folder.",
                    true,
                )
                .param("old_string", "string", OLD_STRING, true)
                .param("new_string", "string", NEW_STRING, true)
                .param("replace_all", "boolean", REPLACE_ALL, false),
            workspace: workspace.clone(),
        }
    }
}

#[async_trait]
impl Tool for EditTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let workspace = self.workspace.clone();
        let path = args["path"].as_str().unwrap_or_default().to_string();
        let edit = Edit::from_args(&args);
        let task = tokio::task::spawn_blocking(move || {
            edit_file(&workspace, &path, |text| apply_edit(text, &edit))
        });
        call_result(task.await.context("the task that edits the file failed")?)
    }
}

impl Edit {
    /// The edit in a call's arguments, or in one item of the `edits` of `multi_edit`.
    pub fn from_args(args: &Value) -> Self {
        let text = |name: &str| args[name].as_str().unwrap_or_default().to_string();
        Self {
            old_string: text("old_string"),
            new_string: text("new_string"),
            replace_all: args["replace_all"].as_bool().unwrap_or(false),
        }
    }
}

/// Changes the text of the file `path` by means of `change`, which returns a summary of
/// the change, or why it could not be made. Both are text for the model. On an error, the
/// file is unchanged.
///
/// The file must be text, and the model must know its content; see [`Workspace::check`].
/// The workspace remembers the new content. The result is ``edited `a.txt`: `` and the
/// summary.
pub fn edit_file(
    workspace: &Workspace,
    path: &str,
    change: impl FnOnce(&mut TextFile) -> Result<String, String>,
) -> Result<ToolResult, FileError> {
    let _guard = workspace.write_lock();
    let resolved = existing_path(workspace.root(), path)?;
    let mut text = TextFile::decode(workspace.load(&resolved, path)?, path)?;
    let old = workspace.check(&resolved, path, &text.encode())?;
    let summary = change(&mut text)?;
    let new = text.encode();
    if new.len() > MAX_FILE_BYTES {
        return Err(too_large_message(path, new.len() as u64).into());
    }
    workspace.replace(&resolved, path, &new, Some(old))?;
    workspace.remember(&resolved, &new);
    Ok(ToolResult::text(format!("edited `{path}`: {summary}")))
}

/// The description of the parameter `old_string`, which `edit` and `multi_edit` share.
pub(super) const OLD_STRING: &str = "The text to replace, exactly as in the file, with enough \
surrounding lines to make it unique. Do not include line numbers.";

/// See [`OLD_STRING`].
pub(super) const NEW_STRING: &str = "The replacement.";

/// See [`OLD_STRING`].
pub(super) const REPLACE_ALL: &str =
    "Whether to replace every occurrence. By default there must be exactly one.";

const DESCRIPTION: &str = "\
Replace a text in a file that you have read. For several changes to one file, use \
`multi_edit`.";
