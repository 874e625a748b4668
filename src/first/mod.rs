//! An agent in one hour: a model, one tool and a loop.
//!
//! `agent` is the part that you write: [`talk`], [`run_turn`] and what they need. `model` has
//! what it talks to, a [`Model`]. `breakages` has [`BREAKAGES`], six ways in which it fails,
//! each of which a later chapter removes.

mod agent;
mod breakages;
mod model;

pub use agent::*;
pub use breakages::*;
pub use model::*;
