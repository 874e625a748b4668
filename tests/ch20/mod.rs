//! The tests of chapter 20, Session History: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_session;
mod s02_json_lines;
mod s03_append_lines;
mod s04_open_database;
mod s05_migrations;
mod s06_store_session;
mod s07_append_at_cursor;
mod s08_resume_and_branch;
mod s09_search;
mod s10_list_sessions;
mod s11_convert_types;
mod s12_convert_chat;
mod s13_convert_losses;
mod s14_convert_any;
mod support;
