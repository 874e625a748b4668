//! A position in a session.

/// A position in a session: the number of messages that its holder has seen. New messages are
/// appended there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    session_id: String,
    position: usize,
}

impl Cursor {
    /// The cursor of a program that has seen the first `position` messages.
    pub fn new(session_id: &str, position: usize) -> Self {
        Self {
            session_id: session_id.into(),
            position,
        }
    }

    /// The id of the session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The number of messages that the holder has seen.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Moves the cursor past `count` more messages.
    pub(super) fn advance(&mut self, count: usize) {
        self.position += count;
    }
}
