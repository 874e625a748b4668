//! The builder of an agent.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::settings::{Services, panic_safe_clock};
use super::{
    Agent, AgentHandle, AgentMessage, CacheConfig, Clock, InputFilter, LanguageModel, LoopCounts,
    QueueMode, SUB_AGENT, Settings, ThinkingLevel, Usage, now_ms,
};
use crate::engine::{Dispatcher, Gate, QueryConfig};
use crate::prompt::SystemPrompt;
use crate::types::{ToolSet, new_id};

/// Builds an [`Agent`]. The defaults: no tools, chapter 4's limits, new ids, and the
/// system's clock.
pub struct AgentBuilder {
    agent: Agent,
    services: Services,
}

impl Agent {
    /// A builder for an agent that uses `model`.
    pub fn builder(model: impl LanguageModel + 'static) -> AgentBuilder {
        AgentBuilder::new(Arc::new(model))
    }
}

impl AgentBuilder {
    /// A builder for an agent that uses `model`, which other agents may share.
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        let config = QueryConfig::default();
        let services = || Services {
            dispatcher: Dispatcher {
                tools: ToolSet::new(),
                gates: Vec::new(),
                max_result_bytes: config.max_result_bytes,
                max_concurrent: config.max_concurrent,
            },
            filters: Vec::new(),
            clock: Arc::new(now_ms),
            buffer: EVENTS,
        };
        Self {
            agent: Agent {
                services: Arc::new(services()),
                settings: Settings {
                    model,
                    system: SystemPrompt {
                        text: String::new(),
                        cache_boundary: 0,
                    },
                    thinking: ThinkingLevel::Off,
                    cache: CacheConfig::default(),
                    max_tokens: None,
                    max_turns: config.max_turns as u64,
                    config_id: None,
                },
                handle: AgentHandle::default(),
                agent_id: new_id(),
                session_id: new_id(),
                metadata: None,
                caller: None,
                counts: LoopCounts::default(),
                last_loop_id: None,
                history: Vec::new(),
                whole: OnceLock::new(),
                lane: None,
                usage: Usage::default(),
                records: Vec::new(),
                run: None,
            },
            services: services(),
        }
    }

    /// Sets the system prompt.
    pub fn system(mut self, prompt: SystemPrompt) -> Self {
        self.agent.settings.system = prompt;
        self
    }

    /// Sets the tools and replaces any earlier ones.
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.services.dispatcher.tools = tools;
        self
    }

    /// Adds a gate after the existing ones.
    pub fn gate(mut self, gate: impl Gate + 'static) -> Self {
        self.services.dispatcher.gates.push(Box::new(gate));
        self
    }

    /// Adds an input filter after the existing ones.
    pub fn filter(mut self, filter: impl InputFilter + 'static) -> Self {
        self.services.filters.push(Box::new(filter));
        self
    }

    /// Sets the limits of a loop, which are chapter 4's limits of a turn.
    pub fn limits(mut self, limits: QueryConfig) -> Self {
        self.agent.settings.max_turns = limits.max_turns.max(1) as u64;
        self.services.dispatcher.max_result_bytes = limits.max_result_bytes;
        self.services.dispatcher.max_concurrent = limits.max_concurrent.max(1);
        self
    }

    /// Sets how much the model thinks.
    pub fn thinking(mut self, level: ThinkingLevel) -> Self {
        self.agent.settings.thinking = level;
        self
    }

    /// Sets whether and how requests use the prompt cache.
    pub fn cache(mut self, cache: CacheConfig) -> Self {
        self.agent.settings.cache = cache;
        self
    }

    /// Sets the maximum number of tokens in a reply.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.agent.settings.max_tokens = Some(tokens);
        self
    }

    /// Sets the initial history. When the first loop starts, every call in it without a
    /// result gets one. Unless the history is empty, the kind of that loop is
    /// [`ContinuationKind::Default`](super::ContinuationKind::Default).
    pub fn history(mut self, messages: Vec<AgentMessage>) -> Self {
        self.agent.history = messages;
        self
    }

    /// Sets the name of the settings in loop ids.
    pub fn config_id(mut self, id: impl Into<String>) -> Self {
        self.agent.settings.config_id = Some(id.into());
        self
    }

    /// Sets the session's id, which is the first part of each loop id.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.agent.session_id = id.into();
        self
    }

    /// Sets the agent's id.
    pub fn agent_id(mut self, id: impl Into<String>) -> Self {
        self.agent.agent_id = id.into();
        self
    }

    /// Makes the agent a tool of another agent: the parent of its first loop is the loop
    /// `caller`, and its loop ids are `{session}.sub.{N}`.
    pub fn sub_agent_of(mut self, caller: impl Into<String>) -> Self {
        self.agent.caller = Some(caller.into());
        self.config_id(SUB_AGENT)
    }

    /// Sets the application's metadata, which every `AgentStart` carries.
    pub fn metadata(mut self, metadata: Value) -> Self {
        self.agent.metadata = Some(metadata);
        self
    }

    /// Sets how many messages leave the steering queue and the follow-up queue at a time.
    pub fn queue_modes(self, steering: QueueMode, follow_up: QueueMode) -> Self {
        self.agent.handle.set_modes(steering, follow_up);
        self
    }

    /// Sets how many events may wait for the reader; at least 1.
    pub fn event_buffer(mut self, events: usize) -> Self {
        self.services.buffer = events.max(1);
        self
    }

    /// Sets the clock. If a call of it panics, the agent uses the last time that it returned.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.services.clock = panic_safe_clock(clock);
        self
    }

    /// Builds the agent.
    pub fn build(self) -> Agent {
        let mut agent = self.agent;
        agent.services = Arc::new(self.services);
        agent
    }
}

/// The default number of events that may wait for the reader.
const EVENTS: usize = 64;
