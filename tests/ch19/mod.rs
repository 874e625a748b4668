//! The tests of chapter 19, Speaking Three APIs: one file for each section.
//!
//! `cargo course generate` writes this list.

mod bodies;
mod readers;
mod s01_messages_blocks;
mod s02_messages_turns;
mod s03_messages_to_chat;
mod s04_messages_body;
mod s05_message_deltas;
mod s06_message_end;
mod s07_message_to_items;
mod s08_items_to_message;
mod s09_responses_stream;
mod s10_over_tcp;
mod support;
mod wire;
