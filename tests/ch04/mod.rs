//! The tests of chapter 4, The Agent Loop: one file for each section.
//!
//! `cargo course generate` writes this list.

mod random_turns;
mod s01_pairing_rule;
mod s02_repairs;
mod s03_one_result_per_call;
mod s04_events_and_progress;
mod s05_open_calls;
mod s06_gates;
mod s07_run_one_call;
mod s08_batches;
mod s09_model_request;
mod s10_cancellation;
mod s11_agent_loop;
mod s12_query_engine;
mod support;
