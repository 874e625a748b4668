//! Given code of chapter 13.

mod plan_check;
#[path = "../../../../tests/ch13/support.rs"]
mod support;
mod todo_text;
