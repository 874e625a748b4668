//! The running agent: content blocks, messages, events, and the loop that produces them.
//!
//! - [`content`](Content) (chapter 14): [`Content`], [`Message`] and [`StopReason`].
//! - [`usage`](Usage) (chapter 14): token counts, prices, caching and thinking settings.
//! - `json` (chapter 14): strict JSON for these types. A field that does not fit is an
//!   error that names the field.
//! - `message`, `extension` (chapter 15): [`LlmMessage`], [`ExtensionMessage`] and
//!   [`AgentMessage`], the two lanes of a history.
//! - `events` (chapter 16): [`AgentEvent`], and the grammar of their order.
//! - `message_so_far` (chapter 16): [`MessageSoFar`], the reply in the event of each delta.
//! - `model` (chapter 16): [`LanguageModel`]; `adapter` makes one from any provider.
//! - `agent`, `builder`, `settings`, `saved_state` (chapter 16): [`Agent`] and its parts.
//! - `steering` (chapter 16): [`AgentHandle`], the queues it fills, and [`InputFilter`].
//! - `run` (chapter 16): [`AgentLoop`], from the whole loop down to one model request and
//!   its tool calls.

mod content;
pub mod json;
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
    reason = "every file is named after its main type, and here that is `Agent`"
)]
mod agent;
#[cfg(feature = "ch16")]
mod builder;
#[cfg(feature = "ch16")]
mod error;
#[cfg(feature = "ch16")]
mod events;
#[cfg(feature = "ch16")]
mod message_so_far;
#[cfg(feature = "ch16")]
mod model;
#[cfg(feature = "ch16")]
mod prompt;
#[cfg(feature = "ch16")]
mod run;
#[cfg(feature = "ch16")]
mod saved_state;
#[cfg(feature = "ch16")]
mod settings;
#[cfg(feature = "ch16")]
mod steering;

pub use content::*;
pub use json::unknown::Unknown;
pub use usage::*;

#[cfg(feature = "ch15")]
pub use {extension::*, message::*};

#[cfg(feature = "ch16")]
pub use {
    adapter::*, agent::*, builder::*, error::*, events::*, message_so_far::MessageSoFar, model::*,
    prompt::*, run::*, saved_state::*, settings::*, steering::*,
};
