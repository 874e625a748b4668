//! The tests of chapter 4, The Agent Loop: one file for each section.
//!
//! `cargo course generate` writes this list.

mod random_turns;
mod s01_pairing_rule;
mod s02_one_result_per_call;
mod s03_events_and_progress;
mod s04_open_calls;
mod s05_gates;
mod s06_run_one_call;
mod s07_batches;
mod s08_model_request;
mod s09_cancellation;
mod s10_agent_loop;
mod s11_query_engine;
mod support;
