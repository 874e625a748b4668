//! How an agent is put together.

use std::sync::Arc;

use serde_json::Value;

use super::settings::Equipment;
use super::{
    Agent, AgentHandle, AgentMessage, CacheConfig, Clock, InputFilter, LanguageModel, LoopCounts,
    QueueMode, SUB_AGENT, Settings, ThinkingLevel, Usage, now_ms,
};
use crate::agent::run::crash_report::steady;
use crate::engine::{Dispatcher, Gate, QueryConfig};
use crate::prompt::SystemPrompt;
use crate::types::{ToolSet, new_id};

/// Puts an [`Agent`] together. What is not set has a default: no tools, the limits of
/// chapter 4, new ids, the machine's clock.
pub struct AgentBuilder {
    agent: Agent,
    equipment: Equipment,
}

impl AgentBuilder {
    /// An agent that asks this model, which may be shared.
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        let config = QueryConfig::default();
        let equipment = || Equipment {
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
                equipment: Arc::new(equipment()),
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
                history: Arc::default(),
                usage: Usage::default(),
                records: Vec::new(),
                run: None,
            },
            equipment: equipment(),
        }
    }

    /// What the model is told first.
    pub fn system(mut self, prompt: SystemPrompt) -> Self {
        self.agent.settings.system = prompt;
        self
    }

    /// The tools, in place of any it has.
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.equipment.dispatcher.tools = tools;
        self
    }

    /// Adds a gate behind those that are there.
    pub fn gate(mut self, gate: impl Gate + 'static) -> Self {
        self.equipment.dispatcher.gates.push(Box::new(gate));
        self
    }

    /// Adds an input filter behind those that are there.
    pub fn filter(mut self, filter: impl InputFilter + 'static) -> Self {
        self.equipment.filters.push(Box::new(filter));
        self
    }

    /// The limits of a loop: those of a turn in chapter 4.
    pub fn limits(mut self, limits: QueryConfig) -> Self {
        self.agent.settings.max_turns = limits.max_turns.max(1) as u64;
        self.equipment.dispatcher.max_result_bytes = limits.max_result_bytes;
        self.equipment.dispatcher.max_concurrent = limits.max_concurrent.max(1);
        self
    }

    /// How much the model is to think.
    pub fn thinking(mut self, level: ThinkingLevel) -> Self {
        self.agent.settings.thinking = level;
        self
    }

    /// Whether and how requests are cached.
    pub fn cache(mut self, cache: CacheConfig) -> Self {
        self.agent.settings.cache = cache;
        self
    }

    /// How many tokens a reply may have.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.agent.settings.max_tokens = Some(tokens);
        self
    }

    /// The history to begin with. Calls in it without a result get one when the first loop
    /// starts. That loop goes on from it: unless it is empty, its kind is
    /// [`ContinuationKind::Default`](super::ContinuationKind::Default).
    pub fn history(mut self, messages: Vec<AgentMessage>) -> Self {
        self.agent.history = Arc::new(messages);
        self
    }

    /// The name of the settings in loop ids.
    pub fn config_id(mut self, id: impl Into<String>) -> Self {
        self.agent.settings.config_id = Some(id.into());
        self
    }

    /// The session's id, with which loop ids begin.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.agent.session_id = id.into();
        self
    }

    /// The agent's id.
    pub fn agent_id(mut self, id: impl Into<String>) -> Self {
        self.agent.agent_id = id.into();
        self
    }

    /// Makes it the tool of another agent: its first loop has the loop `caller` as its
    /// parent, and its loops are named `{session}.sub.{N}`.
    pub fn sub_agent_of(mut self, caller: impl Into<String>) -> Self {
        self.agent.caller = Some(caller.into());
        self.config_id(SUB_AGENT)
    }

    /// What every `AgentStart` carries for the application.
    pub fn metadata(mut self, metadata: Value) -> Self {
        self.agent.metadata = Some(metadata);
        self
    }

    /// How many messages leave the lines of steering and of follow-ups at a time.
    pub fn queue_modes(self, steering: QueueMode, follow_up: QueueMode) -> Self {
        self.agent.handle.set_modes(steering, follow_up);
        self
    }

    /// How many events may wait for the reader, at least 1.
    pub fn event_buffer(mut self, events: usize) -> Self {
        self.equipment.buffer = events.max(1);
        self
    }

    /// What tells the time. If it crashes, it is still the time that it told last.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.equipment.clock = steady(clock);
        self
    }

    /// The agent.
    pub fn build(self) -> Agent {
        let mut agent = self.agent;
        agent.equipment = Arc::new(self.equipment);
        agent
    }
}

/// How many events wait for the reader if nothing else is said.
const EVENTS: usize = 64;
