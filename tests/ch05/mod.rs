//! The tests of chapter 5, The System Prompt: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_section;
mod s02_one_section_per_tag;
mod s03_static_first;
mod s04_two_messages;
mod s05_git_output;
mod s06_git_summary;
mod s07_read_git;
mod s08_environment;
mod s09_default_prompt;
mod support;
