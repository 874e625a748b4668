//! A conversation on the loop of chapter 4.
//!
//! `running_turn` runs a turn and shows its events, and `question` asks the user meanwhile.

mod question;
mod running_turn;

use std::path::{Path, PathBuf};
#[cfg(feature = "ch10")]
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result};
use tokio::sync::mpsc;

use crate::claw::model::ModelConnection;
use crate::claw::options::Options;
#[cfg(feature = "ch10")]
use crate::claw::permissions::UserApprover;
#[cfg(feature = "ch13")]
use crate::claw::planning::SessionPlan;
#[cfg(all(unix, feature = "ch12"))]
use crate::claw::session_hooks::{SessionHooks, hook_session};
use crate::claw::terminal::Screen;
use crate::claw::tool_selection::with_tools;
use crate::engine::QueryEngine;
#[cfg(all(unix, feature = "ch12"))]
use crate::hooks::{HookGate, published_mode};
#[cfg(feature = "ch10")]
use crate::permission::PermissionGate;
#[cfg(feature = "ch13")]
use crate::plan::TodoList;
use crate::prompt::{Environment, Git, agent_prompt};
use crate::types::Message;
use question::{AskedQuestion, ProposedPlan};

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
    #[cfg(all(unix, feature = "ch12"))]
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
        #[cfg(all(unix, feature = "ch12"))]
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
            #[cfg(all(unix, feature = "ch12"))]
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
            screen: Screen::stdout(options.prompt.is_none()),
            questions,
            #[cfg(feature = "ch13")]
            plan,
            plans,
            folder,
            lacked_permission: false,
            #[cfg(all(unix, feature = "ch12"))]
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
    #[cfg(all(unix, feature = "ch12"))]
    pub fn hooks(&mut self) -> &mut SessionHooks {
        &mut self.hooks
    }

    /// The text of the last reply; empty if there is none.
    #[cfg(all(unix, feature = "ch12"))]
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

/// Adds the permission gate, whose questions the receiver delivers, and from chapter 12 on the
/// gate of hooks. Before chapter 10, every call runs.
fn with_gates(
    engine: QueryEngine,
    folder: &Path,
    options: &Options,
    #[cfg(all(unix, feature = "ch12"))] hooks: &SessionHooks,
) -> Result<(QueryEngine, mpsc::Receiver<AskedQuestion>)> {
    #[cfg(feature = "ch10")]
    {
        let permissions = Arc::new(options.permissions.session_engine(folder)?);
        let (approver, questions) = UserApprover::new();
        let approver = Arc::new(approver);
        let engine = engine.gate(PermissionGate::new(permissions, approver.clone()));
        #[cfg(all(unix, feature = "ch12"))]
        let engine = engine.gate(HookGate::new(hooks.hooks(), approver));
        Ok((engine, questions))
    }
    #[cfg(not(feature = "ch10"))]
    {
        let _ = (folder, options);
        Ok((engine, mpsc::channel(1).1))
    }
}
