//! How a loop was started, and with which settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::{CacheConfig, ThinkingLevel};

/// How a loop was started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContinuationKind {
    /// The agent had no loop and no history before it.
    #[default]
    Initial,
    /// It continues the history.
    Default,
    /// It repeats the last loop.
    Rerun {
        /// The application's name for the attempt.
        tag: String,
    },
    /// It branches off the history of the last loop.
    Branch {
        /// The application's name for the branch.
        tag: String,
    },
    /// It continues a compacted history.
    Compaction,
}

impl ContinuationKind {
    /// The trigger of the first turn of such a loop without a prompt:
    /// [`User`](TurnTrigger::User) for `Initial`, [`Branch`](TurnTrigger::Branch) for `Branch`,
    /// otherwise [`Continuation`](TurnTrigger::Continuation). With a prompt it is `User`, and in the
    /// first loop of an agent that runs as a tool [`SubAgent`](TurnTrigger::SubAgent). Later turns are
    /// always continuations.
    pub fn trigger(&self) -> TurnTrigger {
        match self {
            Self::Initial => TurnTrigger::User,
            Self::Branch { .. } => TurnTrigger::Branch,
            Self::Default | Self::Rerun { .. } | Self::Compaction => TurnTrigger::Continuation,
        }
    }
}

/// What triggers a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TurnTrigger {
    /// The user's input.
    User,
    /// Another agent, which uses this one as a tool.
    SubAgent,
    /// The loop continues.
    Continuation,
    /// The loop begins on a branch of the history.
    Branch,
}

/// The settings of a loop, as its `AgentStart` carries them.
///
/// As JSON, settings that are `None` are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopConfigSnapshot {
    /// The provider's name.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The name of the settings in loop ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_id: Option<String>,
    /// How much the model should think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_level: Option<ThinkingLevel>,
    /// Whether and how requests use the prompt cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_config: Option<CacheConfig>,
    /// The maximum number of tokens in a reply, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The maximum number of turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u64>,
    /// The settings that this program does not know, such as `base_url` and `temperature`.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}
