//! The tests of chapter 12, Hooks: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_hook_input;
mod s02_matchers;
mod s03_exchange;
mod s04_hook_run;
mod s05_answers;
mod s06_exit_codes;
mod s07_failures;
mod s08_strictest_answer;
mod s09_raise;
mod s10_hook_gate;
mod s11_after_a_tool;
mod s12_prompts_and_stops;
mod s13_hook_settings;
mod support;
