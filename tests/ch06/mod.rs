//! The tests of chapter 6, File Tools: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_paths;
mod s02_file_bytes;
mod s03_text_files;
mod s04_workspace;
mod s05_attachments;
mod s06_line_pages;
mod s07_read_tool;
mod s08_atomic_write;
mod s09_write_tool;
mod s10_edit_ranges;
mod s11_apply_edit;
mod s12_edit_tool;
mod s13_multi_edit;
mod support;
