//! The agent loop: ask the model, run the calls of its reply, ask again.
//!
//! One rule holds under all of it, whatever fails: **every tool call in the history has
//! exactly one result, in call order, before the next model call.** [`unanswered`] tests
//! a history for it; [`OpenReply`] keeps it.
//!
//! - [`QueryEngine`] is the loop, [`QueryConfig`] its limits, [`QueryError`] why it ends
//!   without a reply.
//! - [`Dispatcher`] is the one road from a call to its result, and [`Gate`] a station on
//!   it: permissions, safety checks and hooks are gates.
//! - [`QueryEvent`] is what a screen is told meanwhile, and [`Reporter`] lets a tool that
//!   runs tell it something too.

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
