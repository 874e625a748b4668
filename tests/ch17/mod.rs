//! The tests of chapter 17, Host Transcripts: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_roles;
mod s02_text_or_blocks;
mod s03_provider_view;
mod s04_to_agent;
mod s05_from_agent;
mod s06_short_line;
mod s07_narrate_files;
mod s08_narrate_commands;
mod s09_narrators;
mod s10_recorder;
mod scripted_agent;
mod support;
