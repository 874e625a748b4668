//! The permission engine: it decides whether a call runs, and can say why.
//!
//! [`CallPattern`] matches calls, [`Rules`] picks the rule that decides, [`Approvals`] remembers
//! what the user allowed in this session, and [`PermissionEngine::evaluate`] combines them
//! with the mode. [`PermissionGate`] applies the decision to the calls of chapter 4's engine,
//! and asks the user through an [`Approver`].

mod approval;
mod approver;
mod call_pattern;
mod command_words;
mod decision;
mod engine;
mod gate;
mod mode;
mod path_pattern;
mod rules;
mod safety_check;

pub use approval::{Approval, Approvals, exact_rule, offered_rule};
pub use approver::{Answer, Approver, NoApprover, Offer, Question, ScriptedApprover};
pub use call_pattern::CallPattern;
pub use command_words::{Certainty, possible_commands, simple_words, words_match};
pub use decision::Decision;
pub use engine::{PermissionEngine, PermissionEngineBuilder};
pub use gate::{PermissionGate, refusal};
pub use mode::{
    NOBODY_TO_ASK, ONLY_READING, decide_first, decide_last, question_text, without_questions,
};
pub use path_pattern::{PathPattern, Places};
pub use rules::{RuleLayer, Rules};
pub use safety_check::{Assessment, SafetyCheck};
