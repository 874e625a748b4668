//! A conversation on the agent of chapter 16, saved in the history of chapter 20.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use tokio::sync::mpsc;

use super::event_printer::{EventPrinter, message_row};
use super::resume_summary::resume_summary;
use super::save_gate::{SaveGate, SaveRequest};
use super::turn_outcome::outcome_message;
use crate::agent::{
    Agent, AgentBuilder, AgentEvent, AgentEvents, AgentMessage, Content, Message, Prompt,
    StopReason, ThinkingLevel, now_ms, to_types,
};
use crate::claw::image_file;
use crate::claw::model::{ModelConnection, language_model};
use crate::claw::options::Options;
use crate::claw::output::report;
use crate::claw::permissions::{AskedQuestion, UserApprover, answer};
use crate::claw::planning::{ProposedPlan, SessionPlan, review};
use crate::claw::repl_command::{ReplCommand, help};
use crate::claw::session_hooks::{SessionHooks, hook_session};
use crate::claw::sessions::BackgroundWriter;
use crate::claw::terminal::{Input, Screen};
use crate::claw::tool_selection::selected_tools;
use crate::engine::DidYouMean;
use crate::hooks::{HookGate, published_mode};
use crate::permission::{Answer, PermissionGate};
use crate::plan::{PlanReview, TodoList};
use crate::prompt::{Environment, Git, SystemPrompt, agent_prompt};
use crate::types;

/// A conversation with the selected model.
pub struct Conversation {
    agent: Agent,
    printer: EventPrinter,
    session: BackgroundWriter,
    /// Sent by the [`SaveGate`].
    save_requests: mpsc::Receiver<SaveRequest>,
    /// Questions about calls that wait for the user.
    questions: mpsc::Receiver<AskedQuestion>,
    plan: SessionPlan,
    /// Plans that wait for the user's review.
    plans: mpsc::Receiver<ProposedPlan>,
    /// The messages of the running loop, which the agent's history does not have yet.
    loop_messages: Vec<AgentMessage>,
    /// The folder in which the tools work.
    folder: PathBuf,
    lacked_permission: bool,
    hooks: SessionHooks,
    /// Attached to the next prompt.
    images: Vec<Content>,
    takes_images: bool,
    /// Prompts of the user that the running turn has not taken up yet.
    queued: Vec<Message>,
    description: String,
    /// Keeps the offline model's server running.
    _offline_server: Option<claw_offline::Server>,
}

impl Conversation {
    /// Connects to the selected model, and starts a session or resumes the selected one.
    pub async fn open(options: &Options) -> Result<Self> {
        let folder = std::env::current_dir().context("cannot find the current folder")?;
        let model = ModelConnection::open(options).await?;
        let thinking = options.thinking.unwrap_or_default();
        let takes_images = model.api.has_images_and_thinking();
        if thinking != ThinkingLevel::Off && !takes_images {
            bail!(
                "Chat Completions carries no thinking; leave out --thinking, or use another --api"
            );
        }
        let environment = Environment::read(&folder, SystemTime::now(), &Git::default()).await;
        let (session, resumed) =
            BackgroundWriter::open(&folder, options.session(), &model.config.model)?;
        let history = resumed.as_ref().map_or(&[][..], |it| &it.messages);
        let (plan, plans) = SessionPlan::new(options, &plain_messages(history));
        let tools = selected_tools(&folder, options, &plan)?;
        let mut description = match &resumed {
            Some(resumed) => format!("{}\n{}\n", model.description, resume_summary(resumed)),
            None => model.description.clone(),
        };
        match plan.description() {
            text if text.is_empty() => {}
            text if resumed.is_some() => description += &format!("{text}\n"),
            text => description += &format!("\n{text}"),
        }
        let permissions = Arc::new(options.permissions.session_engine(&folder)?);
        let (approver, questions) = UserApprover::new();
        let approver = Arc::new(approver);
        let mode = published_mode(&plan.permission_mode(options.permissions.mode()));
        let hook_session = hook_session(session.session_id(), &folder, mode);
        let source = resumed.as_ref().map_or("startup", |_| "resume");
        let hooks = SessionHooks::read(&options.hooks, hook_session, source)?;
        let (save_gate, save_requests) = SaveGate::new();
        let agent = AgentBuilder::new(language_model(&model)?)
            .thinking(thinking)
            .system(agent_prompt(&environment).build())
            .tools(tools.tool_set())
            .gate(DidYouMean)
            .gate(plan.gate())
            .gate(PermissionGate::new(permissions, approver.clone()))
            .gate(HookGate::new(hooks.hooks(), approver))
            .gate(plan.reminder())
            .gate(save_gate)
            .session_id(session.session_id())
            .history(resumed.map(|it| it.messages).unwrap_or_default())
            // A larger buffer would let the agent run ahead of what is saved.
            .event_buffer(1)
            .build();
        let mut conversation = Self {
            agent,
            printer: EventPrinter::new(Screen::stdout(), tools.tool_set()),
            session,
            save_requests,
            questions,
            plan,
            plans,
            loop_messages: Vec::new(),
            folder,
            lacked_permission: false,
            hooks,
            images: Vec::new(),
            takes_images,
            queued: Vec::new(),
            description,
            _offline_server: model.offline_server,
        };
        for path in &options.images {
            conversation.attach(path)?;
        }
        Ok(conversation)
    }

