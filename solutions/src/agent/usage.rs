//! Token counts and prices, and the settings that change them: caching and thinking.

use serde::de::{Deserializer, Error, MapAccess};
use serde::{Deserialize, Serialize};

use crate::agent::json::strict_json::{Draft, field, read, required};

/// The token counts of one reply or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Tokens read, without those that were read from the cache or written to it.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// The part of [`output`](Self::output) that was thinking, if the provider counts it.
    pub reasoning: u64,
    /// Tokens read from the provider's prompt cache.
    pub cache_read: u64,
    /// Tokens written to the provider's prompt cache.
    pub cache_write: u64,
    /// The provider's own total. Providers differ in what they include.
    pub total_tokens: u64,
}

impl Usage {
    /// The cost of these tokens in US dollars, not rounded.
    pub fn estimated_cost(&self, cost: &CostConfig) -> f64 {
        let millionths = self.input as f64 * cost.input
            + self.output as f64 * cost.output
            + self.cache_read as f64 * cost.cache_read
            + self.cache_write as f64 * cost.cache_write;
        millionths / 1_000_000.0
    }

    /// The sum of both, count by count. A sum that does not fit becomes `u64::MAX`.
    pub fn combine(&self, other: &Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            total_tokens: self.total_tokens.saturating_add(other.total_tokens),
        }
    }

    /// `cache_read` divided by the sum of `input`, `cache_read` and `cache_write`, from 0 to 1;
    /// 0 if that sum is 0.
    pub fn cache_hit_rate(&self) -> f64 {
        let read = self.input as f64 + self.cache_read as f64 + self.cache_write as f64;
        if read == 0.0 {
            0.0
        } else {
            self.cache_read as f64 / read
        }
    }
}

impl<'de> Deserialize<'de> for Usage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read::<UsageDraft, D>(deserializer)
    }
}

/// The counts of a [`Usage`] that have been read so far.
#[derive(Default)]
pub(in crate::agent) struct UsageDraft {
    input: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    total_tokens: Option<u64>,
}

impl Draft for UsageDraft {
    type Output = Usage;

    const EXPECTED: &'static str = "token counts: an object with `input` and `output`";

    fn accept<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<bool, A::Error> {
        match name {
            "input" => field(&mut self.input, "input", map),
            "output" => field(&mut self.output, "output", map),
            "reasoning" => field(&mut self.reasoning, "reasoning", map),
            "cache_read" | "cacheRead" => field(&mut self.cache_read, "cache_read", map),
            "cache_write" | "cacheWrite" => field(&mut self.cache_write, "cache_write", map),
            "total_tokens" | "totalTokens" => field(&mut self.total_tokens, "total_tokens", map),
            _ => Ok(false),
        }
    }

    fn finish<E: Error>(self) -> Result<Usage, E> {
        Ok(Usage {
            input: required(self.input, "input")?,
            output: required(self.output, "output")?,
            reasoning: self.reasoning.unwrap_or_default(),
            cache_read: self.cache_read.unwrap_or_default(),
            cache_write: self.cache_write.unwrap_or_default(),
            total_tokens: self.total_tokens.unwrap_or_default(),
        })
    }
}

/// A model's prices, in US dollars per million tokens of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CostConfig {
    /// Tokens read, without those that were read from the cache or written to it.
    pub input: f64,
    /// Tokens written, including thinking.
    pub output: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
}

/// Whether and how requests use the provider's prompt cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheConfig {
    /// Whether requests use the cache.
    pub enabled: bool,
    /// The parts of a request that are cached.
    pub strategy: CacheStrategy,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            strategy: CacheStrategy::Auto,
        }
    }
}

/// The parts of a request that are cached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheStrategy {
    /// The provider's client decides.
    #[default]
    Auto,
    /// No part.
    Disabled,
    /// The parts whose field is true.
    Manual {
        /// The system prompt.
        cache_system: bool,
        /// The tool definitions.
        cache_tools: bool,
        /// The messages so far.
        cache_messages: bool,
    },
}

/// How much the model should think before it answers.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum ThinkingLevel {
    /// Not at all.
    #[default]
    Off,
    /// As little as the model allows.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}
