//! Runs the commands of a conversation, and its turns.

use super::repl_loop::Repl;
#[cfg(feature = "ch20")]
use crate::claw::conversation::{Conversation, attached_note};
#[cfg(feature = "ch20")]
use crate::claw::options::Options;
#[cfg(all(unix, feature = "ch12"))]
use crate::claw::session_hooks::Submitted;
use crate::claw::typed_line::{TypedLine, help};

impl Repl {
    /// Runs a command, or a turn.
    pub async fn on_command(&mut self, command: TypedLine) {
        match command {
            TypedLine::Empty | TypedLine::Unfinished | TypedLine::Exit => {}
            TypedLine::Show(number) => {
                if let Err(message) = self.conversation.screen().show(number) {
                    self.fail(message);
                }
            }
            TypedLine::Help => self.conversation.screen().message(&help()),
            #[cfg(feature = "ch13")]
            TypedLine::Plan(is_on) => {
                let note = self.conversation.plan().switch(is_on);
                self.conversation.screen().note(note);
            }
            #[cfg(feature = "ch13")]
            TypedLine::Todos => {
                let list = self.conversation.todos().to_string();
                self.conversation.screen().todos(&list);
            }
            #[cfg(feature = "ch20")]
            TypedLine::Image(path) => match self.conversation.attach(&path) {
                Ok(()) => self.conversation.screen().note(&attached_note(&path)),
                Err(error) => {
                    self.fail(format!("{error:#}"));
                    // In a terminal, the user can attach another image first.
                    self.lacks_image = !self.input.lines.is_terminal;
                }
            },
            #[cfg(feature = "ch10")]
            TypedLine::Permissions => {
                let mode = self.options.permissions.session_mode();
                #[cfg(feature = "ch13")]
                let mode = self.conversation.plan().permission_mode(mode);
                let text = self.options.permissions.description(&mode);
                self.conversation.screen().message(&text);
            }
            #[cfg(feature = "ch20")]
            TypedLine::Model(None) => {
                let model = self.conversation.model().to_string();
                self.conversation.screen().message(&model);
            }
            #[cfg(feature = "ch20")]
            TypedLine::Model(name) => {
                let options = Options {
                    model: name,
                    ..self.options.clone()
                };
                match self.conversation.change_model(&options).await {
                    Ok(note) => {
                        self.options = options;
                        self.conversation.screen().note(&note);
                    }
                    Err(error) => self.fail(format!("cannot change the model: {error:#}")),
                }
            }
            #[cfg(feature = "ch20")]
            TypedLine::Clear => self.change_conversation(None).await,
            #[cfg(feature = "ch20")]
            TypedLine::Resume(id) => self.change_conversation(Some(id)).await,
            #[cfg(feature = "ch20")]
            TypedLine::Cost => {
                let cost = self.conversation.cost();
                self.conversation.screen().message(&cost);
            }
            TypedLine::Invalid(message) => self.fail(message),
            #[cfg(feature = "ch20")]
            TypedLine::Then(prompt) => self.turn(&prompt).await,
            TypedLine::Prompt(prompt) => self.turn(&prompt).await,
        }
    }

    /// Ends the conversation and begins a new one, or resumes the session `resume`.
    #[cfg(feature = "ch20")]
    async fn change_conversation(&mut self, resume: Option<Option<String>>) {
        let options = Options {
            resume,
            images: Vec::new(),
            ..self.options.clone()
        };
        // The session to resume may be this one, so its messages and its usage are saved first.
        // `end_conversation` saves the same usage again.
        if options.resume.is_some()
            && let Err(error) = self.conversation.end().await
        {
            return self.fail(format!("{error:#}"));
        }
        match Conversation::open(&options).await {
            Ok(next) => {
                self.end_conversation().await;
                self.lacked_permission |= self.conversation.lacked_permission();
                self.conversation = next;
                self.start().await;
                self.greet();
            }
            Err(error) => self.fail(format!("{error:#}")),
        }
    }

    /// Runs a turn, and with hooks those that follow it.
    pub async fn turn(&mut self, prompt: &str) {
        if std::mem::take(&mut self.lacks_image) {
            return self.fail(format!(
                "not sent, since its image failed to load: {prompt}"
            ));
        }
        #[cfg(all(unix, feature = "ch12"))]
        let is_complete = self.turn_with_hooks(prompt).await;
        #[cfg(not(all(unix, feature = "ch12")))]
        let is_complete = self.conversation.turn(prompt, &mut self.input).await;
        self.has_failed |= !is_complete && !self.must_end();
    }

    /// Runs a turn that hooks can block, and continue when it has ended. Returns whether it
    /// completed.
    #[cfg(all(unix, feature = "ch12"))]
    async fn turn_with_hooks(&mut self, prompt: &str) -> bool {
        let hooks = self.conversation.hooks();
        let submitted = hooks.submit_prompt(prompt, &mut self.input).await;
        hooks.report_notices();
        let Submitted::Prompt(prompt) = submitted else {
            return false;
        };
        let mut is_complete = self.conversation.turn(&prompt, &mut self.input).await;
        let mut continuations = 0;
        while is_complete && !self.must_end() {
            let reply = self.conversation.last_reply();
            let hooks = self.conversation.hooks();
            let next = hooks.end_turn(&reply, continuations, &mut self.input);
            let Some(text) = next.await else {
                break;
            };
            continuations += 1;
            let note = format!("(a hook continues the turn: {text})");
            self.conversation.screen().note(&note);
            is_complete = self.conversation.turn(&text, &mut self.input).await;
        }
        is_complete
    }
}
