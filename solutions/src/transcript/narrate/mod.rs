//! One sentence for each call of a tool, for people: `Ran ls -la.`
//!
//! - `format`: text on one short line, sizes, counts and reasons.
//! - `narrator`: [`Narrator`], which writes the sentences of one tool.
//! - `narrators`: [`Narrators`], the narrators of all tools by name.
//! - `files`, `command` and `search`: the narrators of the standard tools.
//!
//! A tool's result is text for a model. A narrator makes its sentence from the call's
//! arguments and that text. The tools do not depend on narrators.

mod command;
mod files;
mod format;
mod narrator;
mod narrators;
mod search;

pub use command::*;
pub use files::*;
pub use format::*;
pub use narrator::*;
pub use narrators::*;
pub use search::*;
