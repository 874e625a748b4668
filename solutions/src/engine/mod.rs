//! The agent loop: ask the model, run the calls of its reply, ask again.
//!
//! One rule holds whatever fails: **every tool call in the history has exactly one result,
//! in call order, before the next model call.** [`unanswered_calls`] checks a history for
//! it, and [`OpenReply`] keeps it.
//!
//! - [`QueryEngine`] is the loop, [`QueryConfig`] holds its limits, and [`QueryError`] lists
//!   why it ends without a reply.
//! - [`Dispatcher`] takes every call to its result. Each [`Gate`] is a step on that path:
//!   permissions, safety checks and hooks are gates.
//! - [`QueryEvent`]s tell a user interface what happens meanwhile. A running tool sends its
//!   progress through a [`Reporter`].

#[cfg(feature = "ch9")]
mod did_you_mean;
mod dispatch;
mod error;
mod event;
mod gate;
mod model_request;
mod open_call;
mod open_reply;
mod pairing;
mod query_engine;

pub use crate::tools::{Reporter, report};
#[cfg(feature = "ch9")]
pub use did_you_mean::*;
pub use dispatch::*;
pub use error::*;
pub use event::*;
pub use gate::*;
pub use open_call::*;
pub use open_reply::*;
pub use pairing::*;
pub use query_engine::*;
