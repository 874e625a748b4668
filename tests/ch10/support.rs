//! Helpers for the tests of chapter 10, The Permission Engine.
//!
//! No test asks a user or touches a file: patterns and calls are text, and answers come from a
//! script.

use std::path::PathBuf;
use std::sync::Arc;

use claw_code::permission::*;
use claw_code::tools::DynamicTool;
use claw_code::types::*;
use globset::{Glob, GlobMatcher};
use serde_json::{Value, json};

/// A workspace and a home folder that need not exist.
pub fn places() -> Places {
    Places {
        workspace: PathBuf::from("/work/app"),
        home: Some(PathBuf::from("/home/ada")),
    }
}

/// A call with these arguments.
pub fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".into(),
        name: tool.into(),
        arguments,
    }
}

/// A call of `bash` with this command.
pub fn bash(command: &str) -> ToolCall {
    call("bash", json!({ "command": command }))
}

/// A call of `edit` for this path.
pub fn edit(path: &str) -> ToolCall {
    call("edit", json!({ "path": path }))
}

/// A tool without flags: it changes things, and that can be undone. It accepts a `command` and a
/// `path`.
pub fn tool(name: &str) -> DynamicTool {
    let text = json!({ "type": "string" });
    let schema = json!({ "type": "object", "properties": { "command": text, "path": text } });
    DynamicTool::new(name, "A tool for a test", schema, |_| async {
        Ok(ToolResult::text("ran"))
    })
}

/// Words, as texts of their own.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// A glob for each word of a pattern.
pub fn word_globs(pattern: &str) -> Vec<GlobMatcher> {
    let globs = pattern.split_whitespace().map(Glob::new);
    globs
        .map(|glob| glob.expect("a valid glob").compile_matcher())
        .collect()
}

/// A pattern of [`places`].
pub fn pattern(text: &str) -> CallPattern {
    CallPattern::parse(text, &places()).unwrap_or_else(|error| panic!("`{text}`: {error:#}"))
}

/// A rule.
pub fn rule(behavior: PermissionBehavior, tool_pattern: &str) -> PermissionRule {
    PermissionRule {
        tool_pattern: tool_pattern.into(),
        behavior,
    }
}

/// A rule that allows.
pub fn allow(tool_pattern: &str) -> PermissionRule {
    rule(PermissionBehavior::Allow, tool_pattern)
}

/// A rule that denies.
pub fn deny(tool_pattern: &str) -> PermissionRule {
    rule(PermissionBehavior::Deny, tool_pattern)
}

/// A rule that asks.
pub fn ask(tool_pattern: &str) -> PermissionRule {
    rule(PermissionBehavior::Ask, tool_pattern)
}

/// Rules of several layers.
pub fn rules(layers: impl IntoIterator<Item = (RuleLayer, PermissionRule)>) -> Rules {
    let mut rules = Rules::new(places());
    for (layer, rule) in layers {
        rules.add(layer, rule).expect("a valid rule");
    }
    rules
}

/// Rules of one layer.
pub fn project_rules(list: impl IntoIterator<Item = PermissionRule>) -> Rules {
    rules(list.into_iter().map(|rule| (RuleLayer::Project, rule)))
}

/// An engine with a mode and the rules of one layer.
pub fn engine(
    mode: PermissionMode,
    list: impl IntoIterator<Item = PermissionRule>,
) -> PermissionEngine {
    PermissionEngine::builder(project_rules(list))
        .mode(mode)
        .build()
}

/// A check that says the same about every call.
pub struct FixedCheck(pub Assessment);

impl SafetyCheck for FixedCheck {
    fn name(&self) -> &str {
        "fixed"
    }

    fn assess(&self, _call: &ToolCall, _tool: &dyn Tool) -> Assessment {
        self.0.clone()
    }
}

/// The permission without its text: `allow`, `ask` or `deny`.
pub fn outcome(decision: &Decision) -> &'static str {
    match decision.permission {
        Permission::Allow => "allow",
        Permission::Ask(_) => "ask",
        Permission::Deny(_) => "deny",
    }
}

/// A gate in mode `default` with these rules, and the approver that answers its questions.
pub fn gate(
    list: impl IntoIterator<Item = PermissionRule>,
    answers: impl IntoIterator<Item = Answer>,
) -> (PermissionGate, Arc<ScriptedApprover>) {
    let approver = Arc::new(ScriptedApprover::new(answers));
    let engine = Arc::new(engine(PermissionMode::Default, list));
    (PermissionGate::new(engine, approver.clone()), approver)
}
