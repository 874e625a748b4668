//! The tests of chapter 2, Provider & Streaming: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_provider_error;
mod s02_mock_provider;
mod s03_reply_as_events;
mod s04_stream_lines;
mod s05_event_fields;
mod s06_stream_events;
mod s07_arguments_and_ids;
mod s08_stream_accumulator;
mod s09_messages_as_json;
mod s10_request_body;
mod s11_reply_chunks;
mod s12_whole_reply;
mod s13_streamed_reply;
mod s14_retries;
mod support;
