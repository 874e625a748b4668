//! A conversation on its way into the history.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::archive::{self, NONE_YET, explained, find, short};
use super::flat::{to_chat, to_messages};
use super::place::make_room;
use crate::agent::{AgentMessage, Message, Usage, mend_messages, now_ms};
use crate::chat::ChatMessage;
use crate::session::{Cursor, HistoryError, Session, SessionHistory};

/// Keeps each message of one conversation.
///
/// The database is opened for the first message: who only looks leaves nothing behind. It
/// blocks, as the history does.
pub struct Keeper {
    /// `None` when nothing is kept, by wish or because it can't be.
    database: Option<PathBuf>,
    history: Option<SessionHistory>,
    /// What it is kept as, without its messages.
    session: Session,
    /// `None` until the session is stored.
    cursor: Option<Cursor>,
    /// What is not stored yet.
    waiting: Vec<ChatMessage>,
    /// Whether a call has waited in vain for another process that writes. None waits as long
    /// again: it would be so with each message.
    has_waited: bool,
    /// The trouble that was told last, which need not be told again.
    told: String,
}

/// What is known of a conversation that goes on.
pub struct Resumed {
    /// The conversation, in which every call has its result.
    pub messages: Vec<AgentMessage>,
    /// How many of these are results that were lost.
    pub mended: usize,
}

impl Keeper {
    /// For a new conversation with this model. Without a database nothing is kept.
    pub fn new(database: Option<PathBuf>, model: &str) -> Self {
        Self {
            database,
            history: None,
            session: Session::new(AGENT, model),
            cursor: None,
            waiting: Vec::new(),
            has_waited: false,
            told: String::new(),
        }
    }

    /// Takes up the session whose id begins with `id`, or the latest. Results that were
    /// lost when it broke off are made up and kept.
    pub fn resume(database: PathBuf, id: Option<&str>) -> Result<(Self, Resumed)> {
        if !archive::is_there(&database)? {
            bail!(NONE_YET);
        }
        let trouble = |error| explained(error, &database);
        let mut history = archive::open(&database)?;
        let id = find(&history, &database, id)?;
        let (mut session, mut cursor) = history.resume(&id).map_err(trouble)?;
        let kept: Vec<AgentMessage> = std::mem::take(&mut session.messages)
            .iter()
            .flat_map(to_messages)
            .map(AgentMessage::from)
            .collect();
        let mut messages = kept.clone();
        let mended = mend_messages(&mut messages, now_ms());
        // A session breaks off at its end. What was lost anywhere else is made up again
        // with each resume, since nothing can be put between messages that are stored.
        if messages.starts_with(&kept) {
            let lost = messages[kept.len()..].iter().filter_map(|it| it.as_llm());
            let lost: Vec<ChatMessage> = lost.map(to_chat).collect();
            history.append(&mut cursor, &lost).map_err(trouble)?;
        }
        let keeper = Self {
            database: Some(database),
            history: Some(history),
            session,
            cursor: Some(cursor),
            waiting: Vec::new(),
            has_waited: false,
            told: String::new(),
        };
        Ok((keeper, Resumed { messages, mended }))
    }

    /// The session, without its messages.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Stores a message. When this returns, it survives the end of this process, unless
    /// there is trouble, in whose words it comes back; what could not be stored is stored
    /// together with the next message.
    pub fn keep(&mut self, message: &Message) -> Option<String> {
        self.database.as_ref()?;
        self.waiting.push(to_chat(message));
        let trouble = match self.store() {
            Ok(note) => return note,
            Err(error) if self.database.is_none() => error.context("this conversation is not kept"),
            Err(error) => error.context("not kept for now"),
        };
        let trouble = format!("{trouble:#}");
        let is_news = trouble != self.told;
        self.told.clone_from(&trouble);
        is_news.then_some(trouble)
    }

