//! The lines that the user edits in a terminal, and those that are typed while a turn runs.
//!
//! [`Editor`] is the conversation's side: it takes a [`Request`]. Its `editor_thread` reads the
//! terminal: at a prompt with `completion` and with a `continued_line`, otherwise with `keys` into
//! the `typed_lines`.

mod completion;
mod continued_line;
mod editor;
mod editor_thread;
#[cfg(unix)]
mod keys;
mod request;
mod typed_lines;

pub use editor::*;
pub use request::*;
