//! Conversations, saved as sessions in one database for each folder.
//!
//! `session_store` opens the database and finds sessions in it. [`SessionWriter`] saves a
//! conversation, message by message, and [`BackgroundWriter`] runs it beside the conversation.
//! [`ResumedSession`] is what it continues. `command` is `claw sessions`; `session_text` shows a
//! session.

mod background_writer;
mod command;
mod resumed_session;
mod session_store;
mod session_text;
mod session_writer;

pub use background_writer::*;
pub use command::*;
pub use resumed_session::ResumedSession;
pub use session_store::short_id;
pub use session_text::message_count;
pub use session_writer::SessionWriter;
