//! # claw-code
//!
//! A terminal coding agent, built one chapter at a time. This file is its map:
//! the modules stand in the order in which the chapters write them.
//!
//! - [`types`] (chapter 1) is the vocabulary: what is said in a conversation
//!   ([`types::Message`]), what a model may ask for ([`types::ToolCall`]), what can
//!   answer ([`types::Tool`]), what it costs ([`types::TokenUsage`]) and what is
//!   allowed ([`types::Permission`]).
//!
//! Data flows one way: a user's words become messages, messages go to a model, the
//! model's tool calls go to tools, and the tools' results come back as messages.

#[cfg(feature = "ch1")]
pub mod types;
