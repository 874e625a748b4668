//! # The book builder
//!
//! Pages are mdBook's Markdown plus the directives of [`course::book`]. This crate has
//! everything that needs mdBook or a web server, so that the runner compiles without them:
//!
//! - [`preprocess`] expands the directives, in this process or for an installed `mdbook`.
//! - [`glossary`] links each term of the glossary where a chapter first uses it.
//! - [`build`] builds the book. [`serve`] serves it and rebuilds it after changes.
//! - [`slides`] makes the slides, one HTML file beside the pages.
//! - [`check`] finds errors: dead links, names of tests and files that do not exist, chapters
//!   that differ from their manifests. It reads the pages with [`page`] and [`prose`].
//! - [`commands`] lists the commands in the book.
//! - [`cli`] is the command line.

pub mod build;
pub mod check;
pub mod cli;
pub mod commands;
pub mod glossary;
pub mod page;
pub mod preprocess;
pub mod prose;
pub mod serve;
pub mod slides;
