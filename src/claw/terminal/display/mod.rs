//! What a conversation looks like.
//!
//! [`Screen`] shows a conversation: text as it arrives, and rows for each tool call. It writes
//! with a `row_writer`, which wraps words with `word_wrap` and renders `markdown`. `result_rows`
//! shortens the result of a call, `call_results` keeps the whole, and `turn_status` shows the
//! progress of a turn.

mod call_results;
mod markdown;
mod result_rows;
mod row_writer;
mod screen;
mod turn_status;
mod word_wrap;

pub use screen::*;
