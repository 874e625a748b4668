//! Records the traces of the book: runs of the reference, step by step. Each module records one,
//! and explains each step.
//!
//! A test fails if a committed trace, `book/src/traces/NAME.json`, differs from its recording.
//! This command writes the traces again:
//!
//! ```console
//! $ CLAW_TRACES=write cargo test -p claw-code-solutions --test traces
//! ```

extern crate claw_code_solutions as claw_code;

mod cancelled_turn;
mod first_agent;
mod json;
mod steered_turn;
mod streamed_reply;
#[path = "../../../tests/support/mod.rs"]
mod support;
mod three_formats;
mod trace;
