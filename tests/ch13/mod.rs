//! The tests of chapter 13, Plan Mode & Todos: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_replay;
mod s02_plan_gate;
mod s03_approved_plan;
mod s04_exit_plan;
mod s05_plan_state;
mod s06_prompts;
mod s07_todo_lists;
mod s08_todo_history;
mod s09_todo_reminder;
mod support;
