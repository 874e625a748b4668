//! Rust source files and the items in them.
//!
//! `syn` finds the items, and their spans cut them out of the text. Comments, blank lines and
//! formatting between them stay as they are.

mod file;
mod functions;
mod item;
mod path;
mod rustfmt;
mod search;
mod syntax;
mod text;

pub use file::Source;
pub use functions::Implementation;
pub use item::{Block, Found, Kind};
pub use path::{locate, module_of, top_module};
pub use rustfmt::{has_rustfmt, rustfmt, unformatted};
pub use text::{code_of, declared_modules, dedent, indent_at, tokens_of};
