//! The tests of chapter 5, The System Prompt: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_section;
mod s02_one_section_per_tag;
mod s03_static_first;
mod s04_two_messages;
mod s05_cache_prefix;
mod s06_git_output;
mod s07_git_summary;
mod s08_read_git;
mod s09_environment;
mod s10_default_prompt;
mod support;
