//! The messages about results. Each function returns lines and prints nothing.

mod build_error;
mod chapter;
mod hint;
mod section;
mod style;
mod text;

pub use build_error::program_not_built;
pub use chapter::{
    bar, chapter_done, comes_first, earlier_mistake, finished, heading, list, reason,
};
pub use hint::hint;
pub use section::section_reason;
pub use style::{Style, is_dumb_terminal};
pub use text::{NO_WRAP, files, time};
