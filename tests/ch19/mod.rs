//! The tests of chapter 19, Speaking Three APIs: one file for each section.
//!
//! `cargo course generate` writes this list.

mod bodies;
mod readers;
mod s01_messages_blocks;
mod s02_messages_turns;
mod s03_messages_to_chat;
mod s04_provider_data;
mod s05_reply_content;
mod s06_agent_history;
mod s07_messages_body;
mod s08_message_deltas;
mod s09_message_end;
mod s10_message_to_items;
mod s11_output_items;
mod s12_items_to_message;
mod s13_responses_input;
mod s14_responses_body;
mod s15_responses_stream;
mod s16_to_completions;
mod s17_from_completions;
mod s18_over_tcp;
mod s19_retries;
mod support;
mod wire;
