//! The tests of chapter 10, The Permission Engine: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_simple_commands;
mod s02_possible_commands;
mod s03_word_patterns;
mod s04_absolute_paths;
mod s05_match_calls;
mod s06_rules;
mod s07_offered_rules;
mod s08_approvals;
mod s09_modes;
mod s10_evaluate;
mod s11_gate;
mod s12_explanations;
mod support;
