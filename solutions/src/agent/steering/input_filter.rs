//! What the user's words have to pass before they are let in.

use crate::agent::{AgentMessage, Message};

/// Looks at what the user says before any model does: a prompt, and what is said while a
/// loop runs.
pub trait InputFilter: Send + Sync {
    /// Whether the message may come in; otherwise the reason, which the user reads.
    fn check(&self, message: &Message) -> Result<(), String>;
}

/// Whether a message may come in, by its kind and then by every filter; the first that
/// objects decides.
///
/// Only a user's message and an extension are input. The other two would break the rule
/// that every call has one result: only the loop makes them. Filters see no extension,
/// since no model does. A filter that panics has not let anything in.
pub fn admit(filters: &[Box<dyn InputFilter>], input: &AgentMessage) -> Result<(), String> {
    match input.as_llm() {
        None => Ok(()),
        Some(message @ Message::User { .. }) => filters
            .iter()
            .try_for_each(|filter| checked(filter.as_ref(), message)),
        Some(message) => Err(format!(
            "a message of the role {} is no input; say it as the user, or as an extension",
            message.role()
        )),
    }
}

fn checked(filter: &dyn InputFilter, message: &Message) -> Result<(), String> {
    let check = std::panic::AssertUnwindSafe(|| filter.check(message));
    std::panic::catch_unwind(check).unwrap_or_else(|_| {
        Err("an input filter crashed, so the message was not let in".to_string())
    })
}
