//! The vocabulary of a host, the program that shows a run: what a model said and was told,
//! and beside it what only people and plugins see.
//!
//! - `message`: [`AgentMessage`], one entry of a transcript.
//! - `content`: the blocks that it is made of.
//! - `wire`: [`WireMessage`], all of an entry that a provider may see.
//! - `to_agent` and `from_agent`: to the messages of [`agent`](crate::agent) and back, with
//!   a list of what is lost on the way.
//! - [`narrate`]: one sentence for each call of a tool, for people.
//! - `recorder`: [`Recorder`], which makes a transcript of what a running agent tells.

mod content;
mod from_agent;
mod message;
pub mod narrate;
mod recorder;
mod to_agent;
mod wire;

pub use content::*;
pub use from_agent::*;
pub use message::*;
pub use recorder::*;
pub use to_agent::*;
pub use wire::*;
