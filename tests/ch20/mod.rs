//! The tests of chapter 20, Session History: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_session;
mod s02_json_lines;
mod s03_append_lines;
mod s04_open_database;
mod s05_migrations;
mod s06_store_session;
mod s07_load_session;
mod s08_append_at_cursor;
mod s09_resume;
mod s10_branch;
mod s11_search;
mod s12_list_sessions;
mod s13_convert_types;
mod s14_convert_chat;
mod s15_convert_losses;
mod s16_convert_any;
mod support;
