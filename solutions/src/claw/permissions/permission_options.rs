//! The mode and the rules of the command line.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::claw::output::report;
use crate::claw::safe_text::without_control_chars;
use crate::permission::{PermissionEngine, Places, RuleLayer, Rules};
#[cfg(all(unix, feature = "ch11"))]
use crate::safety::{CommandCheck, CommandClass, PathCheck, Sandbox, SandboxLevel};
use crate::types::{PermissionBehavior, PermissionMode, PermissionRule};

/// The options that say which calls run.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct PermissionOptions {
    /// What happens to calls that no rule decides: `default` asks about what is not read-only,
    /// `auto` only about what can't be undone, `plan` refuses what is not read-only,
    /// `dont-ask` refuses instead of asking, `bypass` runs everything
    #[arg(long, value_name = "MODE", value_parser = parse_mode)]
    pub permission_mode: Option<PermissionMode>,
    /// Run these calls without asking: a tool, such as `edit`, or what it touches, such as
    /// `bash(git status *)` or `edit(src/**)`; may be given several times
    #[arg(long, value_name = "RULE")]
    pub allow: Vec<String>,
    /// Never run these calls, whatever allows them; may be given several times
    #[arg(long, value_name = "RULE")]
    pub deny: Vec<String>,
    /// Run commands without the sandbox, which lets them write only in this folder and in a
    /// temporary one, and keeps them off the network unless you are asked about it. Mode
    /// `bypass` has no sandbox
    #[cfg(all(unix, feature = "ch11"))]
    #[arg(long)]
    pub no_sandbox: bool,
}

impl PermissionOptions {
    /// The engine that decides as these options say, for the folder `folder`. A rule that can't be
    /// read is an error.
    pub fn engine(&self, folder: &Path) -> Result<PermissionEngine> {
        self.engine_in(self.mode(), folder)
    }

    /// The engine for a session in `folder`.
    pub fn session_engine(&self, folder: &Path) -> Result<PermissionEngine> {
        self.engine_in(self.session_mode(), folder)
    }

    /// The mode of a session's engine. From chapter 13 on, plan mode is a gate of its own, and
    /// the mode beneath it is `default`.
    pub fn session_mode(&self) -> PermissionMode {
        match self.mode() {
            PermissionMode::Plan if cfg!(feature = "ch13") => PermissionMode::Default,
            mode => mode,
        }
    }

    /// The engine with this mode.
    fn engine_in(&self, mode: PermissionMode, folder: &Path) -> Result<PermissionEngine> {
        let mut rules = Rules::new(Places {
            workspace: folder.to_path_buf(),
            home: std::env::home_dir().filter(|home| home.is_absolute()),
        });
        let behaviors = [
            (PermissionBehavior::Deny, &self.deny),
            (PermissionBehavior::Allow, &self.allow),
        ];
        for (behavior, patterns) in behaviors {
            for pattern in patterns {
                let rule = PermissionRule {
                    tool_pattern: pattern.clone(),
                    behavior: behavior.clone(),
                };
                rules.add(RuleLayer::Flags, rule)?;
            }
        }
        #[cfg(all(unix, feature = "ch11"))]
        let paths = PathCheck::new(rules.places().clone());
        let engine = PermissionEngine::builder(rules).mode(mode);
        #[cfg(all(unix, feature = "ch11"))]
        let engine = engine
            .check(CommandCheck::new(paths.clone()).harmless(self.harmless_commands()))
            .check(paths);
        Ok(engine.build())
    }

    /// Reports each rule that names a tool that is not in `tools`, since the rule never has an
    /// effect. A name with wildcards, such as `mcp__*`, may match nothing.
    pub fn report_unknown_tools(&self, tools: &[&str]) {
        for rule in self.allow.iter().chain(&self.deny) {
            // As `CallPattern::parse` reads it. It refuses an empty name.
            let name = rule.split('(').next().unwrap_or(rule).trim();
            let is_pattern = name.contains(['*', '?', '[', '{', '\\']);
            if !name.is_empty() && !is_pattern && !tools.contains(&name) {
                report(format!(
                    "the rule `{rule}` has no effect: there is no tool `{name}`; the tools are {}",
                    tools.join(", ")
                ));
            }
        }
    }

    /// The mode in force, the rules and the sandbox, for the user.
    pub fn description(&self, mode: &PermissionMode) -> String {
        let mode = serde_json::to_value(mode).unwrap_or_default();
        let mut lines = vec![format!("mode: {}", mode.as_str().unwrap_or_default())];
        for (name, rules) in [("allowed", &self.allow), ("denied", &self.deny)] {
            let rules = if rules.is_empty() {
                "nothing by a rule".into()
            } else {
                rules.join(", ")
            };
            lines.push(format!("{name}: {rules}"));
        }
        #[cfg(all(unix, feature = "ch11"))]
        lines.push(match self.sandbox_level() {
            SandboxLevel::None => "commands run without a sandbox".into(),
            _ => "commands run in a sandbox".to_string(),
        });
        lines.push("The options --permission-mode, --allow and --deny change this.".into());
        without_control_chars(&lines.join("\n"))
    }

    /// The mode that the options ask for.
    pub fn mode(&self) -> PermissionMode {
        self.permission_mode
            .clone()
            .unwrap_or(PermissionMode::Default)
    }

    /// The worst class of commands that run without a question. In mode `auto`, a command may
    /// write what it names, but only if the sandbox holds it to this folder.
    #[cfg(all(unix, feature = "ch11"))]
    fn harmless_commands(&self) -> CommandClass {
        match self.mode() == PermissionMode::Auto && self.sandbox_level() != SandboxLevel::None {
            true => CommandClass::Writes,
            false => CommandClass::ReadOnly,
        }
    }

    /// Whether commands should run in the sandbox.
    #[cfg(all(unix, feature = "ch11"))]
    pub fn wants_sandbox(&self) -> bool {
        !self.no_sandbox && self.mode() != PermissionMode::Bypass
    }

    /// What the sandbox forbids to commands; [`SandboxLevel::None`] if they run without one.
    #[cfg(all(unix, feature = "ch11"))]
    pub fn sandbox_level(&self) -> SandboxLevel {
        match self.wants_sandbox() {
            true => Sandbox::level(),
            false => SandboxLevel::None,
        }
    }
}

/// Parses a mode by the name that it has in settings.
fn parse_mode(name: &str) -> Result<PermissionMode, String> {
    serde_json::from_value(name.into())
        .map_err(|_| "expected default, auto, plan, dont-ask or bypass".to_string())
}
