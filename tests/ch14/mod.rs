//! The tests of chapter 14, Content Blocks: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_blocks;
mod s02_stop_reasons;
mod s03_usage;
mod s04_cache_and_thinking;
mod s05_roles;
mod s06_write_message;
mod s07_strict_objects;
mod s08_read_message;
mod support;
