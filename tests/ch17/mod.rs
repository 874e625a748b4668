//! The tests of chapter 17, Host Transcripts: one file for each section.
//!
//! `cargo course generate` writes this list.

mod conversions;
mod s01_roles;
mod s02_text_or_blocks;
mod s03_provider_view;
mod s04_to_agent;
mod s05_replies_to_agent;
mod s06_from_agent;
mod s07_replies_from_agent;
mod s08_short_line;
mod s09_sizes_and_reasons;
mod s10_narrate_reading;
mod s11_narrate_changes;
mod s12_narrate_commands;
mod s13_narrate_searches;
mod s14_narrators;
mod s15_recorder;
mod scripted_agent;
mod support;
