//! `claw permissions explain`: what would happen to a call, and why.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::PermissionOptions;
use crate::claw::output::print;
use crate::permission::exact_rule;
use crate::tools::Registry;
use crate::types::{Permission, PermissionSource, ToolCall};

/// The subcommands of `claw permissions`.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum PermissionsCommand {
    /// Say what would happen to a call, and why; the call does not run
    Explain(ExplainOptions),
}

/// A call that is not made.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ExplainOptions {
    /// The tool, such as bash or edit
    #[arg(value_name = "TOOL")]
    tool: String,
    /// The command for bash, the path for any other tool
    #[arg(value_name = "COMMAND OR PATH", allow_hyphen_values = true)]
    target: Option<String>,
    #[command(flatten)]
    permissions: PermissionOptions,
}

/// Runs a subcommand of `claw permissions`.
pub fn run(command: &PermissionsCommand) -> Result<ExitCode> {
    let PermissionsCommand::Explain(options) = command;
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let tools = Registry::standard(&folder)?;
    let Some(tool) = tools.get(&options.tool) else {
        bail!(
            "there is no tool `{}`; the tools are {}",
            options.tool,
            tools.names().join(", ")
        );
    };
    let key = if options.tool == "bash" {
        "command"
    } else {
        "path"
    };
    let call = ToolCall {
        id: String::new(),
        name: options.tool.clone(),
        arguments: match &options.target {
            Some(target) => json!({ key: target }),
            None => json!({}),
        },
    };
    let engine = options.permissions.engine(&folder)?;
    let decision = engine.evaluate(&call, tool);
    let mut text = decision.explain();
    if let PermissionSource::Safety(_) = decision.source {
        match &decision.permission {
            Permission::Ask(question) => text += &format!("\nThe question: {question}"),
            Permission::Deny(reason) => text += &format!("\nThe reason: {reason}"),
            Permission::Allow => {}
        }
    }
    let rule = exact_rule(&call, engine.places());
    if let (Permission::Ask(_), Some(rule)) = (&decision.permission, rule) {
        text += &format!("\nTo run it without a question: --allow '{rule}'");
    }
    Ok(print(&format!("{text}\n")))
}
