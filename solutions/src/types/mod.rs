//! The vocabulary of a conversation: messages, tools, permissions, token counts.
//!
//! Four files, one concept each, re-exported here so that the rest of the crate
//! writes `types::Message` and need not know which file it stands in.

mod message;
mod permission;
mod tool;
mod usage;

pub use message::*;
pub use permission::*;
pub use tool::*;
pub use usage::*;
