//! Given code of chapter 6.

mod abandoned_files;
mod mismatches;
mod multi_edit_schema;
mod rewritten_text;
mod similar_text;
#[path = "../../../../tests/ch06/support.rs"]
mod support;
