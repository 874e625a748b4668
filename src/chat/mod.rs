//! The flat messages that histories keep, and the blocks they are sent as.
//!
//! - [`ChatMessage`] is what a session stores: one text, calls beside it, and whatever
//!   else is known of the message, each in a field of its own.
//! - [`UnifiedMessage`] is what stands between a session and a provider: a list of typed
//!   blocks, in the order in which the model wrote them.
//! - [`to_unified`] and [`from_unified`] are the border between the two. What it costs to
//!   cross it stands in one table, with [`to_unified`].

mod blocks;
mod call;
mod conversation;
mod message;
mod unified;

pub use call::*;
pub use conversation::*;
pub use message::*;
pub use unified::*;
