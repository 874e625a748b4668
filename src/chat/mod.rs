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

mod message;
mod message_blocks;
mod tool_call;
mod unified;
mod unified_conversion;

#[cfg(feature = "ch19")]
mod completions;
#[cfg(feature = "ch19")]
mod from_agent;
#[cfg(feature = "ch19")]
mod messages;
#[cfg(feature = "ch19")]
mod responses;
#[cfg(feature = "ch19")]
mod shared;
#[cfg(feature = "ch19")]
mod string_or_list;

pub use message::*;
pub use tool_call::*;
pub use unified::*;
pub use unified_conversion::*;

#[cfg(feature = "ch19")]
pub use {
    completions::*, from_agent::*, messages::*, responses::*, shared::REFUSAL, string_or_list::*,
};
