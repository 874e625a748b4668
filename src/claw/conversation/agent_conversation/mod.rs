//! A conversation on the agent of chapter 16, saved in the history of chapter 20.
//!
//! `opening` makes it. `running_turn` runs a turn, and `typed_command` handles what the user types
//! meanwhile. `event_printer` shows the agent's events, `save_gate` holds a tool back until the
//! reply that calls it is saved, `turn_outcome` describes how a turn ended, and `resume_summary`
//! says which session is resumed.

mod event_printer;
mod opening;
mod resume_summary;
mod running_turn;
mod save_gate;
mod turn_outcome;
mod typed_command;

pub use typed_command::attached_note;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use tokio::sync::mpsc;

use crate::agent::{Agent, AgentMessage, Content, Message, StopReason, to_plain};
use crate::claw::image_file;
use crate::claw::output_format::PromptResult;
use crate::claw::permissions::AskedQuestion;
use crate::claw::planning::{ProposedPlan, SessionPlan};
#[cfg(unix)]
use crate::claw::session_hooks::SessionHooks;
use crate::claw::sessions::BackgroundWriter;
use crate::claw::terminal::Screen;
use crate::plan::TodoList;
use crate::types;
use event_printer::{EventPrinter, message_text};
use save_gate::SaveRequest;
use turn_outcome::usage_text;

/// A conversation with the selected model.
pub struct Conversation {
    agent: Agent,
    printer: EventPrinter,
    session: BackgroundWriter,
    /// Sent by the [`SaveGate`](save_gate::SaveGate).
    save_requests: mpsc::Receiver<SaveRequest>,
    /// Questions about calls that wait for the user.
    questions: mpsc::Receiver<AskedQuestion>,
    plan: SessionPlan,
    /// Plans that wait for the user's review.
    plans: mpsc::Receiver<ProposedPlan>,
    /// Whether the running turn was stopped. Its questions and plans are no longer shown.
    is_stopping: bool,
    /// The messages of the running loop, which the agent's history does not have yet.
    loop_messages: Vec<AgentMessage>,
    /// The folder in which the tools work.
    folder: PathBuf,
    lacked_permission: bool,
    #[cfg(unix)]
    hooks: SessionHooks,
    /// How the last turn ended, and its error message.
    outcome: Option<(StopReason, Option<String>)>,
    started: Instant,
    /// Attached to the next prompt.
    images: Vec<Content>,
    takes_images: bool,
    /// Prompts of the user that the running turn has not taken up yet.
    queued: Vec<Message>,
    description: String,
    model: String,
    /// Keeps the offline model's server running. `None` for a model on another server.
    offline_server: Option<claw_offline::Server>,
}

impl Conversation {
    /// A line about the model and, of a resumed session, a summary; for the greeting.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// A line about the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The tokens that this conversation has used since `claw` opened it.
    pub fn cost(&self) -> String {
        usage_text(&self.agent.usage(), self.offline_server.is_some())
    }

    /// The screen that shows the conversation.
    pub fn screen(&mut self) -> &mut Screen {
        self.printer.screen()
    }

    /// The hooks of the session.
    #[cfg(unix)]
    pub fn hooks(&mut self) -> &mut SessionHooks {
        &mut self.hooks
    }

    /// The text of the last reply; empty if there is none.
    pub fn last_reply(&self) -> String {
        let replies = self.agent.messages().iter().rev();
        let mut replies = replies.filter(|it| it.role() == "assistant");
        replies.next().map(message_text).unwrap_or_default()
    }

    /// Plan mode.
    pub fn plan(&self) -> &SessionPlan {
        &self.plan
    }

    /// The agent's todo list.
    pub fn todos(&self) -> TodoList {
        let messages = [self.agent.messages(), &self.loop_messages].concat();
        TodoList::from_messages(&plain_messages(&messages))
    }

    /// Attaches an image to the next prompt. It is an error if the API carries no images, or
    /// the file is not an image.
    pub fn attach(&mut self, path: &Path) -> Result<()> {
        if !self.takes_images {
            bail!(
                "cannot attach {}: claw sends only text over Chat Completions; use another --api for images",
                path.display()
            );
        }
        self.images.push(image_file::read(path)?);
        Ok(())
    }

    /// Writes the result of a single prompt, unless the output is text. `is_error` is whether the
    /// prompt failed or was stopped, and `is_interrupted` whether Ctrl-C or a signal stopped it.
    pub async fn show_result(&mut self, is_error: bool, is_interrupted: bool) {
        // So that the result has the id under which the session is saved. `end` reports an error.
        let _ = self.session.flush().await;
        let stopped = || Some("the prompt was stopped".to_string());
        let (stop_reason, error) = match self.outcome.take() {
            Some((StopReason::Aborted, None)) => (Some(StopReason::Aborted), stopped()),
            Some((reason, None)) if is_interrupted => (Some(reason), stopped()),
            Some((reason, error)) => (Some(reason), error),
            None if is_interrupted => (None, stopped()),
            None => (None, Some("a hook blocked the prompt".into())),
        };
        let result = PromptResult {
            r#type: "result",
            is_error,
            result: self.last_reply(),
            error,
            stop_reason,
            lacked_permission: self.lacked_permission,
            session_id: self.session.saved_id().await,
            usage: self.agent.usage(),
            duration_ms: self.started.elapsed().as_millis() as u64,
        };
        self.printer.result(&result);
    }

    /// Whether a call was refused because nobody could be asked.
    pub fn lacked_permission(&self) -> bool {
        self.lacked_permission
    }

    /// Ends the session and returns what it has used and how to resume it, if it was saved. The
    /// error names the messages that are not saved.
    pub async fn end(&mut self) -> Result<Option<String>> {
        let how_to_resume = self.session.end(self.agent.usage()).await?;
        Ok(how_to_resume.map(|text| format!("{}\n{text}", self.cost())))
    }
}

/// The messages of the model's lane as chapter 1's messages.
fn plain_messages(messages: &[AgentMessage]) -> Vec<types::Message> {
    let messages = messages.iter().filter_map(AgentMessage::as_llm);
    messages.filter_map(to_plain).collect()
}
