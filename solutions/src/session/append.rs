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
        // Immediate: it waits for other writers now, before it has read anything. A
        // transaction that begins as a reader fails at once when it wants to write while
        // another process does.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some(session) = row_id(&transaction, cursor.session_id())? else {
            return Err(HistoryError::NotFound(cursor.session_id().into()));
        };
        let found = count_messages(&transaction, session)?;
        if found != cursor.position() {
            return Err(HistoryError::Conflict {
                known: cursor.position(),
                found,
            });
        }
        insert_messages(&transaction, session, found, messages)?;
        let reopen = "UPDATE sessions SET ended_at = NULL WHERE id = ?1 AND ended_at IS NOT NULL";
        transaction.prepare_cached(reopen)?.execute([session])?;
        transaction.commit()?;
        cursor.advance(messages.len());
        Ok(())
    }
}
