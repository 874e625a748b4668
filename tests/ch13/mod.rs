//! The tests of chapter 13, Plan Mode & Todos: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_replay;
mod s02_plan_gate;
mod s03_plan_check;
mod s04_approved_plan;
mod s05_exit_plan;
mod s06_plan_state;
mod s07_prompts;
mod s08_todo_lists;
mod s09_todo_text;
mod s10_todo_history;
mod s11_todo_reminder;
mod support;
