//! The tests of chapter 7, The Shell Tool: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_bash_schema;
mod s02_utf8_chunks;
mod s03_terminal_text;
mod s04_head_and_tail;
mod s05_shell_command;
mod s06_process_group;
mod s07_reaping;
mod s08_dropped_command;
mod s09_wait_until;
mod s10_timeouts;
mod s11_tool_result;
mod s12_run_bash;
mod support;
