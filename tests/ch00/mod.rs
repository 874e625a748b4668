//! The tests of chapter 0, An Agent in One Hour: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_ask_a_model;
mod s02_offer_a_tool;
mod s03_run_the_call;
mod s04_loop_until_it_stops;
mod s05_talk_to_it;
mod support;
