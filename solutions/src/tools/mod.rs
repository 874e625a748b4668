//! From a tool call to a result, whatever goes wrong on the way.
//!
//! [`execute`] is the road; the other modules are its stations: arguments are checked
//! ([`validate`]), the tool runs, and its output is cut to a size that a model can read
//! ([`bounded`]). [`ListTool`] is the first real tool on it.
//!
//! Files (chapter 6): [`ReadTool`], [`WriteTool`], [`EditTool`] and [`MultiEditTool`] share
//! a [`Workspace`], which knows what was read. A [`Text`] keeps what a model does not see
//! of a file, [`replace_file`] swaps a file in one step, and [`explain_miss`] says why an edit
//! found nothing.
//!
//! [`BashTool`] (chapter 7) runs commands; what that takes is in [`shell`]. [`GlobTool`] and
//! [`GrepTool`] (chapter 8) find files and lines, and what both are made of is in [`search`].
//!
//! [`Registry`] (chapter 9) is the one place that knows every tool.

mod execute;
mod list;
mod resolve;
mod schema;
mod truncate;
mod validate;

#[cfg(feature = "ch6")]
mod atomic;
#[cfg(feature = "ch6")]
mod attachment;
#[cfg(feature = "ch6")]
mod edit;
#[cfg(feature = "ch6")]
mod file_error;
#[cfg(feature = "ch6")]
mod find;
#[cfg(feature = "ch6")]
mod load;
#[cfg(feature = "ch6")]
mod multi_edit;
#[cfg(feature = "ch6")]
mod near;
#[cfg(feature = "ch6")]
mod place;
#[cfg(feature = "ch6")]
mod read;
#[cfg(feature = "ch6")]
mod text;
#[cfg(feature = "ch6")]
mod workspace;
#[cfg(feature = "ch6")]
mod write;

#[cfg(feature = "ch7")]
mod bash;
#[cfg(feature = "ch7")]
pub mod shell;

#[cfg(feature = "ch8")]
mod glob;
#[cfg(feature = "ch8")]
mod grep;
#[cfg(feature = "ch8")]
pub mod search;

#[cfg(feature = "ch9")]
mod admissible;
#[cfg(feature = "ch9")]
mod dynamic;
#[cfg(feature = "ch9")]
mod nearest;
#[cfg(feature = "ch9")]
mod registry;
#[cfg(feature = "ch9")]
mod shared;
#[cfg(feature = "ch9")]
mod standard;
#[cfg(feature = "ch9")]
mod strict;
#[cfg(feature = "ch9")]
mod subset;
#[cfg(feature = "ch9")]
mod suggest;
#[cfg(feature = "ch9")]
mod wire;

pub use execute::*;
pub use list::*;
pub use resolve::*;
pub use schema::*;
pub use truncate::*;
pub use validate::*;

#[cfg(feature = "ch6")]
pub use {
    atomic::*, attachment::*, edit::*, file_error::*, find::*, load::*, multi_edit::*, near::*,
    place::*, read::*, text::*, workspace::*, write::*,
};

#[cfg(feature = "ch7")]
pub use bash::*;

#[cfg(feature = "ch8")]
pub use glob::*;
#[cfg(feature = "ch8")]
pub use grep::*;

#[cfg(feature = "ch9")]
pub use admissible::*;
#[cfg(feature = "ch9")]
pub use dynamic::*;
#[cfg(feature = "ch9")]
pub use nearest::*;
#[cfg(feature = "ch9")]
pub use registry::*;
#[cfg(feature = "ch9")]
pub use shared::*;
#[cfg(feature = "ch9")]
pub use strict::*;
#[cfg(feature = "ch9")]
pub use suggest::*;
#[cfg(feature = "ch9")]
pub use wire::*;
