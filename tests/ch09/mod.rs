//! The tests of chapter 9, The Tool Registry: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_shared_tool;
mod s02_definition_check;
mod s03_registry;
mod s04_dynamic_tools;
mod s05_strict_schemas;
mod s06_wire_formats;
mod s07_similar_names;
mod s08_subsets;
mod s09_did_you_mean;
mod s10_standard_tools;
mod support;
