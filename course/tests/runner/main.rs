//! The subcommands of `cargo course`, on the miniature course.

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod chapters;
mod check;
mod check_build;
mod check_diagnosis;
mod check_processes;
mod class_report;
mod claw;
mod demo;
mod doctor;
mod errors;
mod hint;
mod machines;
mod path;
mod report;
mod status;
mod undo;
