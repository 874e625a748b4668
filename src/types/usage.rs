//! The cost of a conversation, in tokens and in dollars.

use serde::{Deserialize, Serialize};

/// The tokens of one reply, as reported by the provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens that the model read, without those read from or written to the prompt cache.
    pub input_tokens: u64,
    /// Tokens that the model wrote.
    pub output_tokens: u64,
}

impl TokenUsage {
    /// Input and output tokens, without those of the cache.
    pub fn total_tokens(&self) -> u64 {
        todo!("token-usage-and-model-usage: write TokenUsage::total_tokens")
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
        todo!("token-usage-and-model-usage: write ModelUsage::record")
    }
}
