//! The tests of chapter 16, Events & Steering: one file for each section.
//!
//! `cargo course generate` writes this list.

mod grammar;
mod s01_event_json;
mod s02_loop_ids;
mod s03_partial_reply;
mod s04_provider_adapter;
mod s05_pairing_rule;
mod s06_input_queues;
mod s07_slow_reader;
mod s08_model_request;
mod s09_tool_calls;
mod s10_agent_loop;
mod s11_agent;
mod scenario;
mod support;
