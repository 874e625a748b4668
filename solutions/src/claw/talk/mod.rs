//! The conversation, on the engine of the chapters that are open: turn by turn, shown as it
//! happens, and broken off by Ctrl-C.
//!
//! Both engines have the same face: `open`, `about`, `screen`, `turn` and `end`.
//!
//! - `simple` is the loop of chapter 4.
//! - `agent`, from chapter 20 on, is the agent of chapter 16, which can be redirected while
//!   it works. `language` is the model as it asks it; `show` puts its events on the screen,
//!   `ending` says how a turn ended, and `record` keeps its messages as a session.

#[cfg(feature = "ch20")]
mod agent;
#[cfg(feature = "ch20")]
mod ending;
#[cfg(feature = "ch20")]
mod language;
#[cfg(feature = "ch20")]
mod record;
#[cfg(feature = "ch20")]
mod show;
#[cfg(not(feature = "ch20"))]
mod simple;

#[cfg(feature = "ch20")]
pub use {agent::Conversation, show::Show};

#[cfg(not(feature = "ch20"))]
pub use simple::Conversation;
