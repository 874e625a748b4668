//! Helpers that the tests of several chapters share.
#![allow(
    dead_code,
    unused_imports,
    reason = "each chapter uses a part of these"
)]

#[cfg(feature = "ch3")]
mod busy_thread;
#[cfg(feature = "ch4")]
mod fn_tool;
mod json;
#[cfg(feature = "ch4")]
mod paused_runtime;
#[cfg(feature = "ch16")]
mod scripted_model;
#[cfg(feature = "ch4")]
mod scripted_provider;
mod temp_folder;

#[cfg(feature = "ch3")]
pub use busy_thread::*;
#[cfg(feature = "ch4")]
pub use fn_tool::*;
pub use json::*;
#[cfg(feature = "ch4")]
pub use paused_runtime::*;
#[cfg(feature = "ch16")]
pub use scripted_model::*;
#[cfg(feature = "ch4")]
pub use scripted_provider::*;
pub use temp_folder::*;
