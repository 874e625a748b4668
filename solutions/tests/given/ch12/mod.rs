//! Given code of chapter 12.

mod bounded_output;
mod hook_process;
mod published_names;
#[path = "../../../../tests/ch12/support.rs"]
mod support;
