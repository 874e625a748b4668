//! The messages of a host, the program that shows a run: the conversation with the model, and
//! data that only people and plugins see.
//!
//! - `message`: [`AgentMessage`], one entry of a transcript.
//! - `content`: the blocks of an entry.
//! - `wire`: [`WireMessage`], the parts of an entry that a provider may see.
//! - `to_agent` and `from_agent`: conversion to the messages of [`agent`](crate::agent) and
//!   back, with a list of losses.
//! - [`narrate`]: one sentence for each tool call, for people.
//! - `recorder`: [`Recorder`], which makes a transcript from the events of a running agent.

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
