//! The tests of chapter 8, Search Tools: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_pattern;
mod s02_file_types;
mod s03_globs;
mod s04_walk;
mod s05_stable_order;
mod s06_result_page;
mod s07_glob_tool;
mod s08_long_lines;
mod s09_lines_in_file;
mod s10_grep_tool;
mod support;
