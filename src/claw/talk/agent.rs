//! A conversation on the agent of chapter 16, kept by the history of chapter 20.

use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use super::ending::complaint;
use super::language::language;
use super::record::Record;
use super::show::{Show, words_of};
use crate::agent::{
    Agent, AgentBuilder, AgentEvent, AgentEvents, Content, Message, Prompt, StopReason,
    ThinkingLevel, now_ms,
};
use crate::claw::line::Line;
use crate::claw::out::say;
use crate::claw::repl::HELP;
use crate::claw::{Input, Options, Screen, images, model, tools};
use crate::engine::DidYouMean;
use crate::prompt::{Environment, Git, agent_prompt};

/// A conversation with the model that the options choose.
pub struct Conversation {
    agent: Agent,
    show: Show,
    record: Record,
    /// What goes with the next words.
    images: Vec<Content>,
    takes_images: bool,
    /// What waits for its place in the turn that runs.
    waiting: Vec<Message>,
    about: String,
    _server: model::Server,
}

impl Conversation {
    /// A new one, or one that goes on.
    pub async fn open(options: &Options) -> Result<Self> {
        let folder = std::env::current_dir().context("the current folder is gone")?;
        let model = model::ready(options).await?;
        let thinking = options.thinking.unwrap_or_default();
        if thinking != ThinkingLevel::Off && !model.api.is_rich() {
            bail!(
                "Chat Completions carries no thoughts; leave out --thinking, or use another --api"
            );
        }
        let tools = tools::chosen(&folder, options)?;
        let environment = Environment::read(&folder, SystemTime::now(), &Git::default()).await;
        let (record, earlier) = Record::begin(&folder, options, &model.connection.model)?;
        let about = match &earlier {
            Some(earlier) => format!("{}\n{}\n", model.about, earlier.about),
            None => model.about.clone(),
        };
        let agent = AgentBuilder::new(language(&model)?)
            .thinking(thinking)
            .system(agent_prompt(&environment).build())
            .tools(tools.tool_set())
            .gate(DidYouMean)
            .session_id(record.session_id())
            .history(earlier.map(|it| it.messages).unwrap_or_default())
            // As far as the screen is behind the agent, so is the history.
            .event_buffer(1)
            .build();
        let mut conversation = Self {
            agent,
            show: Show::new(Screen::for_stdout(), tools.tool_set()),
            record,
            images: Vec::new(),
            takes_images: model.api.is_rich(),
            waiting: Vec::new(),
            about,
            _server: model.server,
        };
        for path in &options.images {
            conversation.attach(path)?;
        }
        Ok(conversation)
    }

    /// What is said of it first.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Where it is shown.
    pub fn screen(&mut self) -> &mut Screen {
        self.show.screen()
    }

    /// Has the next words go with a picture.
    pub fn attach(&mut self, path: &Path) -> Result<()> {
        if !self.takes_images {
            bail!(
                "cannot show {}: Chat Completions carries text only here; another --api shows pictures",
                path.display()
            );
        }
        self.images.push(images::read(path)?);
        Ok(())
    }

    /// One turn, shown and kept as it happens. Lines that are typed meanwhile redirect it;
    /// Ctrl-C ends it and nothing else. Returns whether it came to its end.
    pub async fn turn(&mut self, prompt: &str, input: &mut Input) -> bool {
        let mut prompt = Prompt::from(self.said(prompt));
        let reason = loop {
            let mut events = self.agent.prompt(prompt);
            self.watch(&mut events, input).await;
            let reason = self.agent.finish().await.unwrap_or(StopReason::Stop);
            // What was typed in the moment in which the agent came to its end.
            let queues = self.agent.handle().queues();
            let is_more = queues.steering.speaks_to_model() || queues.follow_up.speaks_to_model();
            let goes_on = input.interrupts.ended().is_none();
            match reason {
                StopReason::Stop | StopReason::Length if is_more && goes_on => {
                    prompt = Prompt::Messages(Vec::new());
                }
                reason => break reason,
            }
        };
        self.drop_waiting();
        match complaint(&self.agent, &reason) {
            _ if reason == StopReason::Aborted => self.screen().say("(stopped)"),
            Some(words) => say(words),
            None => {}
        }
        matches!(reason, StopReason::Stop | StopReason::Length)
    }

    /// Says what was not said in a turn that is over.
    fn drop_waiting(&mut self) {
        self.agent.handle().clear_queues();
        for message in std::mem::take(&mut self.waiting) {
            let note = format!("(not said: {})", words_of(&message.into()));
            self.show.screen().note(&note);
        }
    }

    /// Notes the end, and returns how to go on, if that can be done. The error says what of
    /// it is not kept.
    pub async fn end(&mut self) -> Result<Option<String>> {
        self.record.end(self.agent.usage()).await
    }

    /// Shows and keeps what one loop tells.
    async fn watch(&mut self, events: &mut AgentEvents, input: &mut Input) {
        let mut is_typing = input.lines.is_terminal;
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.take_in(event).await,
                    None => return,
                },
                line = input.lines.next(), if is_typing => match line {
                    None | Some(Line::End) => {
                        input.lines.end();
                        is_typing = false;
                        self.show.screen().note("(claw ends when this is done; Ctrl-C stops it)");
                    }
                    Some(line) => self.interject(line),
                },
                () = input.interrupts.next() => {
                    input.lines.forget();
                    self.agent.abort();
                }
            }
            // Nobody reads it any more.
            if self.screen().trouble().is_some() {
                self.agent.abort();
            }
        }
    }

    async fn take_in(&mut self, event: AgentEvent) {
        if let AgentEvent::MessageEnd { message, .. } = &event
            && let Some(trouble) = self.record.keep(message).await
        {
            self.show.screen().finish();
            say(trouble);
        }
        self.show.event(&event);
        if let AgentEvent::MessageStart { message, .. } = &event
            && let Some(at) = self
                .waiting
                .iter()
                .position(|it| message.as_llm() == Some(it))
        {
            self.waiting.remove(at);
            let note = format!("> {}", words_of(message));
            self.show.screen().note(&note);
        }
    }

    /// A line that is typed while a turn runs.
    fn interject(&mut self, line: Line) {
        let note = match line {
            Line::Say(words) => {
                let message = self.wait(&words);
                self.agent.steer(message);
                format!("(queued, for the next step: {words})")
            }
            Line::Then(words) => {
                let message = self.wait(&words);
                self.agent.follow_up(message);
                format!("(queued, for when this is done: {words})")
            }
            Line::Image(path) => match self.attach(&path) {
                Ok(()) => format!("({} goes with your next words)", path.display()),
                Err(error) => format!("({error:#})"),
            },
            Line::Wrong(why) => format!("({why})"),
            Line::Help => return self.screen().say(HELP),
            Line::Nothing | Line::Begun | Line::End => return,
        };
        self.show.screen().note(&note);
    }

    /// What is to be said in the turn that runs.
    fn wait(&mut self, words: &str) -> Message {
        let message = self.said(words);
        self.waiting.push(message.clone());
        message
    }

    /// What the user says, with the pictures that go with it.
    fn said(&mut self, words: &str) -> Message {
        let mut content = std::mem::take(&mut self.images);
        content.push(Content::Text {
            text: words.to_string(),
        });
        Message::User {
            content,
            timestamp: now_ms(),
        }
    }
}
