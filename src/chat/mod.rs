//! The flat messages that histories keep, and the blocks they are sent as.
//!
//! - [`ChatMessage`] is what a session stores: one text, calls beside it, and whatever
//!   else is known of the message, each in a field of its own.
//! - [`UnifiedMessage`] is what stands between a session and a provider: a list of typed
//!   blocks, in the order in which the model wrote them.
//! - [`to_unified`] and [`from_unified`] are the border between the two. What it costs to
//!   cross it stands in one table, with [`to_unified`].
//! - `responses`, `messages` and `completions` (chapter 19) are the borders to the three
//!   APIs, both ways, each with its table; `items` holds the types of the first, `pieces`
//!   and `text_or` what they share, and `agent` leads to them from a running agent's messages.

mod blocks;
mod call;
mod conversation;
mod message;
mod unified;

#[cfg(feature = "ch19")]
mod agent;
#[cfg(feature = "ch19")]
mod completions;
#[cfg(feature = "ch19")]
mod items;
#[cfg(feature = "ch19")]
mod messages;
#[cfg(feature = "ch19")]
mod pieces;
#[cfg(feature = "ch19")]
mod responses;
#[cfg(feature = "ch19")]
mod text_or;

pub use call::*;
pub use conversation::*;
pub use message::*;
pub use unified::*;

#[cfg(feature = "ch19")]
pub use {
    agent::*, completions::*, items::*, messages::*, pieces::REFUSAL, responses::*, text_or::*,
};
