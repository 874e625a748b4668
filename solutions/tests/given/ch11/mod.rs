//! Given code of chapter 11.

mod exec_commands;
mod folded_names;
mod option_forms;
#[path = "../../../../tests/ch11/support.rs"]
mod support;
