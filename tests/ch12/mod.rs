//! The tests of chapter 12, Hooks: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_hook_input;
mod s02_published_names;
mod s03_matchers;
mod s04_bounded_output;
mod s05_hook_process;
mod s06_exchange;
mod s07_hook_run;
mod s08_answers;
mod s09_exit_codes;
mod s10_failures;
mod s11_strictest_answer;
mod s12_raise;
mod s13_hook_gate;
mod s14_after_a_tool;
mod s15_prompts_and_stops;
mod s16_hook_settings;
mod support;
