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

mod call;
mod dispatch;
mod error;
mod event;
mod gate;
mod pairing;
mod progress;
mod query;
mod reply;
mod request;

pub use call::*;
pub use dispatch::*;
pub use error::*;
pub use event::*;
pub use gate::*;
pub use pairing::*;
pub use progress::*;
pub use query::*;
pub use reply::*;
