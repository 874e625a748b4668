//! The flat messages that histories store, and the blocks that APIs receive.
//!
//! - `message`, `tool_call`: [`ChatMessage`], the message of a session, with a field for its
//!   text, its calls, and each other part.
//! - `unified`: [`UnifiedMessage`], a list of typed blocks in the order in which the model
//!   wrote them.
//! - `message_blocks`, `unified_conversion`: conversion between the two. [`to_unified`] has a
//!   table of what it loses.
//! - `responses`, `messages`, `completions` (chapter 19): conversion to and from each API, with
//!   a table of losses. `shared`, `string_or_list` and `open_enum` hold what these have in
//!   common.
//! - `from_agent` (chapter 19): converts a running agent's messages to chat messages.

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
mod open_enum;
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
