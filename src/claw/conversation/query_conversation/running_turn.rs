//! A turn while it runs: its events, and the questions about its calls.

use std::path::Path;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Conversation;
use super::question::{Asked, ask_user, review_plan};
use crate::claw::output::report;
use crate::claw::preview::edit_diff;
#[cfg(all(unix, feature = "ch12"))]
use crate::claw::session_hooks::SessionHooks;
use crate::claw::terminal::{Input, PROGRESS_INTERVAL, Screen};
use crate::engine::{QueryError, QueryEvent};
use crate::types::Message;

impl Conversation {
    /// Runs one turn and shows it as it happens. Ctrl-C stops the turn only. Returns whether
    /// the turn completed.
    pub async fn turn(&mut self, prompt: &str, input: &mut Input) -> bool {
        #[cfg(feature = "ch13")]
        let prompt = &self.plan.prompt(prompt, &self.history);
        self.history.push(Message::user(prompt));
        let mut todo_calls = Vec::new();
        let cancel = CancellationToken::new();
        let (sender, mut events) = mpsc::channel(64);
        // A turn that was stopped can have left some.
        while self.questions.try_recv().is_ok() || self.plans.try_recv().is_ok() {}
        let screen = &mut self.screen;
        screen.begin_turn();
        let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
        let watch = async {
            loop {
                tokio::select! {
                    _ = ticks.tick() => {
                        let typed = input.lines.typed_text();
                        screen.show_progress(typed);
                    }
                    event = events.recv() => match event {
                        Some(event) => show_event(screen, &event, &self.folder, &mut todo_calls),
                        None => break,
                    },
                    Some(asked) = self.questions.recv(), if !cancel.is_cancelled() => {
                        // What led to the question was sent as events before it.
                        while let Ok(event) = events.try_recv() {
                            show_event(screen, &event, &self.folder, &mut todo_calls);
                        }
                        #[cfg(all(unix, feature = "ch12"))]
                        if input.lines.is_terminal {
                            self.hooks.notify(&asked.question);
                        }
                        match ask_user(asked, &self.folder, screen, input).await {
                            Asked::Answered => {}
                            Asked::Nobody => self.lacked_permission = true,
                            Asked::Interrupted => cancel.cancel(),
                        }
                    }
                    Some(proposed) = self.plans.recv(), if !cancel.is_cancelled() => {
                        while let Ok(event) = events.try_recv() {
                            show_event(screen, &event, &self.folder, &mut todo_calls);
                        }
                        match review_plan(proposed, screen, input).await {
                            Asked::Answered => {}
                            Asked::Nobody => self.lacked_permission = true,
                            Asked::Interrupted => cancel.cancel(),
                        }
                    }
                    is_stop = next_stop(
                        #[cfg(all(unix, feature = "ch12"))]
                        &mut self.hooks,
                    ) => if is_stop {
                        cancel.cancel();
                    },
                    () = input.interrupts.next() => cancel.cancel(),
                }
                // Without a reader there is no use for the rest of the turn.
                if screen.write_error().is_some() {
                    cancel.cancel();
                }
            }
            screen.end_turn();
        };
        let work = self
            .engine
            .chat_with_events(&mut self.history, sender, &cancel);
        let (outcome, ()) = tokio::join!(work, watch);
        match outcome {
            Ok(_) => true,
            Err(QueryError::Cancelled) => {
                self.screen.message("(stopped)");
                false
            }
            Err(error) => {
                report(error);
                false
            }
        }
    }
}

/// Waits for the next notice of a hook and shows it. Returns whether the turn must stop. Before
/// chapter 12, there is none.
async fn next_stop(#[cfg(all(unix, feature = "ch12"))] hooks: &mut SessionHooks) -> bool {
    #[cfg(all(unix, feature = "ch12"))]
    if let Some(notice) = hooks.notices.recv().await {
        return SessionHooks::report_notice(notice);
    }
    std::future::pending().await
}

/// Shows an event. `todo_calls` has the ids of the calls whose result is the agent's list.
fn show_event(
    screen: &mut Screen,
    event: &QueryEvent,
    folder: &Path,
    todo_calls: &mut Vec<String>,
) {
    match event {
        QueryEvent::Text(text) => screen.text(text),
        QueryEvent::ToolStarted { call, summary, .. } => {
            if call.name == "todo" {
                todo_calls.push(call.id.clone());
            }
            screen.call(&call.id, summary, edit_diff(call, folder));
        }
        QueryEvent::ToolFinished { call_id, result }
            if !result.is_error && todo_calls.contains(call_id) =>
        {
            screen.end_call(call_id);
            screen.todos(&result.content);
        }
        QueryEvent::ToolFinished { call_id, result } => {
            screen.result(call_id, &result.content, result.is_error);
        }
        QueryEvent::Progress(progress) => {
            let output = progress.data["output"].as_str().unwrap_or_default();
            screen.call_progress(&progress.tool_use_id, output);
        }
        QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
    }
}
