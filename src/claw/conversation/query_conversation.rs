//! A conversation on the loop of chapter 4.

use std::time::SystemTime;

use anyhow::{Context, Result};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::claw::model::ModelConnection;
use crate::claw::options::Options;
use crate::claw::output::report;
use crate::claw::terminal::{Input, Screen};
use crate::claw::tool_selection::with_tools;
use crate::engine::{QueryEngine, QueryError, QueryEvent};
use crate::prompt::{Environment, Git, agent_prompt};
use crate::types::Message;

/// A conversation with the selected model.
pub struct Conversation {
    engine: QueryEngine,
    history: Vec<Message>,
    description: String,
    screen: Screen,
    /// Keeps the offline model's server running.
    _offline_server: Option<claw_offline::Server>,
}

impl Conversation {
    /// Connects to the selected model and starts a conversation.
    pub async fn open(options: &Options) -> Result<Self> {
        let folder = std::env::current_dir().context("cannot find the current folder")?;
        let model = ModelConnection::open(options).await?;
        let engine = with_tools(QueryEngine::builder(model.provider()?), &folder, options)?;
        let environment = Environment::read(&folder, SystemTime::now(), &Git::default()).await;
        Ok(Self {
            engine,
            history: agent_prompt(&environment).build().messages(),
            description: model.description,
            screen: Screen::stdout(),
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
        self.history.push(Message::user(prompt));
        let cancel = CancellationToken::new();
        let (sender, mut events) = mpsc::channel(64);
        let screen = &mut self.screen;
        let show = async {
            while let Some(event) = events.recv().await {
                show_event(screen, &event);
                // Without a reader there is no use for the rest of the turn.
                if screen.write_error().is_some() {
                    cancel.cancel();
                }
            }
            screen.end_line();
        };
        let cancel_on_interrupt = async {
            loop {
                input.interrupts.next().await;
                cancel.cancel();
            }
        };
        let work = self
            .engine
            .chat_with_events(&mut self.history, sender, &cancel);
        let (outcome, ()) = tokio::select! {
            done = async { tokio::join!(work, show) } => done,
            never = cancel_on_interrupt => never,
        };
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

    /// Ends the conversation. Nothing is saved, so there is no command to resume it.
    pub async fn end(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
}

fn show_event(screen: &mut Screen, event: &QueryEvent) {
    match event {
        QueryEvent::Text(text) => screen.text(text),
        QueryEvent::ToolStarted { summary, .. } => screen.call(summary),
        QueryEvent::ToolFinished { result, .. } => {
            screen.result(&result.content, result.is_error);
        }
        QueryEvent::Progress(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
    }
}
