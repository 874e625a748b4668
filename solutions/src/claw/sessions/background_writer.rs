//! A [`SessionWriter`] that does not block the conversation.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::session_store::short_id;
use super::{ResumedSession, SessionWriter};
use crate::agent::{AgentMessage, Usage};
use crate::claw::data_dir::database_for;
use crate::claw::output::report;

/// How a conversation is saved.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionChoice {
    /// As a new session.
    New,
    /// As part of the session whose id begins like this, or of the latest.
    Resume(Option<String>),
    /// Not at all.
    Unsaved,
}

/// Runs a [`SessionWriter`] on threads that may block.
pub struct BackgroundWriter {
    // A std Mutex, since it is locked only on those threads and never across an await.
    writer: Arc<Mutex<SessionWriter>>,
    session_id: String,
}

impl BackgroundWriter {
    /// Prepares to save a conversation in `folder` with the model of this name. If there is no
    /// place for the database, a new conversation is not saved, and a message says so.
    pub fn open(
        folder: &Path,
        choice: SessionChoice,
        model: &str,
    ) -> Result<(Self, Option<ResumedSession>)> {
        let (writer, resumed) = match choice {
            SessionChoice::Resume(prefix) => {
                let resumed = SessionWriter::resume(database_for(folder)?, prefix.as_deref());
                let (writer, resumed) = resumed.context("cannot resume")?;
                (writer, Some(resumed))
            }
            SessionChoice::Unsaved => (SessionWriter::new(None, model), None),
            SessionChoice::New => {
                let database = database_for(folder).inspect_err(|error| {
                    report(format!("this conversation is not saved: {error:#}"));
                });
                (SessionWriter::new(database.ok(), model), None)
            }
        };
        let session_id = writer.session_id().to_string();
        let writer = Arc::new(Mutex::new(writer));
        Ok((Self { writer, session_id }, resumed))
    }

    /// The id of the session as it is saved, which is another one after a branch. `None` if nothing
    /// is saved.
    pub async fn saved_id(&self) -> Option<String> {
        self.blocking(|writer| writer.saved_id().map(str::to_string))
            .await
    }

    /// The id of the session at its start.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// Saves a message of the model's lane; other messages are not saved. The text, if any, is
    /// for the user, as [`SessionWriter::write`] returns it.
    pub async fn write(&self, message: &AgentMessage) -> Option<String> {
        let message = message.as_llm()?.clone();
        self.blocking(move |writer| writer.write(&message)).await
    }

    /// Saves the messages that are not saved yet. The error names those that cannot be.
    pub async fn flush(&self) -> Result<()> {
        self.blocking(|writer| {
            if let Some(note) = writer.flush()? {
                report(&note);
            }
            Ok(())
        })
        .await
    }

    /// Saves that the conversation has ended and what it cost. Returns a sentence on how to
    /// resume it, if it was saved. The error names the messages that are not saved.
    pub async fn end(&self, usage: Usage) -> Result<Option<String>> {
        self.flush().await?;
        self.blocking(move |writer| {
            let is_saved = writer.finish(&usage).unwrap_or_else(|error| {
                report(format!(
                    "the session's end and cost are not saved: {error:#}"
                ));
                true
            });
            let id = short_id(writer.session_id());
            Ok(is_saved.then(|| format!("`claw --resume {id}` continues this conversation.")))
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SessionWriter) -> T + Send + 'static,
    ) -> T {
        let writer = self.writer.clone();
        let work = move || work(&mut writer.lock().unwrap_or_else(PoisonError::into_inner));
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }
}
