//! The tool `edit`: one text in a file replaced by another.

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;

use super::{
    Change, FileError, Fingerprint, MAX_FILE_BYTES, Text, Workspace, apply_change, existing,
    load_file, replace_file, settle, too_large,
};
use crate::types::{Tool, ToolDefinition, ToolResult};

/// Edits files of a workspace.
pub struct EditTool {
    definition: ToolDefinition,
    workspace: Workspace,
}

impl EditTool {
    /// A tool of the name `edit` for the files of `workspace`.
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
        let change = Change::from_args(&args);
        let work = tokio::task::spawn_blocking(move || {
            edit_file(&workspace, &path, |text| apply_change(text, &change))
        });
        settle(work.await.context("the edit was cut short")?)
    }
}

impl Change {
    /// The change that a call's arguments, or one item of its `edits`, ask for.
    pub fn from_args(args: &Value) -> Self {
        let text = |name: &str| args[name].as_str().unwrap_or_default().to_string();
        Self {
            old_string: text("old_string"),
            new_string: text("new_string"),
            replace_all: args["replace_all"].as_bool().unwrap_or(false),
        }
    }
}

/// Changes the text of the file `path` as `change` does, which returns what to tell the
/// model or, for the model to read as well, why it could not. An error has changed
/// nothing.
///
/// The file must be text and as the model knows it; see [`Workspace::check`]. Afterwards
/// the model knows the new content. The result is ``edited `a.txt`: `` and what `change`
/// has said.
pub fn edit_file(
    workspace: &Workspace,
    path: &str,
    change: impl FnOnce(&mut Text) -> Result<String, String>,
) -> Result<ToolResult, FileError> {
    let _turn = workspace.turn();
    let place = existing(workspace.root(), path)?;
    let old = load_file(&place, path)?;
    let mut text = Text::decode(&old, path)?;
    workspace.check(&place, path, &old)?;
    let said = change(&mut text)?;
    let new = text.encode();
    if new.len() > MAX_FILE_BYTES {
        return Err(too_large(path, new.len() as u64).into());
    }
    replace_file(&place, path, &new, Some(Fingerprint::of(&old)))?;
    workspace.saw(&place, &new);
    Ok(ToolResult::text(format!("edited `{path}`: {said}")))
}

/// The words by which a model knows the arguments of an edit.
pub(super) const OLD_STRING: &str = "The text to replace, exactly as it is in the file, with \
enough lines around it to stand there only once. Line numbers are no part of it.";

/// See [`OLD_STRING`].
pub(super) const NEW_STRING: &str = "What to put in its place.";

/// See [`OLD_STRING`].
pub(super) const REPLACE_ALL: &str =
    "Whether to replace every occurrence. Without it, there must be exactly one.";

const DESCRIPTION: &str = "\
Replace a text in a file that has been read. For several changes to one file, use \
`multi_edit`.";
