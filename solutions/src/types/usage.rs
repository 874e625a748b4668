//! The cost of a conversation, in tokens and in dollars.

use serde::{Deserialize, Serialize};

/// The tokens of one reply, as reported by the provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens that the model read, without those read from or written to the prompt cache.
    pub input_tokens: u64,
    /// Tokens that the model wrote.
    pub output_tokens: u64,
    /// Tokens read from the provider's prompt cache, at a lower price. A provider
    /// without a cache leaves the field out, which means zero.
    #[serde(default)]
    pub cache_read_tokens: u64,
    /// Tokens written to the provider's prompt cache. A missing field means zero.
    #[serde(default)]
    pub cache_creation_tokens: u64,
}

impl TokenUsage {
    /// Input and output tokens, without those of the cache.
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}

/// The total usage of a session so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelUsage {
    /// Tokens read, without those read from or written to the prompt cache.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens read from the prompt cache.
    pub cache_read_tokens: u64,
    /// Tokens written to the prompt cache.
    pub cache_creation_tokens: u64,
    /// US dollars spent.
    pub cost_usd: f64,
    /// Replies received.
    pub turn_count: u64,
}

impl ModelUsage {
    /// Adds one reply to the totals. `cost` is in US dollars. The caller computes it,
    /// since each model has its own price.
    pub fn record(&mut self, usage: &TokenUsage, cost: f64) {
        self.input_tokens += usage.input_tokens;
        self.output_tokens += usage.output_tokens;
        self.cache_read_tokens += usage.cache_read_tokens;
        self.cache_creation_tokens += usage.cache_creation_tokens;
        self.cost_usd += cost;
        self.turn_count += 1;
    }
}
