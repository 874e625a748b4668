//! Helpers that the tests of several chapters share.
#![allow(
    dead_code,
    unused_imports,
    reason = "each chapter uses a part of these"
)]

mod json;
mod temp_folder;

pub use json::*;
pub use temp_folder::*;
