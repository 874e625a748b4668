//! The answer of a hook: its published JSON, and what several answers say together.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::tools::truncate;

/// The longest context or reason of one hook, in bytes. Of a longer one, the head and the tail are
/// kept.
pub const MAX_CONTEXT_BYTES: usize = 10_000;

/// The reason of a hook that denies or asks and gives no reason.
pub const NO_REASON: &str = "the hook gave no reason";

/// The decision of a hook.
#[derive(Debug, Clone, PartialEq)]
pub enum HookDecision {
    /// The hook agrees.
    Allow,
    /// The user must be asked, with this text.
    Ask(String),
    /// It must not happen, for this reason.
    Deny(String),
}

/// What a hook answered, or several hooks together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HookAnswer {
    /// The decision; `None` if the hook has no opinion.
    pub decision: Option<HookDecision>,
    /// The arguments that replace those of the call, as [`published_input`](super::published_input)
    /// has them.
    pub updated_input: Option<Map<String, Value>>,
    /// Texts for the model.
    pub context: Vec<String>,
    /// Texts for the user.
    pub messages: Vec<String>,
    /// Why the agent must stop, for the user; `None` if it may continue.
    pub stop: Option<String>,
}

/// The answer as a hook writes it. Unknown fields are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PublishedAnswer {
    #[serde(rename = "continue")]
    may_continue: Option<bool>,
    stop_reason: Option<String>,
    system_message: Option<String>,
    decision: Option<PublishedDecision>,
    reason: Option<String>,
    hook_specific_output: Option<SpecificOutput>,
}

/// The part of an answer that belongs to one kind of event.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpecificOutput {
    permission_decision: Option<PublishedDecision>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Map<String, Value>>,
    additional_context: Option<String>,
}

/// A decision as a hook writes it. The aliases are those of the field `decision`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PublishedDecision {
    #[serde(alias = "approve")]
    Allow,
    Ask,
    #[serde(alias = "block")]
    Deny,
}

impl HookDecision {
    /// A denial with this reason, or [`NO_REASON`] if it is empty.
    pub fn deny(reason: String) -> Self {
        Self::Deny(match reason.is_empty() {
            true => NO_REASON.to_string(),
            false => reason,
        })
    }
}

/// The text, truncated to [`MAX_CONTEXT_BYTES`].
pub fn bounded(text: &str) -> String {
    truncate(text, MAX_CONTEXT_BYTES).into_owned()
}

/// Reads the JSON of an answer.
///
/// - The decision is `permissionDecision` of `hookSpecificOutput`, or else `decision`. Its reason
///   is `permissionDecisionReason`, or else `reason`, or else [`NO_REASON`].
/// - `updatedInput` and `additionalContext` are also fields of `hookSpecificOutput`. An empty
///   context adds nothing.
/// - `systemMessage` is a message for the user.
/// - If `continue` is false, the agent stops, for the reason `stopReason` or else [`NO_REASON`].
///
/// All of these texts are [`bounded`]. The error begins with `its answer is not valid: ` and says
/// where it is wrong.
pub fn parse_answer(json: &str) -> Result<HookAnswer, String> {
    todo!("hook-answers: write parse_answer")
}

/// The order of decisions, from 0 for none over allow and ask to 3 for deny.
pub fn strictness(decision: &Option<HookDecision>) -> u8 {
    match decision {
        None => 0,
        Some(HookDecision::Allow) => 1,
        Some(HookDecision::Ask(_)) => 2,
        Some(HookDecision::Deny(_)) => 3,
    }
}

impl HookAnswer {
    /// An answer that only adds this text for the model, truncated to [`MAX_CONTEXT_BYTES`]. An
    /// empty text adds nothing.
    pub fn with_context(text: &str) -> Self {
        let context = match text {
            "" => Vec::new(),
            text => vec![bounded(text)],
        };
        Self {
            context,
            ..Self::default()
        }
    }

    /// An answer that only has this text for the user.
    pub fn with_message(text: String) -> Self {
        Self {
            messages: vec![text],
            ..Self::default()
        }
    }

    /// The contexts with an empty line between them; `None` if there are none.
    pub fn joined_context(&self) -> Option<String> {
        (!self.context.is_empty()).then(|| self.context.join("\n\n"))
    }

    /// One answer from the answers of several hooks, in their order. The strictest decision
    /// counts, and of equally strict ones the first. The texts of all are kept. The first reason
    /// to stop counts. If several hooks rewrite the arguments, the last one counts, since no
    /// hook has seen what another one wrote.
    pub fn combine(answers: impl IntoIterator<Item = HookAnswer>) -> Self {
        todo!("strictest-answer: write HookAnswer::combine")
    }
}
