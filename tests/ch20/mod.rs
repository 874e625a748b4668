//! The tests of chapter 20, Session History: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_session;
mod s02_json_lines;
mod s03_append_lines;
mod s04_migrations;
mod s05_store_session;
mod s06_load_session;
mod s07_append_at_cursor;
mod s08_resume;
mod s09_branch;
mod s10_search;
mod s11_list_sessions;
mod support;
