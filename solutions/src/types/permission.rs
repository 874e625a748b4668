//! The words in which the agent says what a tool may do.
//!
//! Only data: chapter 10 builds the engine that decides.

/// What becomes of one tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum Permission {
    /// Carry it out without asking.
    Allow,
    /// Do not carry it out; the model is told this reason.
    Deny(String),
    /// Ask the user with this question, and wait for the answer.
    Ask(String),
}

/// How careful the agent is as a whole.
#[derive(Debug, Clone, PartialEq)]
pub enum PermissionMode {
    /// Ask about whatever no rule speaks of.
    Default,
    /// Allow what the safety checks find harmless.
    Auto,
    /// Check nothing, as in a test or a throw-away container.
    Bypass,
    /// Allow read-only tools and nothing else.
    Plan,
    /// Deny whatever would otherwise be asked about: nobody is there to answer.
    DontAsk,
}

/// What a [`PermissionRule`] does with the calls that it matches.
#[derive(Debug, Clone, PartialEq)]
pub enum PermissionBehavior {
    /// Carry them out.
    Allow,
    /// Refuse them.
    Deny,
    /// Ask the user about each.
    Ask,
}

/// One line of a project's settings. Rules are tried in order; the first that
/// matches decides.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionRule {
    /// A glob over tool names, such as `"bash"` or `"mcp__*"`.
    pub tool_pattern: String,
    /// What to do with a call that matches.
    pub behavior: PermissionBehavior,
}

/// Who made a decision, so that a call refused by surprise can be explained.
#[derive(Debug, Clone, PartialEq)]
pub enum PermissionSource {
    /// This rule matched.
    Rule(PermissionRule),
    /// The mode settled it.
    Mode(PermissionMode),
    /// The hook of this name answered.
    Hook(String),
    /// The safety check of this name objected.
    Safety(String),
    /// The user had approved the same operation earlier in the session.
    Session,
}
