//! Filters for the user's input.

use crate::agent::{AgentMessage, Message};

/// Checks the user's input before the model sees it: prompts, steering and follow-ups.
pub trait InputFilter: Send + Sync {
    /// Accepts the message, or returns the reason for the rejection, which the user sees.
    fn check(&self, message: &Message) -> Result<(), String>;
}

/// Checks a message's kind and then every filter in order. The first rejection decides.
///
/// Only user messages and extensions are input. Assistant messages and tool results are
/// rejected, since only the loop may add them: every call must have exactly one result.
/// Filters do not see extensions, because the model does not either. A filter that panics
/// rejects the message.
pub fn admit(filters: &[Box<dyn InputFilter>], input: &AgentMessage) -> Result<(), String> {
    todo!("steering-and-filters: write admit")
}

/// Asks one filter. A filter that panics rejects the message.
fn checked(filter: &dyn InputFilter, message: &Message) -> Result<(), String> {
    todo!("steering-and-filters: write checked")
}
