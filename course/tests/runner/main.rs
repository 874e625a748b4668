//! The subcommands of `cargo course`, on the miniature course.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod chapters;
mod check;
mod claw;
mod demo;
mod errors;
mod hint;
mod path;
mod report;
mod status;
mod undo;
