//! The permission engine: mode, rules, approvals and checks, combined into one decision.

use std::sync::{Mutex, PoisonError};

use super::{
    Approval, Approvals, Assessment, Decision, Offer, Places, Question, Rules, SafetyCheck,
    decide_first, decide_last, offered_rule, question_text, without_questions,
};
use crate::tools::validate;
use crate::types::{
    Permission, PermissionBehavior, PermissionMode, PermissionSource, Tool, ToolCall,
    ValidationResult,
};

/// Decides about calls. It does not ask and runs nothing: that is the gate's work.
pub struct PermissionEngine {
    mode: PermissionMode,
    rules: Rules,
    checks: Vec<Box<dyn SafetyCheck>>,
    approvals: Mutex<Approvals>,
}

/// Builds a [`PermissionEngine`].
pub struct PermissionEngineBuilder {
    engine: PermissionEngine,
}

impl PermissionEngine {
    /// A builder with [`PermissionMode::Default`], these rules, and no checks or approvals.
    pub fn builder(rules: Rules) -> PermissionEngineBuilder {
        PermissionEngineBuilder {
            engine: Self {
                mode: PermissionMode::Default,
                rules,
                checks: Vec::new(),
                approvals: Mutex::default(),
            },
        }
    }

    /// Decides about a call of a tool. The same call, with the same approvals, has the same
    /// decision: nothing is asked, run or remembered.
    ///
    /// These sources are asked in order, and the first decision counts:
    ///
    /// 1. the mode, with [`decide_first`];
    /// 2. a rule that denies;
    /// 3. a check that forbids;
    /// 4. an approval of this session, which allows;
    /// 5. a rule that allows or asks;
    /// 6. a check that finds the call risky or harmless;
    /// 7. the mode, with [`decide_last`].
    ///
    /// At the end, [`without_questions`] turns a question into a refusal if the mode never asks.
    pub fn evaluate(&self, call: &ToolCall, tool: &dyn Tool) -> Decision {
        todo!("evaluate-calls: write PermissionEngine::evaluate")
    }

    /// Remembers that the user approved a call.
    pub fn approve(&self, approval: Approval, call: &ToolCall) {
        let mut approvals = self
            .approvals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        approvals.add(approval, call, self.places());
    }

    /// The question about a call: its text and what can be approved. No rule is offered for a
    /// call that a check finds risky, since it would not [cover](Self::evaluate) this call, and
    /// none for arguments that the tool's schema refuses: without its `command`, a call of `bash`
    /// looks like one that has a `path`.
    pub fn question(&self, call: &ToolCall, tool: &dyn Tool, text: String) -> Question {
        let is_valid = validate(tool.definition(), &call.arguments) == ValidationResult::Ok;
        let is_risky = is_question(&self.decide_by_check(call, tool));
        let rule = match is_valid && !is_risky {
            true => offered_rule(call, self.places()),
            false => None,
        };
        Question {
            call: call.clone(),
            text,
            offer: rule.map_or(Offer::ThisCall, Offer::ThisTool),
        }
    }

    /// The folders from which the paths of patterns and calls start.
    pub fn places(&self) -> &Places {
        self.rules.places()
    }

    /// The decision of the rule that [decides](Rules::decide), if there is one.
    fn decide_by_rule(&self, call: &ToolCall, tool: &dyn Tool) -> Option<Decision> {
        let rule = self.rules.decide(call)?;
        let permission = match rule.behavior {
            PermissionBehavior::Allow => Permission::Allow,
            PermissionBehavior::Ask => Permission::Ask(question_text(call, tool)),
            PermissionBehavior::Deny => Permission::Deny(format!(
                "the rule `{}` denies this call; do not look for another way to do the same, ask the user",
                rule.tool_pattern
            )),
        };
        let source = PermissionSource::Rule(rule.clone());
        Some(Decision { permission, source })
    }

    /// The decision of the strictest check that has one; of equally strict ones, the first.
    fn decide_by_check(&self, call: &ToolCall, tool: &dyn Tool) -> Option<Decision> {
        let mut strictest: Option<Decision> = None;
        for check in &self.checks {
            let permission = match check.assess(call, tool) {
                Assessment::Unknown => continue,
                Assessment::Harmless => Permission::Allow,
                Assessment::Risky(reason) => {
                    Permission::Ask(format!("{} {reason}", question_text(call, tool)))
                }
                Assessment::Forbidden(reason) => Permission::Deny(reason),
            };
            if strictest
                .as_ref()
                .is_none_or(|it| strictness(&permission) > strictness(&it.permission))
            {
                let source = PermissionSource::Safety(check.name().to_string());
                strictest = Some(Decision { permission, source });
            }
        }
        strictest
    }

    /// Allows a call that an approval [covers](Approvals::cover). If a check asks about the call,
    /// only an approval of [exactly](Approvals::cover_exactly) this call counts.
    fn decide_by_approval(&self, call: &ToolCall, by_check: &Option<Decision>) -> Option<Decision> {
        todo!("evaluate-calls: write PermissionEngine::decide_by_approval")
    }
}

/// The decision, if it denies.
fn denial(decision: &Option<Decision>) -> Option<Decision> {
    let denies = |it: &Decision| matches!(it.permission, Permission::Deny(_));
    decision.clone().filter(denies)
}

/// Whether the decision is a question.
fn is_question(decision: &Option<Decision>) -> bool {
    let permission = decision.as_ref().map(|it| &it.permission);
    matches!(permission, Some(Permission::Ask(_)))
}

/// The order of decisions from the mildest to the strictest.
fn strictness(permission: &Permission) -> u8 {
    match permission {
        Permission::Allow => 0,
        Permission::Ask(_) => 1,
        Permission::Deny(_) => 2,
    }
}

impl PermissionEngineBuilder {
    /// Sets the mode.
    pub fn mode(mut self, mode: PermissionMode) -> Self {
        self.engine.mode = mode;
        self
    }

    /// Adds a safety check.
    pub fn check(mut self, check: impl SafetyCheck + 'static) -> Self {
        self.engine.checks.push(Box::new(check));
        self
    }

    /// The engine.
    pub fn build(self) -> PermissionEngine {
        self.engine
    }
}
