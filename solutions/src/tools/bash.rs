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
        let timeout = json!({
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": MAX_TIMEOUT,
            "description": format!(
                "How many seconds the command may run, at most {MAX_TIMEOUT}. Without it, {TIMEOUT}."
            ),
        });
        Self {
            definition: ToolDefinition::new("bash", DESCRIPTION)
                .param("command", "string", "The command, of one line or more.", true)
                .param_raw("timeout", timeout, false)
                .param(
                    "directory",
                    "string",
                    "The folder to run it in, relative to the root folder. Without it, the root folder itself.",
                    false,
                ),
            root: root.into(),
            pace: Pace::default(),
        }
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
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        bash(&self.root, &args, self.pace).await
    }

    /// A command must say something, be at most [`MAX_COMMAND`] bytes long, and have no
    /// NUL character in it, which no program can be given. The code is [`BAD_COMMAND`].
    fn validate_input(&self, args: &Value) -> ValidationResult {
        let command = args["command"].as_str().unwrap_or_default();
        let message = if command.trim().is_empty() {
            "`command` is empty; write the command to run".to_string()
        } else if command.len() > MAX_COMMAND {
            format!(
                "`command` has {} bytes, and can have {MAX_COMMAND}; write a script to a file and run that",
                command.len()
            )
        } else if command.contains('\0') {
            "`command` has a NUL character in it, which no program can be given; write it as `\\0` for printf"
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

    /// `[bash: cargo test]`; of a longer command the first line that says something, and
    /// then `…`.
    fn summary(&self, args: &Value) -> String {
        let command = args["command"].as_str().unwrap_or_default().trim();
        let mut lines = command.lines();
        let first = lines.next().unwrap_or_default();
        let more = if lines.next().is_some() { " …" } else { "" };
        format!("[bash: {first}{more}]")
    }
}

/// Runs the command of `args` in its folder below `root`, for no longer than its timeout:
/// what it has written, and how it ended if that was not well. A folder in which nothing
/// can be run is an error result.
///
/// However the future goes, none of the command's processes is left behind.
pub async fn bash(root: &Path, args: &Value, pace: Pace) -> anyhow::Result<ToolResult> {
    let root = root.to_path_buf();
    let directory = args["directory"].as_str().unwrap_or(".").to_string();
    // A slow disk would hold up every task of this thread, so another one waits for it.
    let folder = tokio::task::spawn_blocking(move || folder(&root, &directory));
    let folder = match folder.await.context("the folder was not looked up")? {
        Ok(folder) => folder,
        Err(message) => return Ok(ToolResult::error(message)),
    };
    let limit = args["timeout"].as_f64().unwrap_or(TIMEOUT);
    let limit = Duration::from_secs_f64(limit.clamp(0.0, MAX_TIMEOUT));
    let shell = find_shell(&std::env::var_os("PATH").unwrap_or_default());
    let text = args["command"].as_str().unwrap_or_default();
    let run = Run::start(command(shell, text, &folder), pace)
        .with_context(|| format!("cannot start `{shell}`"))?;
    let finished = run.finish(limit).await.context("lost the command")?;
    Ok(finished.result(limit))
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
