//! The tests of chapter 16, Events & Steering: one file for each section.
//!
//! `cargo course generate` writes this list.

mod events;
mod grammar;
mod s01_event_json;
mod s02_loop_ids;
mod s03_partial_reply;
mod s04_pairing_rule;
mod s05_input_queues;
mod s06_input_filters;
mod s07_slow_reader;
mod s08_model_request;
mod s09_call_batch;
mod s10_tool_calls;
mod s11_turn;
mod s12_next_input;
mod s13_turns;
mod s14_whole_loop;
mod s15_agent;
mod s16_saved_agent;
mod s17_provider_messages;
mod s18_provider_model;
mod scenario;
mod support;
