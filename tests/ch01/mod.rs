//! The tests of chapter 1, Messages & Types: one file for each section.
//!
//! `cargo course generate` writes this list.

mod s01_message_id;
mod s02_message_enum;
mod s03_message_constructors;
mod s04_stop_reason;
mod s05_tool_call;
mod s06_tool_definition;
mod s07_tool_result;
mod s08_validation_result;
mod s09_tool_trait;
mod s10_tool_set;
mod s11_token_usage;
mod s12_permission_types;
mod support;
