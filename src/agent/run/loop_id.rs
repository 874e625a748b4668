//! Loop ids: `{session}.{config}.{N}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::agent::ThinkingLevel;

/// The config id of an agent that runs as a tool of another agent.
pub const SUB_AGENT: &str = "sub";

/// `name` with every character that is neither alphanumeric nor `-` replaced by `-`.
pub fn slug(name: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || c == '-';
    name.chars()
        .map(|c| if keep(c) { c } else { '-' })
        .collect()
}

/// The default config id: the provider, a dot, the slug of the model and, when thinking is
/// on, a dot and the level as JSON spells it.
pub fn config_id(provider: &str, model: &str, thinking: ThinkingLevel) -> String {
    let level = match thinking {
        ThinkingLevel::Off => "",
        ThinkingLevel::Minimal => ".minimal",
        ThinkingLevel::Low => ".low",
        ThinkingLevel::Medium => ".medium",
        ThinkingLevel::High => ".high",
    };
    format!("{provider}.{}{level}", slug(model))
}

/// The number of loops in a session, for each config id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LoopCounts(BTreeMap<String, u64>);

impl LoopCounts {
    /// Counts a loop and returns its id. Numbers begin at 1 for each config id, and no id is
    /// returned twice.
    pub fn next(&mut self, session: &str, config: &str) -> String {
        let count = self.0.entry(config.to_string()).or_default();
        *count += 1;
        format!("{session}.{config}.{count}")
    }
}
