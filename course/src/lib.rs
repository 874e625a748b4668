//! # The course's machinery
//!
//! One source of truth, `solutions/`, and one manifest a chapter
//! (`book/src/chNN-slug.toml`) that says what of it a learner writes. Everything
//! else is made from these two, and this crate makes it:
//!
//! - [`repo`] knows where things lie, [`contents`] reads the table of contents,
//!   [`manifest`] what each chapter consists of.
//! - [`source`] finds items in Rust files; [`render`] cuts the learner's parts out
//!   of a solution; [`edit`] puts one section's parts into a learner's file.
//! - [`suite`] knows where each section's tests are; [`generated`] makes the lists of
//!   chapters: features, modules, test files.
//! - [`saves`] keeps a copy of whatever is overwritten.
//! - [`cargo`] runs the real `cargo test`; [`verdict`] says what its outcome means
//!   for each checkpoint; [`results`] remembers it while nothing changes.
//! - [`commands`] are the subcommands of `cargo course`, [`watch`] its screen,
//!   [`view`] how both write.
//! - [`book`] resolves the directives of the book's pages, [`verify`] proves that all
//!   of it hangs together.

pub mod book;
pub mod cargo;
pub mod cli;
pub mod commands;
pub mod contents;
pub mod edit;
pub mod generated;
pub mod manifest;
pub mod progress;
pub mod render;
pub mod repo;
pub mod results;
pub mod saves;
pub mod source;
pub mod suite;
pub mod verdict;
pub mod verify;
pub mod view;
pub mod watch;
