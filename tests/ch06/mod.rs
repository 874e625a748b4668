//! The tests of chapter 6, File Tools: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_paths;
mod s02_not_a_file;
mod s03_text_encoding;
mod s04_files_read;
mod s05_images;
mod s06_line_pages;
mod s07_read_tool;
mod s08_atomic_write;
mod s09_write_tool;
mod s10_exact_match;
mod s11_near_misses;
mod s12_edit_tools;
mod support;
