//! A conversation on its way into the history.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

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
            told: String::new(),
        }
    }

    /// Takes up the session whose id begins with `id`, or the latest. Results that were
    /// lost when it broke off are made up and kept.
    pub fn resume(database: PathBuf, id: Option<&str>) -> Result<(Self, Resumed)> {
        if !database.exists() {
            bail!(NONE_YET);
        }
        let mut history = SessionHistory::open(&database)
            .with_context(|| format!("cannot read {}", database.display()))?;
        let id = find(&history, id)?;
        let (mut session, mut cursor) = history.resume(&id)?;
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
            history.append(&mut cursor, &lost.map(to_chat).collect::<Vec<_>>())?;
        }
        let keeper = Self {
            database: Some(database),
            history: Some(history),
            session,
            cursor: Some(cursor),
            waiting: Vec::new(),
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
        let trouble = self.open().err().or_else(|| self.store().err())?;
        let trouble = format!("{trouble:#}");
        let is_news = trouble != self.told;
        self.told.clone_from(&trouble);
        is_news.then_some(trouble)
    }

    /// Stores what still waits, and notes that the conversation has ended and what it cost
    /// this time. Returns whether there is anything of it to go on with.
    pub fn finish(&mut self, usage: &Usage) -> Result<bool> {
        if !self.waiting.is_empty() {
            self.store()?;
        }
        if let (Some(history), true) = (&mut self.history, self.cursor.is_some()) {
            let usage = self.session.usage.unwrap_or_default().combine(usage);
            let now = chrono::DateTime::from_timestamp_millis(now_ms() as i64);
            history.finish(
                &self.session.session_id,
                now.unwrap_or_default(),
                Some(&usage),
            )?;
        }
        Ok(self.cursor.is_some())
    }

    /// Opens the history, if it is not open. If that fails, nothing is kept from now on:
    /// a part of a conversation that begins somewhere would be of no use.
    fn open(&mut self) -> Result<()> {
        if let (None, Some(database)) = (&self.history, &self.database) {
            let open = || {
                make_room(database)?;
                Ok(SessionHistory::open(database)?)
            };
            match open() {
                Ok(history) => self.history = Some(history),
                Err(error) => {
                    let error: anyhow::Error = error;
                    let context = format!("this conversation is not kept ({})", database.display());
                    self.database = None;
                    self.waiting.clear();
                    return Err(error.context(context));
                }
            }
        }
        Ok(())
    }

    /// Stores what waits.
    fn store(&mut self) -> Result<()> {
        let Some(history) = &mut self.history else {
            return Ok(());
        };
        let stored = match &mut self.cursor {
            Some(cursor) => history.append(cursor, &self.waiting),
            None => {
                let session = Session {
                    messages: self.waiting.clone(),
                    ..self.session.clone()
                };
                history
                    .create(&session)
                    .map(|cursor| self.cursor = Some(cursor))
            }
        };
        match (stored, &mut self.cursor) {
            (Ok(()), _) => self.waiting.clear(),
            (Err(HistoryError::Conflict { .. }), Some(cursor)) => {
                let (session, mut branch) =
                    history.branch(cursor.session_id(), cursor.position())?;
                history.append(&mut branch, &self.waiting)?;
                self.waiting.clear();
                *cursor = branch;
                self.session = Session {
                    messages: Vec::new(),
                    ..session
                };
                bail!(
                    "somebody else goes on with this session; from here on it is kept as {}",
                    short(&self.session.session_id)
                );
            }
            (Err(error), _) => {
                let error = anyhow::Error::from(error);
                return Err(error.context("not kept for now"));
            }
        }
        Ok(())
    }
}

/// The one session whose id begins with `id`; without `id` the latest.
fn find(history: &SessionHistory, id: Option<&str>) -> Result<String> {
    let Some(start) = id else {
        return match history.latest()? {
            Some(latest) => Ok(latest),
            None => bail!(NONE_YET),
        };
    };
    let found = history.ids(start)?;
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => bail!(
            "no session of this folder has an id that begins with `{start}`; `claw sessions` lists them"
        ),
        _ => bail!(
            "the ids of {} sessions begin with `{start}`; name more of it: {}",
            found.len(),
            found.join(", ")
        ),
    }
}

/// As much of an id as a person needs.
pub fn short(session_id: &str) -> &str {
    session_id.get(..8).unwrap_or(session_id)
}

const NONE_YET: &str = "no session of this folder is kept yet; leave out --resume to begin one";

/// The agent's name in its sessions.
const AGENT: &str = "claw";
