//! Opens a conversation: its model, its tools, its gates and its session.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, bail};

use super::event_printer::EventPrinter;
use super::resume_summary::resume_summary;
use super::save_gate::SaveGate;
use super::{Conversation, plain_messages};
use crate::agent::{AgentBuilder, ThinkingLevel};
use crate::claw::model::{ModelConnection, language_model};
use crate::claw::options::Options;
use crate::claw::permissions::UserApprover;
use crate::claw::planning::SessionPlan;
#[cfg(unix)]
use crate::claw::session_hooks::{SessionHooks, hook_session};
use crate::claw::sessions::BackgroundWriter;
use crate::claw::tool_selection::selected_tools;
use crate::engine::DidYouMean;
#[cfg(unix)]
use crate::hooks::{HookGate, published_mode};
use crate::permission::PermissionGate;
use crate::prompt::{Environment, Git, agent_prompt};

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
        #[cfg(unix)]
        let hooks = {
            let mode = published_mode(&plan.permission_mode(options.permissions.mode()));
            let hook_session = hook_session(session.session_id(), &folder, mode);
            let source = resumed.as_ref().map_or("startup", |_| "resume");
            SessionHooks::read(&options.hooks, hook_session, source)?
        };
        let (save_gate, save_requests) = SaveGate::new();
        let agent = AgentBuilder::new(language_model(&model)?)
            .thinking(thinking)
            .system(agent_prompt(&environment).build())
            .tools(tools.tool_set())
            .gate(DidYouMean)
            .gate(plan.gate())
            .gate(PermissionGate::new(permissions, approver.clone()));
        #[cfg(unix)]
        let agent = agent.gate(HookGate::new(hooks.hooks(), approver));
        let agent = agent
            .gate(plan.reminder())
            .gate(save_gate)
            .session_id(session.session_id())
            .history(resumed.map(|it| it.messages).unwrap_or_default())
            // A larger buffer would let the agent run ahead of what is saved.
            .event_buffer(1)
            .build();
        let mut conversation = Self {
            agent,
            printer: EventPrinter::new(options, tools.tool_set(), folder.clone()),
            session,
            save_requests,
            questions,
            plan,
            plans,
            is_stopping: false,
            loop_messages: Vec::new(),
            folder,
            lacked_permission: false,
            #[cfg(unix)]
            hooks,
            outcome: None,
            started: Instant::now(),
            images: Vec::new(),
            takes_images,
            queued: Vec::new(),
            description,
            model: model.description,
            offline_server: model.offline_server,
        };
        for path in &options.images {
            conversation.attach(path)?;
        }
        Ok(conversation)
    }

    /// Uses the model that these options select from now on. Returns a note for the user.
    pub async fn change_model(&mut self, options: &Options) -> Result<String> {
        if options.offline {
            bail!("`--offline` was given; start claw without it");
        }
        let model = ModelConnection::open(options).await?;
        self.agent.settings_mut().model = language_model(&model)?;
        self.takes_images = model.api.has_images_and_thinking();
        self.model = model.description;
        self.offline_server = model.offline_server;
        Ok(format!("(the model is {} now)", self.model))
    }
}
