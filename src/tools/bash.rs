//! The tool `bash`: a command of the shell.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::shell::{Pace, Run, command, find_shell};
use crate::tools::resolve;
use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// How many seconds a command may run if the call says nothing.
pub const TIMEOUT: f64 = 120.0;

/// How many seconds a call may ask for.
pub const MAX_TIMEOUT: f64 = 600.0;

/// How many bytes a command may have. Linux takes 131,071 in one argument; whoever needs
/// more wants a file.
pub const MAX_COMMAND: usize = 100_000;

/// The code of a [`ValidationResult`] for a command that can't be run as it is.
pub const BAD_COMMAND: u32 = 3;

/// Runs commands in a folder at or below a root folder. The commands themselves may
/// reach further: what they may do is for permissions to say.
pub struct BashTool {
    definition: ToolDefinition,
    root: PathBuf,
    pace: Pace,
}

impl BashTool {
    /// A tool of the name `bash` for commands that run at or below `root`. Its parameters
    /// are the string `command`; `timeout`, a number above 0 and up to [`MAX_TIMEOUT`];
    /// and the string `directory`. The last two may be left out.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        todo!("7.1: write BashTool::new")
    }

    /// Waits and reports at this pace.
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }
}

#[async_trait]
impl Tool for BashTool {
    fn definition(&self) -> &ToolDefinition {
        todo!("7.1: write BashTool::definition")
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        bash(&self.root, &args, self.pace).await
    }

    /// A command must say something, be at most [`MAX_COMMAND`] bytes long, and have no
    /// NUL character in it, which no program can be given. The code is [`BAD_COMMAND`].
    fn validate_input(&self, args: &Value) -> ValidationResult {
        todo!("7.1: write BashTool::validate_input")
    }

    fn is_destructive(&self) -> bool {
        todo!("7.1: write BashTool::is_destructive")
    }

    /// `[bash: cargo test]`; of a longer command the first line that says something, and
    /// then `…`.
    fn summary(&self, args: &Value) -> String {
        todo!("7.1: write BashTool::summary")
    }
}

/// Runs the command of `args` in its folder below `root`, for no longer than its timeout:
/// what it has written, and how it ended if that was not well. A folder in which nothing
/// can be run is an error result.
///
/// However the future goes, none of the command's processes is left behind.
pub async fn bash(root: &Path, args: &Value, pace: Pace) -> anyhow::Result<ToolResult> {
    todo!("7.11: write bash")
}

/// The folder that a call names, or what is wrong with it.
fn folder(root: &Path, directory: &str) -> Result<PathBuf, String> {
    let folder = resolve(root, directory)?;
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(format!(
            "`{directory}` is a file, and a command runs in a folder"
        )),
    }
}

const DESCRIPTION: &str = "\
Run a command in the shell (bash where there is one, else sh) and read what it writes, \
standard output and standard error in the order in which they were written. Of a long \
output, the head and the tail. An exit code other than 0 stands in the last line. Each \
call has a shell of its own: `cd` and variables do not last, so say `directory`. Nobody \
can answer questions: standard input is empty, and there is no terminal, pager or editor. \
All processes end with the command, also those in the background.";
