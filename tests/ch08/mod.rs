//! The tests of chapter 8, Search Tools: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_search_pattern;
mod s02_file_types;
mod s03_globs;
mod s04_file_walk;
mod s05_path_order;
mod s06_search_result;
mod s07_glob_tool;
mod s08_long_lines;
mod s09_file_matches;
mod s10_grep;
mod s11_grep_tool;
mod support;
