//! A conversation with the selected model, turn by turn.
//!
//! There is one `Conversation` for each engine, with the same methods, and the open chapters
//! decide which one is compiled:
//!
//! - `query_conversation` runs on the `QueryEngine` of chapter 4;
//! - `agent_conversation`, from chapter 20 on, runs on the `Agent` of chapter 16, takes input
//!   during a turn, and saves its messages as a session.

#[cfg(feature = "ch20")]
mod agent_conversation;
#[cfg(not(feature = "ch20"))]
mod query_conversation;

#[cfg(feature = "ch20")]
pub use agent_conversation::*;
#[cfg(not(feature = "ch20"))]
pub use query_conversation::*;
