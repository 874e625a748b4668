//! The tests of chapter 7, The Shell Tool: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_bash_tool;
mod s02_byte_pieces;
mod s03_terminal_text;
mod s04_head_and_tail;
mod s05_no_input;
mod s06_pipe_and_group;
mod s07_reaping;
mod s08_dropped_run;
mod s09_attend_run;
mod s10_timeouts;
mod s11_result_text;
mod support;
