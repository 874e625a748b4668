//! The tests of chapter 16, Events & Steering: one file for each section.
//!
//! `cargo course generate` writes this list.

mod events;
mod grammar;
mod s01_event_json;
mod s02_partial_reply;
mod s03_pairing_rule;
mod s04_input_queues;
mod s05_input_filters;
mod s06_slow_reader;
mod s07_model_request;
mod s08_call_batch;
mod s09_tool_calls;
mod s10_turn;
mod s11_next_input;
mod s12_turns;
mod s13_whole_loop;
mod s14_agent;
mod scenario;
mod support;
