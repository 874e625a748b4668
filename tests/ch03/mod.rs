//! The tests of chapter 3, The Tool Interface: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_first_tool;
mod s02_path_resolution;
mod s03_list_folder;
mod s04_list_call;
mod s05_value_paths;
mod s06_mismatch_messages;
mod s07_unknown_names;
mod s08_argument_validation;
mod s09_char_boundary;
mod s10_head_and_tail;
mod s11_validate_and_call;
mod s12_execute;
mod support;
