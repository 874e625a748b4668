//! Sessions that survive the end of a program: in a database, and as JSON Lines in a file.
//!
//! - [`Session`] is one conversation.
//! - [`JsonlFile`] appends the messages of a session to a file, one line each, and
//!   [`read_jsonl`] reads them: for people, for `grep`, and for programs without a database.
//! - [`SessionHistory`] stores many sessions in SQLite. `schema` identifies a database and
//!   migrates it, and `rows` writes and reads its rows. `history` creates, loads and deletes
//!   sessions; `append` adds messages at a [`Cursor`]; `resume` continues a session or
//!   branches it; `search` searches messages; `session_list` lists sessions.
//! - [`convert`](convert()) converts a conversation from one vocabulary to another and
//!   reports what was lost.
//! - [`HistoryError`] is the error type of all methods of a history.
//!
//! Every function here blocks: a commit waits for the disk, and a locked database for another
//! process. In a runtime, put the history into an `Arc<Mutex<_>>` and call it in
//! [`tokio::task::spawn_blocking`]. A std Mutex is enough, since no lock is held across an
//! await.

mod append;
pub mod convert;
mod cursor;
mod error;
mod history;
mod jsonl;
mod resume;
mod rows;
mod schema;
mod search;
#[allow(
    clippy::module_inception,
    reason = "every file is named after its main type, and here that is `Session`"
)]
mod session;
mod session_list;

pub use convert::{Converted, Loss, Vocabulary, convert};
pub use cursor::*;
pub use error::*;
pub use history::*;
pub use jsonl::*;
pub use resume::*;
pub use rows::searchable_text;
pub use schema::*;
pub use search::*;
pub use session::*;
pub use session_list::*;
