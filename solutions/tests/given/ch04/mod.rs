//! Given code of chapter 4.

mod repairs;
#[path = "../../../../tests/ch04/support.rs"]
mod support;
