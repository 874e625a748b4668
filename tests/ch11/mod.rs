//! The tests of chapter 11, Safety Checks: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_real_path;
mod s02_folded_names;
mod s03_protected_files;
mod s04_path_check;
mod s05_open_inside;
mod s06_literal_words;
mod s07_simple_commands;
mod s08_substitutions;
mod s09_redirections;
mod s10_option_forms;
mod s11_usage_lines;
mod s12_exec_commands;
mod s13_effects;
mod s14_suspicion;
mod s15_command_check;
mod s16_sandbox;
mod s17_sandboxed_bash;
mod support;
