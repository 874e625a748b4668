//! A turn while it runs: its events, its questions, and what the user types.

use super::event_printer::{EventPrinter, message_row, text_of};
use super::turn_outcome::outcome_message;
use super::{Conversation, plain_messages};
use crate::agent::{AgentEvent, AgentEvents, Content, Message, Prompt, StopReason};
use crate::claw::output::report;
use crate::claw::permissions::{AskedQuestion, answer};
use crate::claw::planning::{ProposedPlan, review};
use crate::claw::safe_text::without_control_chars;
#[cfg(unix)]
use crate::claw::session_hooks::SessionHooks;
use crate::claw::terminal::{Input, PROGRESS_INTERVAL};
use crate::claw::typed_line::TypedLine;
use crate::permission::Answer;
use crate::plan::{PlanReview, without_notice};

impl Conversation {
    /// Runs one turn, shows it and saves it as it happens. Lines that are typed meanwhile
    /// redirect it; Ctrl-C stops the turn only. Returns whether the turn completed.
    pub async fn turn(&mut self, prompt: &str, input: &mut Input) -> bool {
        let history = plain_messages(self.agent.messages());
        let prompt = self.plan.prompt(prompt, &history);
        let mut prompt = Prompt::from(self.user_message(&prompt));
        self.is_stopping = false;
        // A turn that was stopped can have left some.
        while self.questions.try_recv().is_ok() || self.plans.try_recv().is_ok() {}
        self.screen().begin_turn();
        let reason = loop {
            let mut events = self.agent.prompt(prompt);
            self.watch(&mut events, input).await;
            let reason = self.agent.finish().await.unwrap_or(StopReason::Stop);
            self.loop_messages.clear();
            // Lines can arrive after the agent has looked at its queues for the last time.
            let queues = self.agent.handle().queues();
            let has_more = queues.steering.has_model_input() || queues.follow_up.has_model_input();
            let may_continue = !self.is_stopping && input.interrupts.exit_code().is_none();
            match reason {
                StopReason::Stop | StopReason::Length if has_more && may_continue => {
                    prompt = Prompt::Messages(Vec::new());
                }
                reason => break reason,
            }
        };
        self.screen().end_turn();
        self.drop_queued();
        let message = outcome_message(&self.agent, &reason);
        match &message {
            _ if reason == StopReason::Aborted => self.screen().message("(stopped)"),
            Some(message) => report(message),
            None => {}
        }
        self.outcome = Some((reason, message));
        matches!(reason, StopReason::Stop | StopReason::Length)
    }

    /// Clears the queues after a turn, and shows the whole text of each prompt that was not sent,
    /// since it is nowhere else. Its images stay attached to the next prompt.
    fn drop_queued(&mut self) {
        self.agent.handle().clear_queues();
        let mut images = Vec::new();
        for message in std::mem::take(&mut self.queued) {
            let Message::User { content, .. } = message else {
                continue;
            };
            let text = format!("(not sent: {})", without_notice(&text_of(&content)));
            self.screen().message(&without_control_chars(&text));
            let is_image = |block: &Content| matches!(block, Content::Image { .. });
            images.extend(content.into_iter().filter(is_image));
        }
        self.images.splice(0..0, images);
    }

    /// Shows and saves the events of one loop, up to the last, and handles the user's input.
    async fn watch(&mut self, events: &mut AgentEvents, input: &mut Input) {
        let mut is_typing = input.lines.is_terminal;
        let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    let typed = input.lines.typed_text();
                    self.printer.screen().show_progress(typed);
                }
                event = events.recv() => match event {
                    Some(event) => self.on_event(event).await,
                    None => return,
                },
                Some(request) = self.save_requests.recv() => {
                    // The reply was sent as an event before the request.
                    while let Ok(event) = events.try_recv() {
                        self.on_event(event).await;
                    }
                    // An aborted call no longer waits.
                    let _ = request.send(());
                }
                Some(asked) = self.questions.recv(), if !self.is_stopping => {
                    // What led to the question was sent as events before it.
                    while let Ok(event) = events.try_recv() {
                        self.on_event(event).await;
                    }
                    self.on_question(asked, input).await;
                    is_typing &= !input.lines.is_closed();
                }
                Some(proposed) = self.plans.recv(), if !self.is_stopping => {
                    while let Ok(event) = events.try_recv() {
                        self.on_event(event).await;
                    }
                    self.on_plan(proposed, input).await;
                    is_typing &= !input.lines.is_closed();
                }
                must_stop = next_stop(&mut self.printer, #[cfg(unix)] &mut self.hooks) => {
                    if must_stop {
                        self.stop();
                    }
                }
                command = input.lines.next(), if is_typing => match command {
                    None | Some(TypedLine::Exit) => {
                        input.lines.close();
                        is_typing = false;
                        self.printer.screen().note("(claw ends when this is done; Ctrl-C stops it)");
                    }
                    Some(command) => self.on_command(command, input).await,
                },
                () = input.interrupts.next() => {
                    input.lines.discard_pending();
                    self.stop();
                }
            }
            // Without a reader there is no use for the rest of the turn.
            if self.screen().write_error().is_some() {
                self.stop();
            }
        }
    }

    /// Stops the running turn.
    pub(super) fn stop(&mut self) {
        self.agent.abort();
        self.is_stopping = true;
    }

    async fn on_event(&mut self, event: AgentEvent) {
        if let AgentEvent::MessageEnd { message, .. } = &event {
            self.loop_messages.push(message.clone());
            if let Some(trouble) = self.session.write(message).await {
                self.printer.screen().end_line();
                report(trouble);
            }
        }
        self.printer.event(&event);
        if let AgentEvent::MessageStart { message, .. } = &event
            && let Some(at) = self
                .queued
                .iter()
                .position(|it| message.as_llm() == Some(it))
        {
            self.queued.remove(at);
            let note = format!("> {}", message_row(message));
            self.printer.screen().note(&note);
        }
    }

    /// Asks the user about a call. Esc or Ctrl-C stops the turn, so that the call does not run.
    async fn on_question(&mut self, asked: AskedQuestion, input: &mut Input) {
        #[cfg(unix)]
        if input.lines.is_terminal {
            self.hooks.notify(&asked.question);
        }
        let screen = self.printer.screen();
        match answer(&asked.question, &self.folder, screen, input).await {
            Some(answer) => {
                self.lacked_permission |= answer == Answer::NobodyToAsk;
                asked.answer(answer);
            }
            None => self.stop(),
        }
    }

    /// Has the user review a plan. Esc or Ctrl-C stops the turn, so that the plan is not approved.
    async fn on_plan(&mut self, proposed: ProposedPlan, input: &mut Input) {
        match review(&proposed.plan, self.printer.screen(), input).await {
            Some(review) => {
                self.lacked_permission |= review == PlanReview::NobodyToAsk;
                proposed.answer(review);
            }
            None => self.stop(),
        }
    }
}

/// Waits for the next notice of a hook and shows it. Returns whether the turn must stop. Hooks need
/// Unix.
async fn next_stop(printer: &mut EventPrinter, #[cfg(unix)] hooks: &mut SessionHooks) -> bool {
    #[cfg(unix)]
    if let Some(notice) = hooks.notices.recv().await {
        printer.screen().end_line();
        return SessionHooks::report_notice(notice);
    }
    let _ = printer;
    std::future::pending().await
}
