//! Given code of chapter 20.

mod convert_any;
mod convert_chat;
mod convert_losses;
mod convert_types;
mod hub_messages;
mod open_database;
#[path = "../../../../tests/ch20/support.rs"]
mod support;
