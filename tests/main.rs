//! Every chapter's suite, in one test binary: one link instead of twenty-nine.

#[cfg(feature = "ch1")]
#[path = "ch01.rs"]
mod ch1;
