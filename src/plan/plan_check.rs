//! What a plan must be like.

/// The longest plan, in bytes. A result with a plan of this size is not truncated, unless a gate
/// adds a long note.
pub const MAX_PLAN_BYTES: usize = 16 * 1024;

/// Checks the text of a plan. The error says what is wrong and what to do:
///
/// - ``` `plan` is empty; write the steps that you propose ``` for a text without anything but
///   whitespace;
/// - ``` `plan` has 20000 bytes, and the limit is 16384; leave out details ``` for a text that is
///   longer than [`MAX_PLAN_BYTES`].
pub fn check_plan(plan: &str) -> Result<(), String> {
    if plan.trim().is_empty() {
        return Err("`plan` is empty; write the steps that you propose".to_string());
    }
    if plan.len() > MAX_PLAN_BYTES {
        return Err(format!(
            "`plan` has {} bytes, and the limit is {MAX_PLAN_BYTES}; leave out details",
            plan.len()
        ));
    }
    Ok(())
}
