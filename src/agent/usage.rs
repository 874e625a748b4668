//! What a reply costs, in tokens and in dollars, and what makes it cheaper or dearer.

use serde::de::{Deserializer, Error, MapAccess};
use serde::{Deserialize, Serialize};

use crate::agent::json::strict_json::{Draft, field, read, required};

/// The tokens of one reply, or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Tokens read, those of the cache not counted.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Those of [`output`](Self::output) that were spent on thinking, where the provider
    /// counts them.
    pub reasoning: u64,
    /// Tokens read from the provider's prompt cache.
    pub cache_read: u64,
    /// Tokens put into the provider's prompt cache.
    pub cache_write: u64,
    /// The provider's own total. What it counts differs from provider to provider.
    pub total_tokens: u64,
}

impl Usage {
    /// What these tokens cost, in US dollars.
    pub fn estimated_cost(&self, cost: &CostConfig) -> f64 {
        todo!("14.3: write Usage::estimated_cost")
    }

    /// Both together, count by count. A sum that is too large stays at the largest number.
    pub fn combine(&self, other: &Self) -> Self {
        todo!("14.3: write Usage::combine")
    }

    /// Which part of all that was read came from the cache, from 0 to 1; 0 when nothing
    /// was read.
    pub fn cache_hit_rate(&self) -> f64 {
        todo!("14.3: write Usage::cache_hit_rate")
    }
}

impl<'de> Deserialize<'de> for Usage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read::<UsageDraft, D>(deserializer)
    }
}

/// A [`Usage`] of which some counts are known.
#[derive(Default)]
struct UsageDraft {
    input: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    total_tokens: Option<u64>,
}

impl Draft for UsageDraft {
    type Whole = Usage;

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

/// What a model charges, in US dollars for a million tokens of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CostConfig {
    /// Read, outside the cache.
    pub input: f64,
    /// Written, thinking included.
    pub output: f64,
    /// Read from the cache.
    pub cache_read: f64,
    /// Put into the cache.
    pub cache_write: f64,
}

/// Whether and how requests use the provider's prompt cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheConfig {
    /// Whether they use it at all.
    pub enabled: bool,
    /// Where the cached part ends.
    pub strategy: CacheStrategy,
}

impl Default for CacheConfig {
    fn default() -> Self {
        todo!("14.4: write CacheConfig::default")
    }
}

/// Which parts of a request are to be cached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CacheStrategy {
    /// The provider's connection decides.
    #[default]
    Auto,
    /// None.
    Disabled,
    /// Those that are chosen here.
    Manual {
        /// The system prompt.
        cache_system: bool,
        /// The tools' definitions.
        cache_tools: bool,
        /// The messages so far.
        cache_messages: bool,
    },
}

/// How much a model is to think before it answers.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum ThinkingLevel {
    /// Not at all.
    #[default]
    Off,
    /// As little as the model can.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}
