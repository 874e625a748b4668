//! The tests of chapter 19, Speaking Three APIs: one file for each section.
//!
//! `cargo course generate` writes this list.

mod bodies;
mod readers;
mod s01_message_to_items;
mod s02_items_to_message;
mod s03_responses_input;
mod s04_messages_api;
mod s05_completions_api;
mod s06_agent_history;
mod s07_requests;
mod s08_messages_stream;
mod s09_responses_stream;
mod s10_over_tcp;
mod support;
mod wire;
