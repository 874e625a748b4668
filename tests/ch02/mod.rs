//! The tests of chapter 2, Provider & Streaming: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_provider_error;
mod s02_mock_provider;
mod s03_stream_lines;
mod s04_stream_events;
mod s05_stream_accumulator;
mod s06_request_body;
mod s07_reply_chunks;
mod s08_whole_reply;
mod s09_streamed_reply;
mod s10_retries;
mod support;
