//! The tests of chapter 7, The Shell Tool: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_utf8_chunks;
mod s02_terminal_text;
mod s03_head_and_tail;
mod s04_shell_command;
mod s05_process_group;
mod s06_reaping;
mod s07_dropped_command;
mod s08_wait_until;
mod s09_timeouts;
mod s10_tool_result;
mod s11_run_bash;
mod support;
