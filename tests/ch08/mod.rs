//! The tests of chapter 8, Search Tools: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_search_pattern;
mod s02_globs;
mod s03_file_walk;
mod s04_path_order;
mod s05_search_result;
mod s06_glob_tool;
mod s07_long_lines;
mod s08_file_matches;
mod s09_grep;
mod s10_grep_tool;
mod support;
