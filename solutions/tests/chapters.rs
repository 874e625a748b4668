//! The chapters' suites, run against the reference.
//!
//! They are the very files that the learner's crate is tested with: the rename
//! below is all that differs.

extern crate claw_code_solutions as claw_code;

#[cfg(feature = "ch1")]
#[path = "../../tests/ch01.rs"]
mod ch1;
