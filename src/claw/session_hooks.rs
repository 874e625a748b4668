//! The hooks of a conversation: from the settings files of `--hooks` to their effect on a turn.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::sync::mpsc;

use super::output::report;
use super::terminal::Input;
use crate::hooks::{HookAnswer, HookDecision, HookEvent, HookNotice, HookSession, Hooks};
use crate::permission::Question;

/// The hooks of a conversation, and their messages for the user and the model.
pub struct SessionHooks {
    hooks: Arc<Hooks>,
    /// The hooks' messages for the user.
    pub notices: mpsc::UnboundedReceiver<HookNotice>,
    /// How the session starts: `startup` or `resume`.
    source: &'static str,
    /// Texts of the session's start, which the next prompt carries to the model.
    start_context: Option<String>,
}

impl SessionHooks {
    /// Reads the hooks of these settings files. A file that can't be read, or a hook that can't
    /// run as it is meant, is an error. The user reads the warnings. `source` is `startup` or
    /// `resume`.
    pub fn read(files: &[PathBuf], session: HookSession, source: &'static str) -> Result<Self> {
        let (mut hooks, notices) = Hooks::new(session);
        for file in files {
            let place = || format!("cannot use the hooks of {}", file.display());
            let text = fs::read_to_string(file).with_context(place)?;
            for warning in hooks.add_settings(&text).with_context(place)? {
                report(format!("{}: {warning}", file.display()));
            }
        }
        Ok(Self {
            hooks: Arc::new(hooks),
            notices,
            source,
            start_context: None,
        })
    }

    /// The hooks, for a gate.
    pub fn hooks(&self) -> Arc<Hooks> {
        self.hooks.clone()
    }

    /// Runs the hooks of the session's start. Returns false if Ctrl-C or a signal stops them.
    pub async fn start(&mut self, input: &mut Input) -> bool {
        let source = self.source.to_string();
        let answer = tokio::select! {
            answer = self.hooks.raise(HookEvent::SessionStart { source }) => answer,
            () = input.interrupts.next() => return false,
        };
        self.start_context = answer.joined_context();
        self.report_notices();
        report_denial(answer);
        true
    }

    /// Runs the hooks of the session's end. Ctrl-C or a signal stops them.
    pub async fn end(&mut self, is_by_user: bool, input: &mut Input) {
        let reason = match is_by_user {
            true => "prompt_input_exit",
            false => "other",
        };
        let reason = reason.to_string();
        let answer = tokio::select! {
            // First, so that an interrupt from before does not keep the hooks from starting.
            biased;
            answer = self.hooks.raise(HookEvent::SessionEnd { reason }) => Some(answer),
            () = input.interrupts.next() => None,
        };
        self.report_notices();
        answer.into_iter().for_each(report_denial);
    }

    /// Runs the hooks of a prompt. Their notices are not shown yet: while a turn runs, one may be
    /// another hook's wish to stop it.
    pub async fn submit_prompt(&mut self, prompt: &str, input: &mut Input) -> Submitted {
        let submitted = tokio::select! {
            submitted = self.hooks.submit_prompt(prompt) => submitted,
            () = input.interrupts.next() => return Submitted::Interrupted,
        };
        match submitted {
            Ok(prompt) => Submitted::Prompt(match self.start_context.take() {
                Some(context) => format!("{prompt}\n\n{context}"),
                None => prompt,
            }),
            Err(reason) => {
                report(format!("a hook blocked this prompt: {reason}"));
                Submitted::Blocked
            }
        }
    }

    /// The text with which the turn continues after this reply. `None` if it ends, or Ctrl-C stops
    /// the hooks.
    pub async fn end_turn(
        &mut self,
        last_reply: &str,
        continuations: usize,
        input: &mut Input,
    ) -> Option<String> {
        let text = tokio::select! {
            text = self.hooks.end_turn(last_reply, continuations) => text,
            () = input.interrupts.next() => None,
        };
        self.report_notices();
        text
    }

    /// Tells the hooks that a question about a call waits for the user, without waiting for them.
    pub fn notify(&self, question: &Question) {
        let hooks = self.hooks();
        let event = HookEvent::Notification {
            message: question.text.clone(),
            notification_type: "permission_prompt".to_string(),
        };
        tokio::spawn(async move { hooks.raise(event).await });
    }

    /// Shows a notice. Returns whether the turn must stop.
    pub fn report_notice(notice: HookNotice) -> bool {
        match notice {
            HookNotice::Message(text) => {
                report(text);
                false
            }
            HookNotice::Stop(reason) => {
                report(format!("a hook stopped the agent: {reason}"));
                true
            }
        }
    }

    /// Shows the notices that have arrived.
    pub fn report_notices(&mut self) {
        while let Ok(notice) = self.notices.try_recv() {
            Self::report_notice(notice);
        }
    }
}

/// What became of a prompt.
pub enum Submitted {
    /// The prompt that the model reads, with the texts of hooks.
    Prompt(String),
    /// A hook blocks it, which the user has read.
    Blocked,
    /// Ctrl-C or a signal has stopped the hooks.
    Interrupted,
}

/// Shows the reason of a denial that has no effect: a session starts and ends all the same.
fn report_denial(answer: HookAnswer) {
    if let Some(HookDecision::Deny(reason)) = answer.decision {
        report(format!("a hook objects: {reason}"));
    }
}

/// What hooks read about a session in `folder`.
pub fn hook_session(session_id: &str, folder: &Path, permission_mode: &'static str) -> HookSession {
    HookSession {
        session_id: session_id.to_string(),
        // Sessions are in a database, and not in a file of their own.
        transcript_path: String::new(),
        cwd: folder.to_path_buf(),
        permission_mode,
    }
}
