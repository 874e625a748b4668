//! A conversation on the loop of chapter 4.

use std::time::SystemTime;

use anyhow::{Context, Result};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::claw::out::say;
use crate::claw::tools::equip;
use crate::claw::{Input, Options, Screen, model};
use crate::engine::{QueryEngine, QueryError, QueryEvent};
use crate::prompt::{Environment, Git, agent_prompt};
use crate::types::Message;

/// A conversation with the model that the options choose.
pub struct Conversation {
    engine: QueryEngine,
    history: Vec<Message>,
    about: String,
    screen: Screen,
    _server: model::Server,
}

impl Conversation {
    /// A new one.
    pub async fn open(options: &Options) -> Result<Self> {
        let folder = std::env::current_dir().context("the current folder is gone")?;
        let model = model::ready(options).await?;
        let engine = equip(QueryEngine::builder(model.completions()?), &folder, options)?;
        let environment = Environment::read(&folder, SystemTime::now(), &Git::default()).await;
        Ok(Self {
            engine,
            history: agent_prompt(&environment).build().messages(),
            about: model.about,
            screen: Screen::for_stdout(),
            _server: model.server,
        })
    }

    /// What is said of it first.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Where it is shown.
    pub fn screen(&mut self) -> &mut Screen {
        &mut self.screen
    }

    /// One turn, shown as it happens. Ctrl-C ends the turn and nothing else. Returns
    /// whether it came to its end.
    pub async fn turn(&mut self, prompt: &str, input: &mut Input) -> bool {
        self.history.push(Message::user(prompt));
        let cancel = CancellationToken::new();
        let (sender, mut events) = mpsc::channel(64);
        let screen = &mut self.screen;
        let show = async {
            while let Some(event) = events.recv().await {
                show(screen, &event);
                // Nobody reads it any more.
                if screen.trouble().is_some() {
                    cancel.cancel();
                }
            }
            screen.finish();
        };
        let stop = async {
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
            done = stop => done,
        };
        match outcome {
            Ok(_) => true,
            Err(QueryError::Cancelled) => {
                self.screen.say("(stopped)");
                false
            }
            Err(error) => {
                say(error);
                false
            }
        }
    }

    /// Nothing is kept, so there is nothing to go on with.
    pub async fn end(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
}

fn show(screen: &mut Screen, event: &QueryEvent) {
    match event {
        QueryEvent::Text(text) => screen.text(text),
        QueryEvent::ToolStarted { summary, .. } => screen.call(summary),
        QueryEvent::ToolFinished { result, .. } => screen.result(&result.content),
        QueryEvent::Progress(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
    }
}
