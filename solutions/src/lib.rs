//! # claw-code
//!
//! A terminal coding agent, built one chapter at a time. This file is its map:
//! the modules stand in the order in which the chapters write them.
//!
//! - [`types`] (chapter 1) is the vocabulary: what is said in a conversation
//!   ([`types::Message`]), what a model may ask for ([`types::ToolCall`]), what can
//!   answer ([`types::Tool`]), what it costs ([`types::TokenUsage`]) and what is
//!   allowed ([`types::Permission`]).
//! - [`provider`] (chapter 2) talks to a model: [`provider::Provider`], a scripted one
//!   for tests, and one over HTTP that reads the reply as it is written.
//! - [`tools`] (chapter 3) carries out a call, whatever goes wrong on the way.
//! - [`engine`] (chapter 4) is the loop between model and tools: ask, run the calls of
//!   the reply, ask again.
//! - [`prompt`] (chapter 5) is what the model is told first. With it, [`claw`] runs: the
//!   agent in a terminal.
//! - [`agent`] (chapters 14 to 16) is an agent that runs: messages made of content blocks,
//!   the two lanes that keep the application's notes from the model, and the loop that
//!   tells what it does and can be steered.
//! - [`transcript`] (chapter 17) is for the program that shows a run: what a provider may see
//!   of an entry, and beside it a sentence for people.
//! - [`chat`] (chapter 18) is what histories keep: flat messages, and the blocks that
//!   providers are sent in their place. From there chapter 19 leads to three APIs; its models
//!   stand in [`provider`].
//! - [`session`] (chapter 20) keeps them: many conversations in a database, and one a file
//!   beside it.
//!
//! Data flows one way: a user's words become messages, messages go to a model, the
//! model's tool calls go to tools, and the tools' results come back as messages.

// `cargo test NAME` builds every crate twice, the second time as a test program of its own.
// All tests of this one are in `tests/`, so there it is empty, and soon built.
#![cfg(not(test))]

#[cfg(feature = "ch1")]
pub mod types;

#[cfg(feature = "ch2")]
pub mod provider;

#[cfg(feature = "ch3")]
pub mod tools;

#[cfg(feature = "ch4")]
pub mod engine;

#[cfg(feature = "ch5")]
pub mod prompt;

#[cfg(feature = "ch14")]
pub mod agent;

#[cfg(feature = "ch17")]
pub mod transcript;

#[cfg(feature = "ch18")]
pub mod chat;

#[cfg(feature = "ch19")]
pub mod models;

#[cfg(feature = "ch20")]
pub mod session;

#[cfg(feature = "claw")]
pub mod claw;
