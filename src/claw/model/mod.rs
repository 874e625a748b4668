//! The model that `claw` talks to.
//!
//! `endpoint` selects a model by the command line and the environment, `connection` makes it
//! ready, and `language_model` is its client for the agent of chapter 16.

mod connection;
mod endpoint;
#[cfg(feature = "ch20")]
mod language_model;

pub use connection::*;
pub use endpoint::*;
#[cfg(feature = "ch20")]
pub use language_model::*;