    /// A line about the model and, of a resumed session, a summary; for the greeting.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The screen that shows the conversation.
    pub fn screen(&mut self) -> &mut Screen {
        self.printer.screen()
    }

    /// The hooks of the session.
    pub fn hooks(&mut self) -> &mut SessionHooks {
        &mut self.hooks
    }

    /// The text of the last reply; empty if there is none.
    pub fn last_reply(&self) -> String {
        let replies = self.agent.messages().iter().rev();
        let mut replies = replies.filter(|it| it.role() == "assistant");
        replies.next().map(message_row).unwrap_or_default()
    }

    /// Plan mode.
    pub fn plan(&self) -> &SessionPlan {
        &self.plan
    }

    /// The agent's todo list.
    pub fn todos(&self) -> TodoList {
        let messages = [self.agent.messages(), &self.loop_messages].concat();
        TodoList::from_messages(&plain_messages(&messages))
    }

    /// Attaches an image to the next prompt. It is an error if the API carries no images, or
    /// the file is not an image.
    pub fn attach(&mut self, path: &Path) -> Result<()> {
        if !self.takes_images {
            bail!(
                "cannot attach {}: claw sends only text over Chat Completions; use another --api for images",
                path.display()
            );
        }
        self.images.push(image_file::read(path)?);
        Ok(())
    }

    /// Runs one turn, shows it and saves it as it happens. Lines that are typed meanwhile
    /// redirect it; Ctrl-C stops the turn only. Returns whether the turn completed.
    pub async fn turn(&mut self, prompt: &str, input: &mut Input) -> bool {
        let history = plain_messages(self.agent.messages());
        let prompt = self.plan.prompt(prompt, &history);
        let mut prompt = Prompt::from(self.user_message(&prompt));
        let reason = loop {
            let mut events = self.agent.prompt(prompt);
            self.watch(&mut events, input).await;
            let reason = self.agent.finish().await.unwrap_or(StopReason::Stop);
            self.loop_messages.clear();
            // Lines can arrive after the agent has looked at its queues for the last time.
            let queues = self.agent.handle().queues();
            let has_more = queues.steering.has_model_input() || queues.follow_up.has_model_input();
            let may_continue = input.interrupts.exit_code().is_none();
            match reason {
                StopReason::Stop | StopReason::Length if has_more && may_continue => {
                    prompt = Prompt::Messages(Vec::new());
                }
                reason => break reason,
            }
        };
        self.drop_queued();
        match outcome_message(&self.agent, &reason) {
            _ if reason == StopReason::Aborted => self.screen().message("(stopped)"),
            Some(message) => report(message),
            None => {}
        }
        matches!(reason, StopReason::Stop | StopReason::Length)
    }

    /// Clears the queues after a turn and shows which prompts were not sent.
    fn drop_queued(&mut self) {
        self.agent.handle().clear_queues();
        for message in std::mem::take(&mut self.queued) {
            let note = format!("(not sent: {})", message_row(&message.into()));
            self.printer.screen().note(&note);
        }
    }

    /// Whether a call was refused because nobody could be asked.
    pub fn lacked_permission(&self) -> bool {
        self.lacked_permission
    }

    /// Ends the session and returns how to resume it, if it was saved. The error names the
    /// messages that are not saved.
    pub async fn end(&mut self) -> Result<Option<String>> {
        self.session.end(self.agent.usage()).await
    }

