//! The tool `bash`, whose commands run in a sandbox.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;
use async_trait::async_trait;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Handle;

use super::{CommandClass, Sandbox, classify};
use crate::tools::shell::{ProcessGroup, RunningCommand, Timing};
use crate::tools::{BashTool, run_command};
use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// The line of a result that may be due to the sandbox.
pub const SANDBOX_NOTE: &str = "\
[the command ran in a sandbox: it can write only in the root folder and in $TMPDIR, and can't \
use the network; if it needs more, say so to the user]";

/// Like [`BashTool`], but every command runs in a [`Sandbox`], except those that are known to
/// use the network: they run only if the user agreed to that.
pub struct SandboxedBash {
    bash: BashTool,
    root: PathBuf,
    sandbox: Sandbox,
    temporary: TempDir,
}

impl SandboxedBash {
    /// The tool `bash` for commands in `root` or a folder below it. They may write in `root`
    /// and in a temporary folder, which is removed with the tool. The error says that the
    /// temporary folder can't be created.
    pub fn new(root: impl Into<PathBuf>) -> anyhow::Result<Self> {
        let root = root.into();
        let temporary = TempDir::new().context("cannot create a temporary folder")?;
        Ok(Self {
            bash: BashTool::new(&root),
            sandbox: Sandbox::new([root.clone(), temporary.path().to_path_buf()]),
            root,
            temporary,
        })
    }

    /// Runs a command in the sandbox with [`run_command`], with the temporary folder in the
    /// variable `TMPDIR`. Appends [`SANDBOX_NOTE`] to a result that has `Permission denied` or
    /// `Operation not permitted` in it.
    async fn run(&self, args: &Value) -> anyhow::Result<ToolResult> {
        let runtime = Handle::current();
        let start = |mut command: Command| {
            command.env("TMPDIR", self.temporary.path());
            let started = self.sandbox.run(|| {
                let _context = runtime.enter();
                ProcessGroup::start(command)
            });
            let (_, started) = started.context("cannot set up the sandbox")?;
            let (group, pipe) = started?;
            Ok(RunningCommand::new(group, pipe, Timing::default()))
        };
        let mut result = run_command(&self.root, args, start).await?;
        let refusals = ["Permission denied", "Operation not permitted"];
        if refusals.iter().any(|text| result.content.contains(text)) {
            result.content = format!("{}\n{SANDBOX_NOTE}", result.content);
        }
        Ok(result)
    }
}

#[async_trait]
impl Tool for SandboxedBash {
    fn definition(&self) -> &ToolDefinition {
        self.bash.definition()
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let command = args["command"].as_str().unwrap_or_default();
        match classify(command).class {
            CommandClass::Network => self.bash.call(args).await,
            _ => self.run(&args).await,
        }
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        self.bash.validate_input(args)
    }

    fn is_destructive(&self) -> bool {
        self.bash.is_destructive()
    }

    fn summary(&self, args: &Value) -> String {
        self.bash.summary(args)
    }
}
