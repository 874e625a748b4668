//! One sentence for each call of a tool, for people: `Ran ls -la.`
//!
//! - `words`: texts cut to one short line, sizes and counts.
//! - `narrator`: [`Narrator`], what a tool's sentences are made by, and [`Narrators`], who
//!   knows all of them.
//! - `files`, `command` and `search`: those of the standard tools.
//!
//! A tool's result is text for a model, and a sentence is made from the call's arguments
//! and that text. The tools know nothing of it.

mod command;
mod files;
mod format;
mod narrator;
mod search;

pub use command::*;
pub use files::*;
pub use format::*;
pub use narrator::*;
pub use search::*;
