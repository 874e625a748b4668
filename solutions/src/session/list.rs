//! Which sessions there are.

use chrono::{DateTime, Utc};

use super::history::time;
use super::{HistoryError, SessionHistory};

/// What a list shows of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The session.
    pub session_id: String,
    /// The model that it began with.
    pub model: String,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How many messages it has.
    pub messages: usize,
    /// The text of the user's first message; `None` if there is none, or it has no text.
    pub opening: Option<String>,
}

impl SessionHistory {
    /// All sessions: the one with the newest message first, those without messages last,
    /// and of equals the one that was stored last.
    pub fn list(&self) -> Result<Vec<Summary>, HistoryError> {
        let mut statement = self.connection.prepare(
            "SELECT session_id, model, started_at, count(messages.id),
                    (SELECT message ->> 'content' FROM messages AS first
                     WHERE first.session = sessions.id AND message ->> 'role' = 'user'
                     ORDER BY first.position LIMIT 1)
             FROM sessions LEFT JOIN messages ON messages.session = sessions.id
             GROUP BY sessions.id
             ORDER BY max(messages.id) DESC NULLS LAST, sessions.id DESC",
        )?;
        let mut rows = statement.query([])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(Summary {
                session_id: row.get(0)?,
                model: row.get(1)?,
                started_at: time(&row.get::<_, String>(2)?)?,
                messages: row.get::<_, i64>(3)? as usize,
                opening: row.get(4)?,
            });
        }
        Ok(list)
    }
}
