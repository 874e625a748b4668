//! Saves a conversation as a session.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use chrono::DateTime;

use super::resumed_session::{ResumedSession, agent_messages};
use super::session_store::{self, NO_SESSIONS, explain, find, short_id};
use crate::agent::{AgentMessage, Message, Usage, now_ms, repair_history};
use crate::chat::ChatMessage;
use crate::claw::data_dir::create_parent;
use crate::session::{Cursor, HistoryError, Session, SessionHistory};

/// Saves each message of one conversation, as soon as it is complete.
///
/// The database is opened for the first message, so a conversation without one leaves no file.
/// The methods block, as those of [`SessionHistory`] do.
pub struct SessionWriter {
    /// `None` when nothing is saved: by the user's choice, or because the database cannot be
    /// opened.
    database: Option<PathBuf>,
    history: Option<SessionHistory>,
    /// The session, without its messages.
    session: Session,
    /// `None` until the session is stored.
    cursor: Option<Cursor>,
    /// Messages that are not stored yet.
    pending: Vec<ChatMessage>,
    /// Whether the database has been busy for the whole of a timeout. From then on the timeout
    /// is short, since every message would wait again.
    was_busy: bool,
    /// The error message that was returned last. The same one is not returned twice in a row.
    last_error: String,
}

impl SessionWriter {
    /// Starts a session with the model of this name. Without a database nothing is saved.
    pub fn new(database: Option<PathBuf>, model: &str) -> Self {
        Self {
            database,
            history: None,
            session: Session::new(AGENT, model),
            cursor: None,
            pending: Vec::new(),
            was_busy: false,
            last_error: String::new(),
        }
    }

    /// Resumes the session that [`find`] finds. If it was interrupted, the lost results of its
    /// last tool calls get placeholders, which are stored.
    pub fn resume(database: PathBuf, id_prefix: Option<&str>) -> Result<(Self, ResumedSession)> {
        if !session_store::exists(&database)? {
            bail!(NO_SESSIONS);
        }
        let explained = |error| explain(error, &database);
        let mut history = session_store::open(&database)?;
        let id = find(&history, &database, id_prefix)?;
        let (mut session, mut cursor) = history.resume(&id).map_err(explained)?;
        let stored: Vec<AgentMessage> = std::mem::take(&mut session.messages)
            .iter()
            .flat_map(agent_messages)
            .collect();
        let mut messages = stored.clone();
        let lost_results = repair_history(&mut messages, now_ms());
        // An interruption loses results at the end. Placeholders anywhere else are made anew
        // with each resume, since nothing can be inserted between stored messages.
        if messages.starts_with(&stored) {
            let added = messages[stored.len()..].iter();
            let added = added.filter_map(|it| it.as_llm()).map(ChatMessage::from);
            let added: Vec<ChatMessage> = added.collect();
            history.append(&mut cursor, &added).map_err(explained)?;
        }
        let resumed = ResumedSession {
            session_id: session.session_id.clone(),
            started_at: session.started_at,
            messages,
            lost_results,
        };
        let writer = Self {
            database: Some(database),
            history: Some(history),
            session,
            cursor: Some(cursor),
            pending: Vec::new(),
            was_busy: false,
            last_error: String::new(),
        };
        Ok((writer, resumed))
    }

    /// The session's id. It changes when the session continues as a branch.
    pub fn session_id(&self) -> &str {
        &self.session.session_id
    }

    /// The id of the stored session; `None` if nothing is stored.
    pub fn saved_id(&self) -> Option<&str> {
        self.cursor.as_ref().map(Cursor::session_id)
    }

    /// Stores a message. If it returns `None`, the message survives the end of this process.
    /// Otherwise the text is for the user, and messages that could not be stored are stored
    /// together with the next one.
    pub fn write(&mut self, message: &Message) -> Option<String> {
        self.database.as_ref()?;
        self.pending.push(message.into());
        let error = match self.store_pending() {
            Ok(note) => return note,
            Err(error) if self.database.is_none() => error.context(NOT_SAVED),
            Err(error) => error.context("not saved yet"),
        };
        let error = format!("{error:#}");
        let is_new = error != self.last_error;
        self.last_error.clone_from(&error);
        is_new.then_some(error)
    }

