//! The tests of chapter 3, The Tool Interface: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_first_tool;
mod s02_path_resolution;
mod s03_list_folder;
mod s04_list_call;
mod s05_argument_validation;
mod s06_head_and_tail;
mod s07_validate_and_call;
mod s08_execute;
mod support;
