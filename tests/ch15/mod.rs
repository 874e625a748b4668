//! The tests of chapter 15, Two Lanes: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_llm_message;
mod s02_turn_id;
mod s03_read_llm_message;
mod s04_extension_message;
mod s05_two_lanes;
mod s06_lane_by_role;
mod s07_model_view;
mod support;
