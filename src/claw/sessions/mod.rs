//! Conversations, saved as sessions in one database for each folder.
//!
//! `data_dir` locates the database, `session_store` opens it and finds sessions in it.
//! [`SessionWriter`] saves a conversation, message by message, and [`BackgroundWriter`] runs
//! it beside the conversation. `command` is `claw sessions`; `session_text` shows a session.

mod background_writer;
mod command;
mod data_dir;
mod session_store;
mod session_text;
mod session_writer;

pub use background_writer::*;
pub use command::*;
pub use session_store::short_id;
pub use session_text::message_count;
pub use session_writer::{ResumedSession, SessionWriter};
