//! # The book's machinery
//!
//! Pages are mdBook's markdown plus the directives of [`course::book`]. This crate
//! does with them whatever needs mdBook or a web server, neither of which the runner
//! is to wait for when it is built:
//!
//! - [`preprocess`] puts the directives' expansions in, inside this process or for a
//!   `mdbook` that was installed.
//! - [`build`] makes the book, [`serve`] shows it while it is written or read, with
//!   [`watch`] to notice changes.
//! - [`check`] finds what would mislead a reader: dead links, names of tests and files
//!   that are not there, chapters that differ from their manifest.
//! - [`prose`] takes a page's text apart for it, [`commands`] lists the commands that
//!   the book tells people to type.
//! - [`cli`] is the command line.

pub mod build;
pub mod check;
pub mod cli;
pub mod commands;
pub mod preprocess;
pub mod prose;
pub mod serve;
pub mod watch;
