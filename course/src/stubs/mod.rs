//! Makes stubs: the reference without the parts that the learner writes.
//!
//! With no section solved, the result is `src/` as committed. With the chapters up to N
//! solved, it is the state of a learner who has finished chapter N.

mod cut;
mod gaps;
mod section_cuts;
mod solution;

pub use cut::{Piece, Unit};
pub use gaps::{lines_of, remove};
pub use solution::{FunctionText, Solution};
