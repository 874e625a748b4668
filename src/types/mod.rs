//! The types of a conversation: messages, tools, permissions and token counts.
//!
//! Each of the four files holds one concept. This module re-exports all of them, so other
//! code writes `types::Message` without naming the file.

mod message;
mod permission;
mod tool;
mod usage;

pub use message::*;
pub use permission::*;
pub use tool::*;
pub use usage::*;
