//! What a conversation costs, in tokens and in dollars.

use serde::{Deserialize, Serialize};

/// The tokens of one reply, as the provider reported them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens the model read.
    pub input_tokens: u64,
    /// Tokens the model wrote.
    pub output_tokens: u64,
}

impl TokenUsage {
    /// Tokens read and written, those of the cache not counted.
    pub fn total_tokens(&self) -> u64 {
        todo!("1.11: write TokenUsage::total_tokens")
    }
}

/// The running total of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelUsage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens served from the prompt cache.
    pub cache_read_tokens: u64,
    /// Tokens put into the prompt cache.
    pub cache_creation_tokens: u64,
    /// US dollars spent.
    pub cost_usd: f64,
    /// Replies received.
    pub turn_count: u64,
}

impl ModelUsage {
    /// Adds one reply to the totals. `cost` is in US dollars, worked out by the
    /// caller, since each model has a price of its own.
    pub fn record(&mut self, usage: &TokenUsage, cost: f64) {
        todo!("1.11: write ModelUsage::record")
    }
}
