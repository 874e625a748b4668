//! The parts of the tools `glob` and `grep`, built on ripgrep's libraries.
//!
//! A [`Query`] describes the lines to find, and a [`Scope`] the files to search. [`compile`]
//! turns the query into a matcher, [`FileWalk::new`] the scope into a parallel walk. The walk
//! visits files on several threads, in any order. A [`FileSearcher`] searches each file for
//! [`FileMatches`], and a [`TopK`] keeps the first files in path order, as many as a result
//! has room for. [`render_result`] makes the text that the model reads.

mod collector;
mod excerpt;
mod file_filter;
mod file_matches;
mod file_searcher;
mod file_type;
mod file_walk;
mod output_options;
mod query;
mod render;
mod scope;
mod top_k;

pub use collector::*;
pub use excerpt::*;
pub use file_filter::*;
pub use file_matches::*;
pub use file_searcher::*;
pub use file_type::*;
pub use file_walk::*;
pub use output_options::*;
pub use query::*;
pub use render::*;
pub use scope::*;
pub use top_k::*;
