//! A conversation on the loop of chapter 4.

use std::path::{Path, PathBuf};
#[cfg(feature = "ch10")]
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::claw::model::ModelConnection;
use crate::claw::options::Options;
use crate::claw::output::report;
#[cfg(feature = "ch10")]
use crate::claw::permissions::{AskedQuestion, UserApprover, answer};
#[cfg(feature = "ch13")]
use crate::claw::planning::{ProposedPlan, SessionPlan, review};
#[cfg(feature = "ch12")]
use crate::claw::session_hooks::{SessionHooks, hook_session};
use crate::claw::terminal::{Input, Screen};
use crate::claw::tool_selection::with_tools;
use crate::engine::{QueryEngine, QueryError, QueryEvent};
#[cfg(feature = "ch12")]
use crate::hooks::{HookGate, published_mode};
#[cfg(feature = "ch10")]
use crate::permission::{Answer, PermissionGate};
#[cfg(feature = "ch13")]
use crate::plan::{PlanReview, TodoList};
use crate::prompt::{Environment, Git, agent_prompt};
use crate::types::Message;

/// A conversation with the selected model.
pub struct Conversation {
    engine: QueryEngine,
    history: Vec<Message>,
    description: String,
    screen: Screen,
    /// Questions about calls that wait for the user. Before chapter 10, no gate asks.
    questions: mpsc::Receiver<AskedQuestion>,
    #[cfg(feature = "ch13")]
    plan: SessionPlan,
    /// Plans that wait for the user's review. Before chapter 13, there are none.
    plans: mpsc::Receiver<ProposedPlan>,
    /// The folder in which the tools work.
    folder: PathBuf,
    lacked_permission: bool,
    #[cfg(feature = "ch12")]
    hooks: SessionHooks,
    /// Keeps the offline model's server running.
    _offline_server: Option<claw_offline::Server>,
}

impl Conversation {
    /// Connects to the selected model and starts a conversation.
    pub async fn open(options: &Options) -> Result<Self> {
        let folder = std::env::current_dir().context("cannot find the current folder")?;
        let model = ModelConnection::open(options).await?;
        #[cfg(feature = "ch13")]
        let (plan, plans) = SessionPlan::new(options, &[]);
        #[cfg(not(feature = "ch13"))]
        let plans = mpsc::channel(1).1;
        let engine = with_tools(
            QueryEngine::builder(model.provider()?),
            &folder,
            options,
            #[cfg(feature = "ch13")]
            &plan,
        )?;
        #[cfg(feature = "ch13")]
        let engine = engine.gate(plan.gate());
        #[cfg(feature = "ch12")]
        let hooks = {
            let mode = options.permissions.mode();
            #[cfg(feature = "ch13")]
            let mode = plan.permission_mode(mode);
            let mode = published_mode(&mode);
            let session = hook_session(&crate::types::new_id(), &folder, mode);
            SessionHooks::read(&options.hooks, session, "startup")?
        };
        let (engine, questions) = with_gates(
            engine,
            &folder,
            options,
            #[cfg(feature = "ch12")]
            &hooks,
        )?;
        #[cfg(feature = "ch13")]
        let engine = engine.gate(plan.reminder());
        #[cfg(feature = "ch13")]
        let description = match plan.description() {
            text if text.is_empty() => model.description,
            text => format!("{}\n{text}", model.description),
        };
        #[cfg(not(feature = "ch13"))]
        let description = model.description;
        let environment = Environment::read(&folder, SystemTime::now(), &Git::default()).await;
        Ok(Self {
            engine,
            history: agent_prompt(&environment).build().messages(),
            description,
            screen: Screen::stdout(),
            questions,
            #[cfg(feature = "ch13")]
            plan,
            plans,
            folder,
            lacked_permission: false,
            #[cfg(feature = "ch12")]
            hooks,
            _offline_server: model.offline_server,
        })
    }

    /// A line about the model, for the greeting.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The screen that shows the conversation.
    pub fn screen(&mut self) -> &mut Screen {
        &mut self.screen
    }

