//! Adding messages to a session.

use rusqlite::TransactionBehavior;

use super::rows::{count_messages, insert_messages, row_id};
use super::{Cursor, HistoryError, SessionHistory};
use crate::chat::ChatMessage;

impl SessionHistory {
    /// Appends messages to the cursor's session, all of them or none, and moves the cursor
    /// past them. A session that had ended is open again.
    ///
    /// If the session has more or fewer messages than the cursor's position, the error is
    /// [`Conflict`](HistoryError::Conflict): the messages answer a conversation that is not
    /// the stored one. After any error the cursor has not moved.
    pub fn append(
        &mut self,
        cursor: &mut Cursor,
        messages: &[ChatMessage],
    ) -> Result<(), HistoryError> {
        todo!("append-at-cursor: write SessionHistory::append")
    }
}
