//! A decision about a call, with its source.

use crate::types::{Permission, PermissionBehavior, PermissionMode, PermissionSource};

/// Whether a call may run, and who decided so.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The decision, with the reason or the question.
    pub permission: Permission,
    /// The rule, mode, check or approval that decided.
    pub source: PermissionSource,
}

impl Decision {
    /// One sentence for the user: what happens to the call, and why.
    pub fn explain(&self) -> String {
        let outcome = match &self.permission {
            Permission::Allow => "runs",
            Permission::Deny(_) => "does not run",
            Permission::Ask(_) => "runs if you agree",
        };
        format!("The call {outcome}: {}.", explain_source(&self.source))
    }
}

/// Why the source decided, as the end of a sentence.
fn explain_source(source: &PermissionSource) -> String {
    match source {
        PermissionSource::Rule(rule) => {
            let behavior = match rule.behavior {
                PermissionBehavior::Allow => "allows",
                PermissionBehavior::Deny => "denies",
                PermissionBehavior::Ask => "asks about",
            };
            format!("the rule `{}` {behavior} it", rule.tool_pattern)
        }
        PermissionSource::Mode(mode) => match mode {
            PermissionMode::Default => {
                "no rule matches, and mode `default` allows only read-only tools"
            }
            PermissionMode::Auto => "no rule matches, and mode `auto` allows what can be undone",
            PermissionMode::Bypass => "mode `bypass` checks nothing",
            PermissionMode::Plan => "mode `plan` allows only read-only tools",
            PermissionMode::DontAsk => "mode `dont-ask` allows only what needs no question",
        }
        .to_string(),
        PermissionSource::Hook(name) => format!("the hook `{name}` decided so"),
        PermissionSource::Safety(name) => format!("the safety check `{name}` decided so"),
        PermissionSource::Session => "you approved it earlier in this session".to_string(),
    }
}
