//! The tests of chapter 18, Chat Messages: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_chat_fields;
mod s02_tool_call;
mod s03_torn_arguments;
mod s04_constructors;
mod s05_blocks;
mod s06_string_or_blocks;
mod s07_fields_to_blocks;
mod s08_to_provider;
mod s09_blocks_to_fields;
mod s10_from_provider;
mod support;