    /// Shows and saves the events of one loop, up to the last, and handles the user's input.
    async fn watch(&mut self, events: &mut AgentEvents, input: &mut Input) {
        let mut is_typing = input.lines.is_terminal;
        loop {
            tokio::select! {
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
                Some(asked) = self.questions.recv() => {
                    // What led to the question was sent as events before it.
                    while let Ok(event) = events.try_recv() {
                        self.on_event(event).await;
                    }
                    self.on_question(asked, input).await;
                    is_typing &= !input.lines.is_closed();
                }
                Some(proposed) = self.plans.recv() => {
                    while let Ok(event) = events.try_recv() {
                        self.on_event(event).await;
                    }
                    self.on_plan(proposed, input).await;
                    is_typing &= !input.lines.is_closed();
                }
                Some(notice) = self.hooks.notices.recv() => {
                    self.printer.screen().end_line();
                    if SessionHooks::report_notice(notice) {
                        self.agent.abort();
                    }
                }
                command = input.lines.next(), if is_typing => match command {
                    None | Some(ReplCommand::Exit) => {
                        input.lines.close();
                        is_typing = false;
                        self.printer.screen().note("(claw ends when this is done; Ctrl-C stops it)");
                    }
                    Some(command) => self.on_command(command, input).await,
                },
                () = input.interrupts.next() => {
                    input.lines.discard_pending();
                    self.agent.abort();
                }
            }
            // Without a reader there is no use for the rest of the turn.
            if self.screen().write_error().is_some() {
                self.agent.abort();
            }
        }
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

    /// Asks the user about a call. Ctrl-C stops the turn, so that the call does not run.
    async fn on_question(&mut self, asked: AskedQuestion, input: &mut Input) {
        if input.lines.is_terminal {
            self.hooks.notify(&asked.question);
        }
        let screen = self.printer.screen();
        match answer(&asked.question, &self.folder, screen, input).await {
            Some(answer) => {
                self.lacked_permission |= answer == Answer::NobodyToAsk;
                asked.answer(answer);
            }
            None => self.agent.abort(),
        }
    }

    /// Has the user review a plan. Ctrl-C stops the turn, so that the plan is not approved.
    async fn on_plan(&mut self, proposed: ProposedPlan, input: &mut Input) {
        match review(&proposed.plan, self.printer.screen(), input).await {
            Some(review) => {
                self.lacked_permission |= review == PlanReview::NobodyToAsk;
                proposed.answer(review);
            }
            None => self.agent.abort(),
        }
    }

    /// Handles a line that is typed while a turn runs.
    async fn on_command(&mut self, command: ReplCommand, input: &mut Input) {
        let note = match command {
            ReplCommand::Prompt(text) => {
                let Some(message) = self.queue(&text, input).await else {
                    return;
                };
                self.agent.steer(message);
                format!("(queued, for the next step: {text})")
            }
            ReplCommand::Then(text) => {
                let Some(message) = self.queue(&text, input).await else {
                    return;
                };
                self.agent.follow_up(message);
                format!("(queued, for when this is done: {text})")
            }
            ReplCommand::Image(path) => match self.attach(&path) {
                Ok(()) => attached_note(&path),
                Err(error) => format!("({error:#})"),
            },
            ReplCommand::Invalid(message) => format!("({message})"),
            ReplCommand::Help => return self.screen().message(&help()),
            ReplCommand::Plan(is_on) => self.plan.switch(is_on).to_string(),
            ReplCommand::Todos => {
                let list = self.todos().to_string();
                return self.screen().todos(&list);
            }
            ReplCommand::Empty | ReplCommand::Unfinished | ReplCommand::Exit => return,
        };
        self.printer.screen().note(&note);
    }

    /// Makes a message that waits for its place in the running turn. `None` if a hook blocks it.
    async fn queue(&mut self, text: &str, input: &mut Input) -> Option<Message> {
        self.screen().end_line();
        let prompt = self.hooks.submit_prompt(text, input).await?;
        let message = self.user_message(&prompt);
        self.queued.push(message.clone());
        Some(message)
    }

    /// The user's message, with the attached images before the text.
    fn user_message(&mut self, text: &str) -> Message {
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

/// The messages of the model's lane as chapter 1's messages.
fn plain_messages(messages: &[AgentMessage]) -> Vec<types::Message> {
    let no_prompt = SystemPrompt {
        text: String::new(),
        cache_boundary: 0,
    };
    let messages = messages.iter().filter_map(|it| it.as_llm()).cloned();
    to_types(&no_prompt, &messages.collect::<Vec<_>>())
}

/// The confirmation that an image is attached.
pub fn attached_note(path: &Path) -> String {
    format!("({} is attached to your next prompt)", path.display())
}
