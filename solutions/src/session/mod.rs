//! Sessions that survive: in a database, and in a file of lines beside it.
//!
//! - [`Session`] is a conversation and what is known of it.
//! - [`JsonlFile`] appends its messages to a file, one line each, and [`read_jsonl`] reads
//!   them: for people, for `grep`, and for whoever has no database.
//! - [`SessionHistory`] keeps many sessions in SQLite. `schema` says what may be opened and
//!   brings it up to date; `append` adds messages at a [`Cursor`]; `resume` takes a session
//!   up again and branches it; `search` finds words; `list` says which sessions there are.
//! - [`convert`](convert()) takes a conversation from one vocabulary to another, and says what
//!   was lost.
//! - [`HistoryError`] is what may be wrong with a history.
//!
//! Everything here blocks: a commit waits for the disk, and a locked database for another
//! process. Inside a runtime, keep the history behind an `Arc<Mutex<_>>` and call it in
//! [`tokio::task::spawn_blocking`]; a plain Mutex, since no lock is held across an await.

pub mod convert;
mod cursor;
mod error;
mod history;
mod jsonl;
mod resume;
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
pub use schema::*;
pub use search::*;
pub use session::*;
pub use session_list::*;
