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
mod s08_abandoned_files;
mod s09_atomic_write;
mod s10_write_tool;
mod s11_edit_ranges;
mod s12_apply_edit;
mod s13_similar_text;
mod s14_mismatches;
mod s15_edit_tool;
mod s16_multi_edit;
mod support;
