//! What a loop runs with.

use std::sync::Arc;

use serde_json::Map;

use super::{
    AgentEvent, CacheConfig, InputFilter, LanguageModel, LoopConfigSnapshot, ThinkingLevel,
    config_id,
};
use crate::engine::Dispatcher;
use crate::prompt::SystemPrompt;

/// Which model is asked, and how. A loop runs to its end with the settings that it began
/// with.
#[derive(Clone)]
pub struct Settings {
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// What it is told first.
    pub system: SystemPrompt,
    /// How much it is to think.
    pub thinking: ThinkingLevel,
    /// Whether and how requests are cached.
    pub cache: CacheConfig,
    /// How many tokens a reply may have; `None` for as many as the model can.
    pub max_tokens: Option<u64>,
    /// How many times a loop asks the model at most; at least 1.
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

    /// What an event tells of them.
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

/// What tells the time, in milliseconds since 1970. A test gives one that stands still.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What does not change as long as an agent lives.
pub(super) struct Services {
    pub dispatcher: Dispatcher,
    pub filters: Vec<Box<dyn InputFilter>>,
    pub clock: Clock,
    pub buffer: usize,
}

impl Services {
    /// The time now, as events have it.
    pub fn event_time(&self) -> chrono::DateTime<chrono::Utc> {
        super::event_time((self.clock)())
    }
}

/// The reader's end of a loop's events.
pub type AgentEvents = tokio::sync::mpsc::Receiver<AgentEvent>;
