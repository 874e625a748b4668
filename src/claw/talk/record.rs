//! The keeping of a conversation, beside the talk.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::show::words_of;
use crate::agent::{AgentMessage, Usage};
use crate::claw::archive::short;
use crate::claw::keep::{Keeper, Resumed};
use crate::claw::out::say;
use crate::claw::sessions::messages;
use crate::claw::{Options, place};

/// What keeps a conversation. It waits for the disk on threads that may block.
pub struct Record {
    keeper: Arc<Mutex<Keeper>>,
    session_id: String,
}

/// What was said before.
pub struct Earlier {
    /// The messages.
    pub messages: Vec<AgentMessage>,
    /// A few lines about them.
    pub about: String,
}

impl Record {
    /// Of a new conversation or, if the options say so, of one that goes on.
    pub fn begin(folder: &Path, options: &Options, model: &str) -> Result<(Self, Option<Earlier>)> {
        let (keeper, earlier) = match &options.resume {
            Some(id) => {
                let resumed = Keeper::resume(place::database_of(folder)?, id.as_deref());
                let (keeper, resumed) = resumed.context("nothing to go on with")?;
                let earlier = Earlier {
                    about: summary(&keeper, &resumed),
                    messages: resumed.messages,
                };
                (keeper, Some(earlier))
            }
            None if options.no_session => (Keeper::new(None, model), None),
            None => {
                let place = place::database_of(folder);
                let place = place.inspect_err(|error| {
                    say(format!("this conversation is not kept: {error:#}"));
                });
                (Keeper::new(place.ok(), model), None)
            }
        };
        let session_id = keeper.session().session_id.clone();
        let keeper = Arc::new(Mutex::new(keeper));
        Ok((Self { keeper, session_id }, earlier))
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// Keeps a message of the model's lane, and returns what there is to say about that.
    pub async fn keep(&self, message: &AgentMessage) -> Option<String> {
        let message = message.as_llm()?.clone();
        self.blocking(move |keeper| keeper.keep(&message)).await
    }

    /// Notes the end and what it cost, and returns how to go on, if that can be done. The
    /// error says what of the conversation is not kept.
    pub async fn end(&self, usage: Usage) -> Result<Option<String>> {
        self.blocking(move |keeper| {
            if let Some(note) = keeper.flush()? {
                say(&note);
            }
            let is_kept = keeper.finish(&usage).unwrap_or_else(|error| {
                say(format!("how the conversation ended is not kept: {error:#}"));
                true
            });
            let id = short(&keeper.session().session_id);
            Ok(is_kept.then(|| format!("`claw --resume {id}` goes on here.")))
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Keeper) -> T + Send + 'static,
    ) -> T {
        let keeper = self.keeper.clone();
        let work = move || work(&mut keeper.lock().unwrap_or_else(PoisonError::into_inner));
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }
}

/// What is said of a conversation that goes on.
fn summary(keeper: &Keeper, resumed: &Resumed) -> String {
    let session = keeper.session();
    let mut text = format!(
        "Going on with {}, {} since {}.",
        short(&session.session_id),
        messages(resumed.messages.len()),
        session.started_at.format("%Y-%m-%d %H:%M UTC"),
    );
    if resumed.mended > 0 {
        text += &format!(" It broke off: results that were lost: {}.", resumed.mended);
    }
    for (mark, role) in [("> ", "user"), ("", "assistant")] {
        let said = resumed.messages.iter().rev().filter(|it| it.role() == role);
        if let Some(words) = said.map(words_of).find(|it| !it.is_empty()) {
            text += &format!("\n{mark}{words}");
        }
    }
    text
}
