//! Where a loop comes from, and what it runs with.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::{CacheConfig, ThinkingLevel};

/// How a loop came about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContinuationKind {
    /// It is the first.
    #[default]
    Initial,
    /// It goes on from where the last one ended.
    Default,
    /// It does the last one over.
    Rerun {
        /// The application's name for the attempt.
        tag: String,
    },
    /// It leaves the history of the last one at some point.
    Branch {
        /// The application's name for the branch.
        tag: String,
    },
    /// It goes on from a history that was compacted.
    Compaction,
}

impl ContinuationKind {
    /// What brings about the first turn of a loop that was continued in this way: the user,
    /// if it is the first, a branch, if it leaves on one, and otherwise that it goes on. A
    /// later turn is always a [`TurnTrigger::Continuation`].
    pub fn trigger(&self) -> TurnTrigger {
        todo!("16.2: write ContinuationKind::trigger")
    }
}

/// What brings a turn about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TurnTrigger {
    /// The user asked.
    User,
    /// An agent asked, which has this one as a tool.
    SubAgent,
    /// The loop goes on.
    Continuation,
    /// The loop begins on a branch.
    Branch,
}

/// The settings that a loop runs with.
///
/// As JSON, a setting that is `None` is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopConfigSnapshot {
    /// The provider's name.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The name of the settings, as loop ids have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_id: Option<String>,
    /// How much the model is to think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_level: Option<ThinkingLevel>,
    /// Whether and how requests are cached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_config: Option<CacheConfig>,
    /// How many tokens a reply may have, if that is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// How many turns the loop may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u64>,
    /// The settings that only other programs have, such as `base_url` and `temperature`.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}