    /// Runs one turn and shows it as it happens. Ctrl-C stops the turn only. Returns whether
    /// the turn completed.
    pub async fn turn(&mut self, prompt: &str, input: &mut Input) -> bool {
        #[cfg(feature = "ch13")]
        let prompt = &self.plan.prompt(prompt, &self.history);
        self.history.push(Message::user(prompt));
        let mut todo_calls = Vec::new();
        let cancel = CancellationToken::new();
        let (sender, mut events) = mpsc::channel(64);
        let screen = &mut self.screen;
        let watch = async {
            loop {
                tokio::select! {
                    event = events.recv() => match event {
                        Some(event) => show_event(screen, &event, &mut todo_calls),
                        None => break,
                    },
                    Some(asked) = self.questions.recv() => {
                        // What led to the question was sent as events before it.
                        while let Ok(event) = events.try_recv() {
                            show_event(screen, &event, &mut todo_calls);
                        }
                        #[cfg(feature = "ch12")]
                        if input.lines.is_terminal {
                            self.hooks.notify(&asked.question);
                        }
                        match ask_user(asked, &self.folder, screen, input).await {
                            Asked::Answered => {}
                            Asked::Nobody => self.lacked_permission = true,
                            Asked::Interrupted => cancel.cancel(),
                        }
                    }
                    Some(proposed) = self.plans.recv() => {
                        while let Ok(event) = events.try_recv() {
                            show_event(screen, &event, &mut todo_calls);
                        }
                        match review_plan(proposed, screen, input).await {
                            Asked::Answered => {}
                            Asked::Nobody => self.lacked_permission = true,
                            Asked::Interrupted => cancel.cancel(),
                        }
                    }
                    is_stop = next_stop(
                        #[cfg(feature = "ch12")]
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
            screen.end_line();
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

    /// Plan mode.
    #[cfg(feature = "ch13")]
    pub fn plan(&self) -> &SessionPlan {
        &self.plan
    }

    /// The agent's todo list.
    #[cfg(feature = "ch13")]
    pub fn todos(&self) -> TodoList {
        TodoList::from_messages(&self.history)
    }

    /// The hooks of the session.
    #[cfg(feature = "ch12")]
    pub fn hooks(&mut self) -> &mut SessionHooks {
        &mut self.hooks
    }

    /// The text of the last reply; empty if there is none.
    #[cfg(feature = "ch12")]
    pub fn last_reply(&self) -> String {
        let replies = self.history.iter().rev().map(|message| match message {
            Message::Assistant(reply) => reply.text.clone(),
            _ => None,
        });
        replies.flatten().next().unwrap_or_default()
    }

    /// Whether a call was refused because nobody could be asked.
    #[cfg(feature = "ch10")]
    pub fn lacked_permission(&self) -> bool {
        self.lacked_permission
    }

    /// Ends the conversation. Nothing is saved, so there is no command to resume it.
    pub async fn end(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
}

/// How a question about a call ended.
#[allow(dead_code, reason = "before chapter 10, nothing asks")]
enum Asked {
    /// The user answered.
    Answered,
    /// No user could answer.
    Nobody,
    /// The user stopped the turn instead.
    Interrupted,
}

/// Waits for the next notice of a hook and shows it. Returns whether the turn must stop. Before
/// chapter 12, there is none.
async fn next_stop(#[cfg(feature = "ch12")] hooks: &mut SessionHooks) -> bool {
    #[cfg(feature = "ch12")]
    if let Some(notice) = hooks.notices.recv().await {
        return SessionHooks::report_notice(notice);
    }
    std::future::pending().await
}

/// Adds the permission gate, whose questions the receiver delivers, and from chapter 12 on the
/// gate of hooks. Before chapter 10, every call runs.
fn with_gates(
    engine: QueryEngine,
    folder: &Path,
    options: &Options,
    #[cfg(feature = "ch12")] hooks: &SessionHooks,
) -> Result<(QueryEngine, mpsc::Receiver<AskedQuestion>)> {
    #[cfg(feature = "ch10")]
    {
        let permissions = Arc::new(options.permissions.session_engine(folder)?);
        let (approver, questions) = UserApprover::new();
        let approver = Arc::new(approver);
        let engine = engine.gate(PermissionGate::new(permissions, approver.clone()));
        #[cfg(feature = "ch12")]
        let engine = engine.gate(HookGate::new(hooks.hooks(), approver));
        Ok((engine, questions))
    }
    #[cfg(not(feature = "ch10"))]
    {
        let _ = (folder, options);
        Ok((engine, mpsc::channel(1).1))
    }
}

/// Asks the user about a call.
async fn ask_user(
    asked: AskedQuestion,
    folder: &Path,
    screen: &mut Screen,
    input: &mut Input,
) -> Asked {
    #[cfg(feature = "ch10")]
    {
        let Some(answer) = answer(&asked.question, folder, screen, input).await else {
            return Asked::Interrupted;
        };
        let outcome = match answer {
            Answer::NobodyToAsk => Asked::Nobody,
            _ => Asked::Answered,
        };
        asked.answer(answer);
        outcome
    }
    #[cfg(not(feature = "ch10"))]
    {
        let _ = (folder, screen, input);
        match asked {}
    }
}

/// Has the user review a plan.
async fn review_plan(proposed: ProposedPlan, screen: &mut Screen, input: &mut Input) -> Asked {
    #[cfg(feature = "ch13")]
    {
        let Some(review) = review(&proposed.plan, screen, input).await else {
            return Asked::Interrupted;
        };
        let outcome = match review {
            PlanReview::NobodyToAsk => Asked::Nobody,
            _ => Asked::Answered,
        };
        proposed.answer(review);
        outcome
    }
    #[cfg(not(feature = "ch13"))]
    {
        let _ = (screen, input);
        match proposed {}
    }
}

/// Before chapter 13, no plan is proposed.
#[cfg(not(feature = "ch13"))]
type ProposedPlan = std::convert::Infallible;

/// Before chapter 10, there is no question.
#[cfg(not(feature = "ch10"))]
type AskedQuestion = std::convert::Infallible;

/// Shows an event. `todo_calls` has the ids of the calls whose result is the agent's list.
fn show_event(screen: &mut Screen, event: &QueryEvent, todo_calls: &mut Vec<String>) {
    match event {
        QueryEvent::Text(text) => screen.text(text),
        QueryEvent::ToolStarted { call, summary, .. } => {
            if call.name == "todo" {
                todo_calls.push(call.id.clone());
            }
            screen.call(summary);
        }
        QueryEvent::ToolFinished { call_id, result }
            if !result.is_error && todo_calls.contains(call_id) =>
        {
            screen.todos(&result.content);
        }
        QueryEvent::ToolFinished { result, .. } => {
            screen.result(&result.content, result.is_error);
        }
        QueryEvent::Progress(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
    }
}
