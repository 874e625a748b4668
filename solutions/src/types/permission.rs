//! The types that describe what a tool may do.
//!
//! They are only data. Chapter 10 builds the engine that decides, and chapter 21 the settings
//! that rules and the mode come from.

use serde::{Deserialize, Serialize};

/// The decision about one tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum Permission {
    /// Run the call without asking.
    Allow,
    /// Do not run the call, and give the model this reason.
    Deny(String),
    /// Ask the user this question and wait for the answer.
    Ask(String),
}

/// How strict the agent is as a whole.
///
/// In settings and on the command line, a mode is its name in lower case, with a hyphen between
/// words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PermissionMode {
    /// Ask about each call that no rule matches.
    Default,
    /// Also allow calls that can be undone. Ask about destructive ones.
    Auto,
    /// Check nothing, as in a test or a disposable container.
    Bypass,
    /// Allow only read-only tools.
    Plan,
    /// Deny each call that needs a question, because no user can answer.
    DontAsk,
}

/// What a [`PermissionRule`] does with the calls that it matches. In settings, its name in
/// lower case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PermissionBehavior {
    /// Run them.
    Allow,
    /// Deny them.
    Deny,
    /// Ask the user about each one.
    Ask,
}

/// One rule of a project's settings. Rules are tried in order, and the first that matches
/// decides, but a rule that denies is final wherever it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionRule {
    /// A pattern for calls: a glob for tool names, such as `"bash"` or `"mcp__*"`, or one with a
    /// target, such as `"edit(src/**)"`.
    pub tool_pattern: String,
    /// What to do with a call that matches.
    pub behavior: PermissionBehavior,
}

/// The source of a decision, which explains why a call was denied.
#[derive(Debug, Clone, PartialEq)]
pub enum PermissionSource {
    /// This rule matched.
    Rule(PermissionRule),
    /// This mode decided.
    Mode(PermissionMode),
    /// The hook with this name decided.
    Hook(String),
    /// The safety check with this name decided.
    Safety(String),
    /// The user approved the same operation earlier in the session.
    Session,
}
