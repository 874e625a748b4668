//! What the user types while a turn runs.

use std::path::Path;

use super::{Conversation, plain_messages};
use crate::agent::{Content, Message, now_ms};
#[cfg(unix)]
use crate::claw::session_hooks::Submitted;
use crate::claw::terminal::Input;
use crate::claw::typed_line::{TypedLine, help};

impl Conversation {
    /// Handles a line that is typed while a turn runs.
    pub(super) async fn on_command(&mut self, command: TypedLine, input: &mut Input) {
        let note = match command {
            TypedLine::Prompt(text) => {
                let Some(text_for_model) = self.submit(&text, input).await else {
                    return;
                };
                // The notice comes last, after the texts of hooks, as in `turn`.
                let history = [self.agent.messages(), &self.loop_messages].concat();
                let prompt = self.plan.prompt(&text_for_model, &plain_messages(&history));
                let message = self.queue(&prompt);
                self.agent.steer(message);
                format!("(queued, for the next step: {text})")
            }
            TypedLine::Then(text) => {
                // Without the notice: plan mode may be over when it is sent.
                let Some(text_for_model) = self.submit(&text, input).await else {
                    return;
                };
                let message = self.queue(&text_for_model);
                self.agent.follow_up(message);
                format!("(queued, for when this is done: {text})")
            }
            TypedLine::Image(path) => match self.attach(&path) {
                Ok(()) => attached_note(&path),
                Err(error) => format!("({error:#})"),
            },
            TypedLine::Invalid(message) => format!("({message})"),
            TypedLine::Help => return self.screen().message(&help()),
            TypedLine::Plan(is_on) => self.plan.switch(is_on).to_string(),
            TypedLine::Todos => {
                let list = self.todos().to_string();
                return self.screen().todos(&list);
            }
            TypedLine::Permissions | TypedLine::Model(_) => NOT_NOW.into(),
            TypedLine::Clear | TypedLine::Resume(_) => NOT_NOW.into(),
            TypedLine::Cost => return self.show_cost(),
            TypedLine::Show(number) => match self.screen().show(number) {
                Ok(()) => return,
                Err(message) => format!("({message})"),
            },
            TypedLine::Empty | TypedLine::Unfinished | TypedLine::Exit => return,
        };
        self.printer.screen().note(&note);
    }

    fn show_cost(&mut self) {
        let cost = self.cost();
        self.screen().message(&cost);
    }

    /// The text that the model reads, with the texts of hooks. `None` if a hook blocks it, or the
    /// user stops the hooks, which stops the turn, too.
    async fn submit(&mut self, text: &str, input: &mut Input) -> Option<String> {
        self.screen().end_line();
        #[cfg(unix)]
        return match self.hooks.submit_prompt(text, input).await {
            Submitted::Prompt(text) => Some(text),
            Submitted::Blocked => None,
            Submitted::Interrupted => {
                input.lines.discard_pending();
                self.stop();
                self.screen().note(&format!("(not sent: {text})"));
                None
            }
        };
        #[cfg(not(unix))]
        {
            let _ = input;
            Some(text.to_string())
        }
    }

    /// Makes a message that waits for its place in the running turn.
    fn queue(&mut self, text: &str) -> Message {
        let message = self.user_message(text);
        self.queued.push(message.clone());
        message
    }

    /// The user's message, with the attached images before the text.
    pub(super) fn user_message(&mut self, text: &str) -> Message {
        let mut content = std::mem::take(&mut self.images);
        content.push(Content::Text {
            text: text.to_string(),
        });
        Message::User {
            content,
            timestamp: now_ms(),
        }
    }
}

/// The confirmation that an image is attached.
pub fn attached_note(path: &Path) -> String {
    format!("({} is attached to your next prompt)", path.display())
}

const NOT_NOW: &str = "(not while claw works: wait, or stop it with Ctrl-C)";
