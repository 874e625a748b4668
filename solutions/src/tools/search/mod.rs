//! What the tools `glob` and `grep` are made of, on the libraries of ripgrep.
//!
//! A [`Query`] says which lines are meant and a [`Scope`] which files. [`compile`] turns
//! the first into a matcher, [`Tree::open`] the second into a walk. The walk meets files
//! in any order, on several threads; [`Search`] looks through each of them for [`Hits`],
//! and [`Kept`] keeps the first in path order, as many as an answer has room for.

mod excerpt;
mod file_filter;
mod file_search;
mod file_type;
mod file_walk;
mod hits;
mod query;
mod render;
mod top_k;

pub use excerpt::*;
pub use file_filter::*;
pub use file_search::*;
pub use file_type::*;
pub use file_walk::*;
pub use hits::*;
pub use query::*;
pub use render::*;
pub use top_k::*;
