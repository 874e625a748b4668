//! Prompts that tell the model about plan mode.

use super::{PLAN_ENDED, PLAN_NOTICE, PlanMode, PlanState};
use crate::types::Message;

/// The prompt as the model reads it: the user's text, and after an empty line the notice about plan
/// mode, if it needs one.
///
/// The notice is [`PLAN_NOTICE`] if plan mode is on, and [`PLAN_ENDED`] if it is off and the
/// history ends in it. `history` is the session's, without the prompt.
pub fn prompt_with_notice(prompt: &str, mode: &PlanMode, history: &[Message]) -> String {
    let notice = match mode.is_on() {
        true => PLAN_NOTICE,
        false if PlanState::from_messages(history).is_planning() => PLAN_ENDED,
        false => return prompt.to_string(),
    };
    format!("{prompt}\n\n{notice}")
}
