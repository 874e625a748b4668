//! The vocabulary of a running agent: content blocks, messages and what they cost.
//!
//! - `content` (chapter 14): [`Content`], [`Message`] and [`StopReason`].
//! - `usage` (chapter 14): [`Usage`] and what it costs; caching and thinking.
//! - `object` (chapter 14) reads a JSON object strictly, and `fields` a [`Message`] with it.
//! - `message` (chapter 15): [`LlmMessage`] and [`AgentMessage`], the two lanes.
//! - `extension` (chapter 15): [`ExtensionMessage`], which no model ever sees.
//! - `events`, `continuation` (chapter 16): [`AgentEvent`], what a loop tells and in which
//!   order, and [`ContinuationKind`], where a loop comes from; `loop_id` names it.
//! - `model` (chapter 16): [`LanguageModel`] and [`StreamDelta`]; `partial` is a reply that
//!   grows, `adapter` and `to_types` make a model of any provider.
//! - `queue`, `handle`, `filter` (chapter 16): [`AgentHandle`], which steers from outside,
//!   and [`InputFilter`], which it has to pass.
//! - `agent`, `builder`, `prompt`, `settings`, `state`, `record`, `error` (chapter 16):
//!   [`Agent`], what it is made of, and what is kept of it.
//! - `turns`, `turn`, `ask`, `answer` (chapter 16): [`AgentLoop`], from the whole loop down
//!   to one request and its calls. `sink`, `telling`, `child`, `caught`, `crash` and
//!   `pairing` keep its promises: no event lost, no call without a result.

mod content;
mod fields;
mod object;
mod usage;

#[cfg(feature = "ch15")]
mod extension;
#[cfg(feature = "ch15")]
mod message;

#[cfg(feature = "ch16")]
mod adapter;
#[cfg(feature = "ch16")]
#[allow(
    clippy::module_inception,
    reason = "a file has the name of its type, this one too"
)]
mod agent;
#[cfg(feature = "ch16")]
mod answer;
#[cfg(feature = "ch16")]
mod ask;
#[cfg(feature = "ch16")]
mod builder;
#[cfg(feature = "ch16")]
mod caught;
#[cfg(feature = "ch16")]
mod child;
#[cfg(feature = "ch16")]
mod continuation;
#[cfg(feature = "ch16")]
mod crash;
#[cfg(feature = "ch16")]
mod error;
#[cfg(feature = "ch16")]
mod events;
#[cfg(feature = "ch16")]
mod filter;
#[cfg(feature = "ch16")]
mod handle;
#[cfg(feature = "ch16")]
mod loop_id;
#[cfg(feature = "ch16")]
mod model;
#[cfg(feature = "ch16")]
mod pairing;
#[cfg(feature = "ch16")]
mod partial;
#[cfg(feature = "ch16")]
mod prompt;
#[cfg(feature = "ch16")]
mod queue;
#[cfg(feature = "ch16")]
mod record;
#[cfg(feature = "ch16")]
mod settings;
#[cfg(feature = "ch16")]
mod sink;
#[cfg(feature = "ch16")]
mod state;
#[cfg(feature = "ch16")]
mod telling;
#[cfg(feature = "ch16")]
mod to_types;
#[cfg(feature = "ch16")]
mod turn;
#[cfg(feature = "ch16")]
mod turns;

pub use content::*;
pub use usage::*;

#[cfg(feature = "ch15")]
pub use extension::*;
#[cfg(feature = "ch15")]
pub use message::*;

#[cfg(feature = "ch16")]
pub use {
    adapter::*, agent::*, answer::SKIPPED, builder::*, child::*, continuation::*, error::*,
    events::*, filter::*, handle::AgentHandle, loop_id::*, model::*, pairing::*, partial::*,
    prompt::*, queue::*, record::*, settings::*, sink::*, state::*, to_types::*, turns::AgentLoop,
};
