//! Given code of chapter 3.

mod char_boundary;
mod mismatch_messages;
#[path = "../../../../tests/ch03/support.rs"]
mod support;
mod unknown_names;
mod value_paths;
