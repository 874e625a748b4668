//! What a conversation costs, in tokens and in dollars.

use serde::{Deserialize, Serialize};

/// The tokens of one reply, as the provider reported them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens the model read.
    pub input_tokens: u64,
    /// Tokens the model wrote.
    pub output_tokens: u64,
    /// Tokens served from the provider's prompt cache, at a lower price. Providers
    /// without a cache leave the field out: zero.
    #[serde(default)]
    pub cache_read_tokens: u64,
    /// Tokens newly put into that cache. Left out like the one above: zero.
    #[serde(default)]
    pub cache_creation_tokens: u64,
}

impl TokenUsage {
    /// Tokens read and written, those of the cache not counted.
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
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
        self.input_tokens += usage.input_tokens;
        self.output_tokens += usage.output_tokens;
        self.cache_read_tokens += usage.cache_read_tokens;
        self.cache_creation_tokens += usage.cache_creation_tokens;
        self.cost_usd += cost;
        self.turn_count += 1;
    }
}
