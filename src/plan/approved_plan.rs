//! The text that says which plan the user has approved.

/// The text before the length of the plan.
const BEFORE_LENGTH: &str = "The user approved this plan of ";

/// The text between the length of the plan and the plan.
const AFTER_LENGTH: &str = " bytes. Plan mode is over: carry out the plan.\n\n";

/// The result of a call of `exit_plan` whose plan the user approved: a line with the length of the
/// plan in bytes, an empty line, and the plan.
pub fn approval_text(plan: &str) -> String {
    todo!("approved-plan: write approval_text")
}

/// The plan in a text of [`approval_text`], even if other text follows it. `None` if the text is
/// another one, or shorter than its length says.
pub fn approved_plan(text: &str) -> Option<String> {
    todo!("approved-plan: write approved_plan")
}
