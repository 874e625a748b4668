//! The tool `bash`, which runs shell commands.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::shell::{RunningCommand, Timing, find_shell, shell_command};
use crate::tools::resolve;
use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// The time limit of a command, in seconds, if the call has no `timeout`.
pub const DEFAULT_TIMEOUT: f64 = 120.0;

/// The largest `timeout` of a call, in seconds.
pub const MAX_TIMEOUT: f64 = 600.0;

/// The size limit of a command, in bytes. Linux accepts 131,071 in one argument.
pub const MAX_COMMAND_BYTES: usize = 100_000;

/// The code of a [`ValidationResult`] for a command that can't be run.
pub const BAD_COMMAND: u32 = 3;

/// Runs commands in the root folder or a folder below it. The commands themselves may
/// access other folders: permissions decide what a command may do.
pub struct BashTool {
    definition: ToolDefinition,
    root: PathBuf,
    timing: Timing,
}

impl BashTool {
    /// The tool `bash` for commands in `root` or a folder below it. It takes the string
    /// `command`, the optional number `timeout`, greater than 0 and at most
    /// [`MAX_TIMEOUT`], and the optional string `directory`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let timeout = json!({
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": MAX_TIMEOUT,
            "description": format!(
                "The time limit in seconds, at most {MAX_TIMEOUT}. The default is {DEFAULT_TIMEOUT}."
            ),
        });
        Self {
            definition: ToolDefinition::new("bash", DESCRIPTION)
                .param("command", "string", "The command. It may have several lines.", true)
                .param_raw("timeout", timeout, false)
                .param(
                    "directory",
                    "string",
                    "The folder to run it in, relative to the root folder. The default is the root folder.",
                    false,
                ),
            root: root.into(),
            timing: Timing::default(),
        }
    }

    /// Sets the intervals of its commands.
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }
}

#[async_trait]
impl Tool for BashTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        run_bash(&self.root, &args, self.timing).await
    }

    /// A command must not be blank, must have at most [`MAX_COMMAND_BYTES`], and must not
    /// contain a NUL character, which the system allows in no argument. The code of the
    /// error is [`BAD_COMMAND`].
    fn validate_input(&self, args: &Value) -> ValidationResult {
        let command = args["command"].as_str().unwrap_or_default();
        let message = if command.trim().is_empty() {
            "`command` is empty; write the command to run".to_string()
        } else if command.len() > MAX_COMMAND_BYTES {
            format!(
                "`command` has {} bytes, and the limit is {MAX_COMMAND_BYTES}; write a script to a file and run that",
                command.len()
            )
        } else if command.contains('\0') {
            "`command` contains a NUL character, which no argument can contain; print it with printf '\\0'"
                .to_string()
        } else {
            return ValidationResult::Ok;
        };
        ValidationResult::Error {
            message,
            code: BAD_COMMAND,
        }
    }

    fn is_destructive(&self) -> bool {
        true
    }

    /// `[bash: cargo test]`. Of a command with several lines, the first line that is not
    /// blank, followed by ` …`.
    fn summary(&self, args: &Value) -> String {
        let command = args["command"].as_str().unwrap_or_default().trim();
        let mut lines = command.lines();
        let first = lines.next().unwrap_or_default();
        let more = if lines.next().is_some() { " …" } else { "" };
        format!("[bash: {first}{more}]")
    }
}

/// Runs the command of `args` with [`run_command`].
pub async fn run_bash(root: &Path, args: &Value, timing: Timing) -> anyhow::Result<ToolResult> {
    let start = |command| Ok(RunningCommand::start(command, timing)?);
    run_command(root, args, start).await
}

/// Runs the command of `args` in its folder below `root`, with its timeout. `start` starts the
/// shell. Returns the output, and a note on the exit status if it is not success. A `directory`
/// that is not a folder below `root` gives an error result.
///
/// When the future completes or is dropped, every process of the command is ended.
pub async fn run_command(
    root: &Path,
    args: &Value,
    start: impl FnOnce(Command) -> anyhow::Result<RunningCommand>,
) -> anyhow::Result<ToolResult> {
    todo!("run-bash: write run_command")
}

/// The absolute path of the folder `directory` below `root`. The error is text for the
/// model.
pub fn working_folder(root: &Path, directory: &str) -> Result<PathBuf, String> {
    let folder = resolve(root, directory)?;
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(format!(
            "`{directory}` is a file; `directory` must be a folder"
        )),
    }
}

const DESCRIPTION: &str = "\
Run a command in the shell (bash if it is installed, otherwise sh) and return its standard \
output and standard error in the order in which they were written. Of a long output, only \
the head and the tail are returned. The last line shows an exit code other than 0. Each \
call starts a new shell: `cd` and variables do not last, so use `directory`. Commands \
cannot ask questions: standard input is empty, and there is no terminal, pager or editor. \
Processes in the background are stopped when the command ends.";