    /// Stores what still waits, for the last time. It may have to be said that it is kept
    /// elsewhere; the error says what is not kept.
    pub fn flush(&mut self) -> Result<Option<String>> {
        let lost = match (&self.cursor, self.waiting.len()) {
            (_, 0) => return Ok(None),
            (None, _) => "this conversation is not kept".to_string(),
            (Some(_), 1) => "the last message of this conversation is not kept".to_string(),
            (Some(_), count) => {
                format!("the last {count} messages of this conversation are not kept")
            }
        };
        self.store().context(lost)
    }

    /// Notes that the conversation has ended and what it cost this time. Returns whether
    /// there is anything of it to go on with.
    pub fn finish(&mut self, usage: &Usage) -> Result<bool> {
        let (Some(history), Some(database), Some(_)) =
            (&mut self.history, &self.database, &self.cursor)
        else {
            return Ok(false);
        };
        let usage = self.session.total_usage().combine(usage);
        let now = chrono::DateTime::from_timestamp_millis(now_ms() as i64);
        let id = &self.session.session_id;
        let finished = history.finish(id, now.unwrap_or_default(), Some(&usage));
        finished.map_err(|error| explained(error, database))?;
        Ok(true)
    }

    /// Stores what waits, if anything is kept. Returns what has to be said of where that was.
    fn store(&mut self) -> Result<Option<String>> {
        let Some(database) = self.database.clone() else {
            return Ok(None);
        };
        self.open(&database)?;
        let stored = self.put();
        match &stored {
            Ok(_) => self.waiting.clear(),
            Err(HistoryError::Busy) => self.wait_no_more(),
            Err(_) => {}
        }
        stored.map_err(|error| explained(error, &database))
    }

    /// Opens the history, if it is not open. If that fails, nothing is kept from now on: a
    /// part of a conversation that begins somewhere would be of no use.
    fn open(&mut self, database: &Path) -> Result<()> {
        if self.history.is_some() {
            return Ok(());
        }
        if self.has_waited {
            return Err(explained(HistoryError::Busy, database));
        }
        let error = match make_room(database).map(|()| SessionHistory::open(database)) {
            Ok(Ok(history)) => {
                self.history = Some(history);
                return Ok(());
            }
            Ok(Err(HistoryError::Busy)) => {
                self.wait_no_more();
                return Err(explained(HistoryError::Busy, database));
            }
            Ok(Err(error)) => explained(error, database),
            Err(error) => error,
        };
        self.database = None;
        self.waiting.clear();
        Err(error)
    }

    fn wait_no_more(&mut self) {
        self.has_waited = true;
        if let Some(history) = &self.history {
            // If this can't be set, the next call waits once more, and no harm is done.
            let _ = history.set_patience(BRIEFLY);
        }
    }

    /// Puts what waits into the history: behind what is stored of the conversation or, where
    /// somebody else went on with that, into a branch.
    fn put(&mut self) -> Result<Option<String>, HistoryError> {
        let Some(history) = &mut self.history else {
            return Ok(None);
        };
        let Some(cursor) = &mut self.cursor else {
            let session = Session {
                messages: self.waiting.clone(),
                ..self.session.clone()
            };
            self.cursor = Some(history.create(&session)?);
            return Ok(None);
        };
        match history.append(cursor, &self.waiting) {
            Err(HistoryError::Conflict { .. }) => {}
            stored => return stored.map(|()| None),
        }
        let (session, mut branch) = history.branch(cursor.session_id(), cursor.position())?;
        history.append(&mut branch, &self.waiting)?;
        *cursor = branch;
        self.session = Session {
            messages: Vec::new(),
            ..session
        };
        Ok(Some(format!(
            "somebody else goes on with this session; from here on it is kept as {}",
            short(&self.session.session_id)
        )))
    }
}

/// How long a call waits after one has waited in vain: for another's commit, and no longer.
const BRIEFLY: Duration = Duration::from_millis(50);

/// The agent's name in its sessions.
const AGENT: &str = "claw";
