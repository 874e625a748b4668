//! What the tools `glob` and `grep` are made of, on the libraries of ripgrep.
//!
//! A [`Query`] says which lines are meant and a [`Scope`] which files. [`compile`] turns
//! the first into a matcher, [`Tree::open`] the second into a walk. The walk meets files
//! in any order, on several threads; [`Search`] looks through each of them for [`Hits`],
//! and [`Kept`] keeps the first in path order, as many as an answer has room for.

mod excerpt;
mod file;
mod filter;
mod hits;
mod kept;
mod kind;
mod page;
mod query;
mod tree;

pub use excerpt::*;
pub use file::*;
pub use filter::*;
pub use hits::*;
pub use kept::*;
pub use kind::*;
pub use page::*;
pub use query::*;
pub use tree::*;
