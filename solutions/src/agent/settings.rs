//! The settings of a loop, and the services of an agent.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Map;

use super::{
    AgentEvent, CacheConfig, InputFilter, LanguageModel, LoopConfigSnapshot, Message, ModelRequest,
    ThinkingLevel, config_id,
};
use crate::engine::Dispatcher;
use crate::prompt::SystemPrompt;
use crate::types::ToolDefinition;

/// The model of a loop and the settings of its requests. A loop keeps the settings that it
/// began with until it ends.
#[derive(Clone)]
pub struct Settings {
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// The system prompt.
    pub system: SystemPrompt,
    /// How much the model should think.
    pub thinking: ThinkingLevel,
    /// Whether and how requests use the prompt cache.
    pub cache: CacheConfig,
    /// The maximum number of tokens in a reply; `None` for the model's own limit.
    pub max_tokens: Option<u64>,
    /// The maximum number of turns in a loop; at least 1.
    pub max_turns: u64,
    /// The name of these settings in loop ids; `None` to name them after the model.
    pub config_id: Option<String>,
}

impl Settings {
    /// The name of these settings in loop ids.
    pub fn config_id(&self) -> String {
        let by_model = || config_id(self.model.provider(), self.model.model(), self.thinking);
        self.config_id.clone().unwrap_or_else(by_model)
    }

    /// A request with these settings.
    pub(super) fn request<'a>(
        &'a self,
        messages: &'a [Message],
        tools: &'a [&'a ToolDefinition],
    ) -> ModelRequest<'a> {
        ModelRequest {
            system: &self.system,
            messages,
            tools,
            thinking: self.thinking,
            cache: self.cache,
            max_tokens: self.max_tokens,
        }
    }

    /// The settings as `AgentStart` carries them.
    pub fn snapshot(&self) -> LoopConfigSnapshot {
        LoopConfigSnapshot {
            provider: self.model.provider().to_string(),
            model: self.model.model().to_string(),
            config_id: Some(self.config_id()),
            thinking_level: Some(self.thinking),
            cache_config: Some(self.cache),
            max_tokens: self.max_tokens,
            max_turns: Some(self.max_turns),
            other: Map::new(),
        }
    }
}

/// Returns the current time in milliseconds since 1970. A test can pass a fixed one.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The parts of an agent that all its loops share.
pub(super) struct Services {
    pub dispatcher: Dispatcher,
    pub filters: Vec<Box<dyn InputFilter>>,
    pub clock: Clock,
    /// The number of events that may wait for the reader.
    pub buffer: usize,
}

impl Services {
    /// The definitions of the tools, sorted by name, since a prompt cache needs the same bytes
    /// in each request.
    pub fn sorted_tools(&self) -> Vec<&ToolDefinition> {
        let mut tools = self.dispatcher.tools.definitions();
        tools.sort_by_key(|definition| definition.name);
        tools
    }

    /// The current time as the timestamp of an event.
    pub fn event_time(&self) -> chrono::DateTime<chrono::Utc> {
        super::event_time((self.clock)())
    }
}

/// The receiver of a loop's events.
pub type AgentEvents = tokio::sync::mpsc::Receiver<AgentEvent>;

/// A clock that returns the last time that `clock` returned if `clock` panics.
pub(in crate::agent) fn panic_safe_clock(clock: Clock) -> Clock {
    let last = AtomicU64::new(0);
    Arc::new(move || {
        if let Ok(now) = catch_unwind(AssertUnwindSafe(|| clock())) {
            last.store(now, Ordering::Relaxed);
        }
        last.load(Ordering::Relaxed)
    })
}
