//! The thoughts that a server sent, to check those that clients return.

use crate::request_error::RequestError;
use crate::thought::{ReturnedThought, Thought};
use crate::thought_signature::verify;

/// What a server remembers of the thoughts that it sent. A thought that the rule model
/// signed needs no entry here, so only scripted thoughts take memory.
#[derive(Default)]
pub(super) struct SentThoughts {
    has_sent_any: bool,
    scripted: Vec<Thought>,
}

impl SentThoughts {
    /// Records the thoughts of a reply.
    pub(super) fn record(&mut self, thoughts: Vec<Thought>) {
        self.has_sent_any |= !thoughts.is_empty();
        let scripted = thoughts.into_iter().filter(|it| verify(it).is_none());
        self.scripted.extend(scripted);
    }

    /// Checks that returned thoughts are unchanged. Thoughts with the rule model's signature
    /// are checked by it, whichever process sent them. A server that has sent no thought
    /// accepts all others: it can't check the signatures of another server.
    pub(super) fn check(&self, returned: &[ReturnedThought]) -> Result<(), RequestError> {
        let is_unchanged = |thought: &Thought| {
            verify(thought).unwrap_or_else(|| {
                !self.has_sent_any || self.scripted.iter().any(|sent| thought.matches(sent))
            })
        };
        match returned.iter().find(|it| !is_unchanged(&it.thought)) {
            Some(changed) => Err(RequestError::new(format!(
                "{}: the server did not send this thought; return thoughts unchanged",
                changed.path
            ))),
            None => Ok(()),
        }
    }
}