    /// Stores the pending messages, as a last attempt. The text, if any, is for the user: the
    /// session continues as a branch. The error names the messages that are not saved.
    pub fn flush(&mut self) -> Result<Option<String>> {
        let lost = match (&self.cursor, self.pending.len()) {
            (_, 0) => return Ok(None),
            (None, _) => NOT_SAVED.to_string(),
            (Some(_), 1) => "the last message of this conversation is not saved".to_string(),
            (Some(_), count) => {
                format!("the last {count} messages of this conversation are not saved")
            }
        };
        self.store_pending().context(lost)
    }

    /// Stores that the conversation has ended, and what it cost since it was resumed. Returns
    /// whether there is a session to resume.
    pub fn finish(&mut self, usage: &Usage) -> Result<bool> {
        let (Some(history), Some(database), Some(_)) =
            (&mut self.history, &self.database, &self.cursor)
        else {
            return Ok(false);
        };
        let usage = self.session.total_usage().combine(usage);
        let now = DateTime::from_timestamp_millis(now_ms() as i64);
        let id = &self.session.session_id;
        let finished = history.finish(id, now.unwrap_or_default(), Some(&usage));
        finished.map_err(|error| explain(error, database))?;
        Ok(true)
    }

    /// Stores the pending messages, unless nothing is saved. The text, if any, is for the user.
    fn store_pending(&mut self) -> Result<Option<String>> {
        let Some(database) = self.database.clone() else {
            return Ok(None);
        };
        self.open_history(&database)?;
        let stored = self.append_pending();
        match &stored {
            Ok(_) => self.pending.clear(),
            Err(HistoryError::Busy) => self.shorten_timeout(),
            Err(_) => {}
        }
        stored.map_err(|error| explain(error, &database))
    }

    /// Opens the history, unless it is open. An error other than `Busy` turns saving off: a
    /// session that lacks the beginning of its conversation would be of no use.
    fn open_history(&mut self, database: &Path) -> Result<()> {
        if self.history.is_some() {
            return Ok(());
        }
        if self.was_busy {
            return Err(explain(HistoryError::Busy, database));
        }
        let error = match create_parent(database).map(|()| SessionHistory::open(database)) {
            Ok(Ok(history)) => {
                self.history = Some(history);
                return Ok(());
            }
            Ok(Err(HistoryError::Busy)) => {
                self.shorten_timeout();
                return Err(explain(HistoryError::Busy, database));
            }
            Ok(Err(error)) => explain(error, database),
            Err(error) => error,
        };
        self.database = None;
        self.pending.clear();
        Err(error)
    }

    fn shorten_timeout(&mut self) {
        self.was_busy = true;
        if let Some(history) = &self.history {
            // If this fails, the next call waits for the long timeout again.
            let _ = history.set_busy_timeout(SHORT_TIMEOUT);
        }
    }

    /// Appends the pending messages to the session. If another process has continued the
    /// session meanwhile, they go into a branch, and the text says so.
    fn append_pending(&mut self) -> Result<Option<String>, HistoryError> {
        let Some(history) = &mut self.history else {
            return Ok(None);
        };
        let Some(cursor) = &mut self.cursor else {
            let session = Session {
                messages: self.pending.clone(),
                ..self.session.clone()
            };
            self.cursor = Some(history.create(&session)?);
            return Ok(None);
        };
        match history.append(cursor, &self.pending) {
            Err(HistoryError::Conflict { .. }) => {}
            stored => return stored.map(|()| None),
        }
        let (session, mut branch) = history.branch(cursor.session_id(), cursor.position())?;
        history.append(&mut branch, &self.pending)?;
        *cursor = branch;
        self.session = Session {
            messages: Vec::new(),
            // The branch contains the replies from before the resume, so it counts their usage.
            usage: self.session.usage,
            ..session
        };
        Ok(Some(format!(
            "another process continues this session; from here on it is saved as {}",
            short_id(&self.session.session_id)
        )))
    }
}

/// The timeout after the database was busy: enough for another process's commit.
const SHORT_TIMEOUT: Duration = Duration::from_millis(50);

const NOT_SAVED: &str = "this conversation is not saved";

/// The agent's name in its sessions.
const AGENT: &str = "claw";
