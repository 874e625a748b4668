//! The tools, and how a tool call is executed.
//!
//! [`execute`] (chapter 3) turns every call into a result: it [validates](validate) the
//! arguments, [runs the tool](validate_and_call) and [truncates](truncate_result) the result.
//! [`ListTool`] is the first tool.
//!
//! Files (chapter 6): [`ReadTool`], [`WriteTool`], [`EditTool`] and [`MultiEditTool`] share
//! a [`Workspace`], which knows what was read. A [`TextFile`] preserves what a model does not
//! see of a file, [`replace_file`] replaces a file in one step, and [`explain_mismatch`] says
//! why an edit found nothing.
//!
//! [`BashTool`] (chapter 7) runs commands by means of [`shell`]. [`GlobTool`] and
//! [`GrepTool`] (chapter 8) find files and lines. Their parts are in [`search`].
//!
//! [`Registry`] (chapter 9) holds all tools.

mod calls;
mod files;
mod list;

#[cfg(feature = "ch6")]
mod edit;
#[cfg(feature = "ch6")]
mod multi_edit;
#[cfg(feature = "ch6")]
mod read;
#[cfg(feature = "ch6")]
mod write;

#[cfg(all(unix, feature = "ch7"))]
mod bash;
#[cfg(all(unix, feature = "ch7"))]
pub mod shell;

#[cfg(feature = "ch8")]
mod glob;
#[cfg(feature = "ch8")]
mod grep;
#[cfg(feature = "ch8")]
pub mod search;

#[cfg(feature = "ch9")]
mod catalog;
#[cfg(feature = "ch9")]
mod registry;

pub use calls::*;
pub use files::*;
pub use list::*;

#[cfg(feature = "ch6")]
pub use {edit::*, multi_edit::*, read::*, write::*};

#[cfg(all(unix, feature = "ch7"))]
pub use bash::*;

#[cfg(feature = "ch8")]
pub use {glob::*, grep::*};

#[cfg(feature = "ch9")]
pub use {catalog::*, registry::*};
