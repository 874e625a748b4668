//! The vocabulary of a running agent: content blocks, messages and what they cost.
//!
//! - `content` (chapter 14): [`Content`], [`Message`] and [`StopReason`].
//! - `usage` (chapter 14): [`Usage`] and what it costs; caching and thinking.
//! - `object` (chapter 14) reads a JSON object strictly, and `fields` a [`Message`] with it.
//! - `message` (chapter 15): [`LlmMessage`] and [`AgentMessage`], the two lanes.
//! - `extension` (chapter 15): [`ExtensionMessage`], which no model ever sees.

mod content;
mod fields;
mod object;
mod usage;

#[cfg(feature = "ch15")]
mod extension;
#[cfg(feature = "ch15")]
mod message;

pub use content::*;
pub use usage::*;

#[cfg(feature = "ch15")]
pub use extension::*;
#[cfg(feature = "ch15")]
pub use message::*;
