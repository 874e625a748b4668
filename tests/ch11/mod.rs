//! The tests of chapter 11, Safety Checks: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_real_path;
mod s02_protected_files;
mod s03_path_check;
mod s04_open_inside;
mod s05_literal_words;
mod s06_simple_commands;
mod s07_substitutions;
mod s08_redirections;
mod s09_usage_lines;
mod s10_effects;
mod s11_suspicion;
mod s12_command_check;
mod s13_sandbox;
mod s14_sandboxed_bash;
mod support;
