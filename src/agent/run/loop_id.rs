//! The names of loops: `{session}.{config}.{N}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::agent::ThinkingLevel;

/// The config id of a loop that runs as a tool of another agent.
pub const SUB_AGENT: &str = "sub";

/// `name` with a `-` in place of every character that is neither alphanumeric nor `-`.
pub fn slug(name: &str) -> String {
    todo!("16.2: write slug")
}

/// The config id of settings that were given none: the provider, a dot, the slug of the
/// model and, when thinking is on, a dot and its level as JSON spells it.
pub fn config_id(provider: &str, model: &str, thinking: ThinkingLevel) -> String {
    todo!("16.2: write config_id")
}

/// How many loops a session has had, for each config id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LoopCounts(BTreeMap<String, u64>);

impl LoopCounts {
    /// The id of the next loop of `session` with this config id. It counts from 1, for
    /// each config id by itself, and no id comes twice.
    pub fn next(&mut self, session: &str, config: &str) -> String {
        todo!("16.2: write LoopCounts::next")
    }
}
