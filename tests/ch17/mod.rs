//! The tests of chapter 17, Host Transcripts: one file for each section.
//!
//! `cargo course generate` writes this list.

mod conversions;
mod s01_roles;
mod s02_text_or_blocks;
mod s03_provider_view;
mod s04_to_agent;
mod s05_replies_to_agent;
mod s06_narrate_commands;
mod s07_narrators;
mod s08_recorder;
mod scripted_agent;
mod support;
